import { isDeepStrictEqual } from "node:util";
import { AlertClass } from "@telltale/contract/domains/alerts";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import type { Rule } from "../../alarms/evaluate.ts";
import { batched } from "../../platform/database/batched.ts";
import { mergeNow } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import { type SettingsPeriod, scalesOf } from "../scaling.ts";
import { alarmsOverTime } from "./alarm-settings.ts";
import type { ChannelState, KnownChannel, KnownDevice } from "./known-device.ts";

interface DeviceRecord {
  device_id: number;
  device_sn_id: string;
  device_name: string;
  plant_id: number | null;
  parent_device_id: number | null;
  access_token: string;
  is_disabled: boolean;
  is_online: boolean;
  is_updated: boolean;
  service_end: number | null;
  version: number;
  channels: ChannelRecord[] | null;
}

interface ChannelRecord {
  id: number;
  code: string;
  type: ChannelType;
  is_on: boolean;
  settings: ChannelSettings;
  since: number;
  earlier: SettingsPeriod[] | null;
  latest: { ts: number; value: number; status: number } | null;
  alarms: { alarmId: number; type: number; value: number; hysteresis: number }[] | null;
  open: string[] | null;
}

/** Key of a look-up: access token, printed device ID, or numeric ID. */
export type DeviceKey = { token: string } | { deviceSnId: string } | { deviceId: number };

type KeyColumn = "access_token" | "device_sn_id" | "device_id";

/** Settings periods before the current one, newest first, at most 200. */
const earlierPeriods = `
  (SELECT json_agg(json_build_object('from', extract(epoch FROM e.start_time) * 1000, 'settings', e.settings) ORDER BY e.start_time DESC)
     FROM (SELECT start_time, settings FROM settings_periods WHERE channel_id = c.channel_id AND end_time IS NOT NULL ORDER BY start_time DESC LIMIT 200) e)`;

const selectDevices = (column: KeyColumn): string => `
  SELECT d.device_id, d.device_sn_id, d.device_name, d.plant_id, d.parent_device_id, d.access_token, d.is_disabled, d.is_online,
         EXISTS (SELECT 1 FROM firmware_updates u WHERE u.device_id = d.device_id AND u.ended_time IS NULL) AS is_updated,
         (extract(epoch FROM d.expire_time) * 1000)::float8 AS service_end,
         (SELECT json_agg(json_build_object('id', c.channel_id, 'code', c.channel_cn, 'type', c.channel_type, 'is_on', c.channel_switch,
             'settings', p.settings, 'since', extract(epoch FROM p.start_time) * 1000, 'earlier', ${earlierPeriods},
             'latest', (SELECT json_build_object('ts', l.ts, 'value', l.value, 'status', l.status) FROM latest l WHERE l.channel_id = c.channel_id),
             'alarms', (SELECT json_agg(json_build_object('alarmId', a.alarm_id, 'type', a.type, 'value', a.alarm_value, 'hysteresis', coalesce(a.alarm_hysteresis, 0)))
                          FROM alarms a WHERE a.channel_id = c.channel_id AND a.alarm_value IS NOT NULL),
             'open', (SELECT json_agg(e.rule_key) FROM alerts e WHERE e.channel_id = c.channel_id AND e.cleared_time IS NULL)))
          FROM channels c JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL WHERE c.device_id = d.device_id) AS channels
    FROM devices d WHERE d.${column} = ANY($1)`;

const unseen: ChannelState = { ts: Number.NEGATIVE_INFINITY, value: 0, status: 2, openRules: new Set() };

const stateOf = (record: ChannelRecord): ChannelState =>
  record.latest
    ? { ...record.latest, openRules: new Set(record.open ?? []) }
    : { ...unseen, openRules: new Set(record.open ?? []) };

const limitsIn = (rules: readonly Rule[]): Rule[] =>
  rules.filter(({ alarmClass }) => alarmClass === AlertClass.threshold);

/** Whether a device limit has changed. Limits are settings and apply from the save on; a custom alarm applies from the next reading on. */
const hasNewLimits = (known: KnownChannel | undefined, rules: readonly Rule[]): boolean =>
  known !== undefined && (known.hasNewLimits || !isDeepStrictEqual(limitsIn(known.rules), limitsIn(rules)));

const fillChannel = (device: KnownDevice, record: ChannelRecord, known: KnownChannel | undefined): KnownChannel => {
  const { settings, since, earlier } = record;
  const periods: [SettingsPeriod, ...SettingsPeriod[]] = [{ from: since, settings }, ...(earlier ?? [])];
  const ruled = { channelId: record.id, channelType: record.type, isOn: record.is_on, custom: record.alarms ?? [] };
  const alarms = alarmsOverTime(ruled, periods);
  const filled = {
    channelId: record.id,
    device,
    code: record.code,
    isOn: record.is_on,
    ...scalesOf(record.type, periods),
    ...alarms,
    hasNewLimits: hasNewLimits(known, alarms.rules),
    state: stateOf(record),
    draft: undefined,
    place: -1,
  };
  // The same object is kept, because queued messages refer to it.
  return known ? Object.assign(known, filled) : filled;
};

/** `isStale`: it changed during the look-up. */
const fillDevice = (record: DeviceRecord, known: KnownDevice | undefined, isStale: boolean): KnownDevice => {
  const device: KnownDevice = Object.assign(known ?? { channels: new Map(), heardAt: 0, linkLostAt: undefined }, {
    deviceId: record.device_id,
    deviceSnId: record.device_sn_id,
    deviceName: record.device_name,
    plantId: record.plant_id,
    parentDeviceId: record.parent_device_id,
    accessToken: record.access_token,
    isDisabled: record.is_disabled,
    serviceEnd: record.service_end,
    isOnline: record.is_online,
    hasOpenUpdate: record.is_updated,
    isStale,
    version: record.version,
    hasNewLimits: known?.hasNewLimits ?? false,
  });
  const before = new Map(device.channels);
  device.channels.clear();
  for (const channel of record.channels ?? [])
    device.channels.set(channel.code, fillChannel(device, channel, before.get(channel.code)));
  device.hasNewLimits = [...device.channels.values()].some((channel) => channel.hasNewLimits);
  return device;
};

export interface Registry {
  /** The device with this key, loaded at its first use; undefined when there is none. */
  find(key: DeviceKey): Promise<KnownDevice | undefined>;
  /** The devices with these device IDs, by one query; unknown IDs are left out. */
  findAll(deviceSnIds: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>>;
  /** Like `find`, but only in memory. */
  inMemory(key: DeviceKey): KnownDevice | undefined;
  /** Reloads these devices into the same objects. Called by the writer between batches only. */
  reload(devices: readonly KnownDevice[]): Promise<void>;
  /** All devices in memory. */
  known(): Iterable<KnownDevice>;
  stop(): void;
}

/** Longer than any access token or device ID; longer keys are rejected without a query. */
const longestKey = 64;

/** PostgreSQL text cannot hold NUL. Accepts any value, because an exception here would fail the other look-ups of the same batch. */
const canExist = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.length <= longestKey && !value.includes("\0"));

type Needs = Pick<World, "pool" | "closed">;

const versionsOf = (column: KeyColumn): string =>
  `SELECT device_id, v.version FROM devices d JOIN device_versions v USING (device_id) WHERE d.${column} = ANY($1)`;

/**
 * Merges unmerged readings of these devices, so that `latest` holds their newest ones, and returns their versions from before: should another writer
 * come in between, its higher version is found when the device's next readings are written.
 */
const prepareNewest = async (
  { pool }: Needs,
  column: KeyColumn,
  wanted: readonly (string | number)[],
): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await pool.query<{ device_id: number; version: number }>(versionsOf(column), [wanted]);
  if (rows.length === 0) return new Map();
  await mergeNow(
    pool,
    rows.map((row) => row.device_id),
  );
  return new Map(rows.map((row) => [row.device_id, row.version]));
};

const loadDevices = async (
  needs: Needs,
  column: KeyColumn,
  values: readonly (string | number)[],
): Promise<DeviceRecord[]> => {
  const { pool, closed } = needs;
  const wanted = values.filter(canExist);
  if (wanted.length === 0) return [];
  const versions = await prepareNewest(needs, column, wanted);
  if (versions.size === 0) return [];
  const { rows } = await pool.query<Omit<DeviceRecord, "version">>(selectDevices(column), [wanted]);
  return rows
    .filter((record) => !closed.deviceSnIds.has(record.device_sn_id))
    .map((record) => ({ ...record, version: versions.get(record.device_id) ?? Number.NaN }));
};

/** Finds the record of one device; look-ups of a fleet that connects at once are batched into one query. */
const recordFinder = (needs: Needs, column: KeyColumn) =>
  batched(async (values: readonly (string | number)[]) => {
    const records = new Map((await loadDevices(needs, column, values)).map((record) => [record[column], record]));
    return values.map((value) => records.get(value));
  });

const recordsByKey = (needs: Needs) => {
  const recordByToken = recordFinder(needs, "access_token");
  const recordBySnId = recordFinder(needs, "device_sn_id");
  const recordById = recordFinder(needs, "device_id");
  return (key: DeviceKey): Promise<DeviceRecord | undefined> => {
    if ("token" in key) return recordByToken(key.token);
    return "deviceSnId" in key ? recordBySnId(key.deviceSnId) : recordById(key.deviceId);
  };
};

type HasChanged = (deviceId: number) => boolean;

/** Runs look-ups and reports which devices changed meanwhile, so that the look-up may have read the old row. */
const createWatch = () => {
  const underWay = new Set<Set<number>>();
  let missed = 0;
  return {
    /** Notices were missed: any device may have changed. */
    missed: (): void => {
      missed += 1;
    },
    changed: (deviceId: number): void => {
      for (const changed of underWay) changed.add(deviceId);
    },
    during: async <T>(lookUp: Promise<T>): Promise<{ found: T; hasChanged: HasChanged }> => {
      const changed = new Set<number>();
      const missedBefore = missed;
      underWay.add(changed);
      try {
        return { found: await lookUp, hasChanged: (deviceId) => missed > missedBefore || changed.has(deviceId) };
      } finally {
        underWay.delete(changed);
      }
    },
  };
};

/** Indexes devices by each of their keys. */
const createIndex = () => {
  const byId = new Map<number, KnownDevice>();
  const byToken = new Map<string, KnownDevice>();
  const bySnId = new Map<string, KnownDevice>();
  return {
    byId,
    get: (key: DeviceKey): KnownDevice | undefined => {
      if ("token" in key) return byToken.get(key.token);
      return "deviceSnId" in key ? bySnId.get(key.deviceSnId) : byId.get(key.deviceId);
    },
    add: (device: KnownDevice): void => {
      byId.set(device.deviceId, device);
      byToken.set(device.accessToken, device);
      bySnId.set(device.deviceSnId, device);
    },
    /** Removes a device's token and device ID from the index unless another device already has them. */
    release: (device: KnownDevice): void => {
      if (byToken.get(device.accessToken) === device) byToken.delete(device.accessToken);
      if (bySnId.get(device.deviceSnId) === device) bySnId.delete(device.deviceSnId);
    },
  };
};

/** Creates the in-memory registry of devices and channels for gateway and writer. A `deviceChange` on the bus marks a device stale. */
export const createRegistry = ({ bus, ...needs }: Needs & Pick<World, "bus">): Registry => {
  const index = createIndex();
  const { byId } = index;
  const watch = createWatch();
  const remember = (record: DeviceRecord, hasChanged: HasChanged): KnownDevice => {
    const known = byId.get(record.device_id);
    if (known) index.release(known);
    const device = fillDevice(record, known, hasChanged(record.device_id));
    index.add(device);
    return device;
  };
  const recordOf = recordsByKey(needs);
  // A concurrent look-up may have been faster; its object is the one that messages refer to.
  const keep = (record: DeviceRecord, hasChanged: HasChanged): KnownDevice =>
    byId.get(record.device_id) ?? remember(record, hasChanged);
  const offChange = bus.on("deviceChange", ({ deviceId, ended }) => {
    watch.changed(deviceId);
    const device = byId.get(deviceId);
    if (!device) return;
    device.isStale = true;
    // Token and device ID belong to the physical unit, which continues as another device.
    if (ended === "deleted") index.release(device);
  });
  const offMissed = bus.on("noticesMissed", () => {
    watch.missed();
    for (const device of byId.values()) device.isStale = true;
  });
  return {
    inMemory: index.get,
    find: async (key) => {
      const device = index.get(key);
      if (device) return device;
      const { found, hasChanged } = await watch.during(recordOf(key));
      return found && keep(found, hasChanged);
    },
    findAll: async (deviceSnIds) => {
      const missing = deviceSnIds.filter((deviceSnId) => !index.get({ deviceSnId }));
      const { found, hasChanged } = await watch.during(loadDevices(needs, "device_sn_id", missing));
      for (const record of found) keep(record, hasChanged);
      return new Map(
        deviceSnIds.flatMap((deviceSnId) => {
          const device = index.get({ deviceSnId });
          return device ? [[deviceSnId, device] as const] : [];
        }),
      );
    },
    reload: async (devices) => {
      const ids = devices.map((device) => device.deviceId);
      const { found, hasChanged } = await watch.during(loadDevices(needs, "device_id", ids));
      for (const record of found) remember(record, hasChanged);
      const left = new Set(found.map((record) => record.device_id));
      for (const device of devices) if (!left.has(device.deviceId)) device.version = Number.NaN;
    },
    known: () => byId.values(),
    stop: () => {
      offChange();
      offMissed();
    },
  };
};
