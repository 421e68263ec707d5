import { isDeepStrictEqual } from "node:util";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { atRest, type Rule, type RuleState } from "../../alarms/evaluate.ts";
import { gateNow } from "../../alarms/rules/gate.rules.ts";
import { batched } from "../../platform/database/batched.ts";
import type { World } from "../../world.ts";
import { type SettingsPeriod, scalesOf } from "../scaling.ts";
import { alarmsOverTime } from "./alarm-settings.ts";
import {
  type ChannelRecord,
  type DeviceRecord,
  type KeyColumn,
  type LoadNeeds,
  loadByServer,
  loadDevices,
  reachServers,
  Unreachable,
} from "./device-records.ts";
import type { ChannelState, KnownChannel, KnownDevice } from "./known-device.ts";

/** Key of a look-up: access token, printed device ID, or numeric ID. */
export type DeviceKey = { token: string } | { deviceSnId: string } | { deviceId: number };

const unseen = { ts: Number.NEGATIVE_INFINITY, value: 0, status: 2, received: 0 };

/** States of a channel's rules: of those with an open alert, and of those that wait or count. */
const ruleStates = (
  { open, phases }: Pick<ChannelRecord, "open" | "phases">,
  rules: readonly Rule[],
): Map<string, RuleState> => {
  const states = new Map<string, RuleState>();
  for (const { key, peak, raised } of open ?? []) {
    const since = raised - (rules.find((rule) => rule.key === key)?.onDelay ?? 0);
    states.set(key, { ...atRest, isOpen: true, holds: true, since, isCounted: true, peak: peak ?? Number.NaN });
  }
  for (const { key, gate, ...kept } of phases ?? [])
    states.set(key, {
      ...(states.get(key) ?? atRest),
      ...kept,
      gate: gate && { ...gate, since: gate.since ?? Number.NEGATIVE_INFINITY },
    });
  return states;
};

/** Adds the gates of rules that have one, as they are now. */
const withGates = (states: Map<string, RuleState>, rules: readonly Rule[], alarms: ChannelRecord["alarms"]): void => {
  for (const { key, alarmId, gate: rule } of rules) {
    if (!rule) continue;
    const state = states.get(key) ?? atRest;
    const newest = alarms?.find((alarm) => alarm.alarmId === alarmId)?.gate?.newest ?? null;
    states.set(key, { ...state, gate: gateNow(rule, state.gate, newest, state.holds) });
  }
};

const stateOf = (record: ChannelRecord, rules: readonly Rule[]): ChannelState => {
  const { latest } = record;
  const states = ruleStates(record, rules);
  withGates(states, rules, record.alarms);
  return { ...(latest ?? unseen), late: 0, rules: states };
};

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
    gates: record.gates ?? [],
    state: stateOf(record, alarms.rules),
    draft: undefined,
    spare: undefined,
    place: -1,
  };
  // The same object is kept, because queued messages refer to it.
  return known ? Object.assign(known, filled) : filled;
};

/** `isStale`: it changed during the look-up. */
const fillDevice = (record: DeviceRecord, known: KnownDevice | undefined, isStale: boolean): KnownDevice => {
  const unheard = { heardAt: 0, connectedAt: undefined, hasDisconnected: false, linkLostAt: undefined };
  const device: KnownDevice = Object.assign(known ?? { channels: new Map(), ...unheard }, {
    gated: [...new Set((record.channels ?? []).flatMap(({ gates }) => gates ?? []))],
    deviceId: record.device_id,
    deviceSnId: record.device_sn_id,
    deviceName: record.device_name,
    plantId: record.plant_id,
    parentDeviceId: record.parent_device_id,
    accessToken: record.access_token,
    isDisabled: record.is_disabled,
    serviceEnd: record.service_end,
    readingsFrom: record.readings_from ?? Number.NEGATIVE_INFINITY,
    isOnline: record.is_online,
    bridges: record.bridges,
    hasOpenUpdate: record.is_updated,
    isStale,
    version: record.version,
    loads: (known?.loads ?? 0) + 1,
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
  /** Throws when these devices cannot be loaded because their server does not answer: asked before lanes stand for a reload, which would then stand for long. */
  reach(devices: readonly KnownDevice[]): Promise<void>;
  /** Reloads these devices into the same objects. Called by the writer between batches only. */
  reload(devices: readonly KnownDevice[]): Promise<void>;
  /** All devices in memory. */
  known(): Iterable<KnownDevice>;
  /** The sub-devices of a master that are in memory. */
  subDevices(masterId: number): Iterable<KnownDevice>;
  stop(): void;
}

/** Finds the record of one device; look-ups of a fleet that connects at once are batched into one query. */
const recordFinder = (needs: LoadNeeds, column: KeyColumn) => {
  const find = batched(async (values: readonly (string | number)[]) => {
    const records = await loadByServer(needs, column, values);
    return values.map((value) => records.get(value));
  });
  return async (value: string | number): Promise<DeviceRecord | undefined> => {
    const found = await find(value);
    if (found instanceof Unreachable) throw found;
    return found;
  };
};

const recordsByKey = (needs: LoadNeeds) => {
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
  const lookUps = new Set<Set<number>>();
  let missed = 0;
  return {
    /** Notices were missed: any device may have changed. */
    missed: (): void => {
      missed += 1;
    },
    changed: (deviceId: number): void => {
      for (const changed of lookUps) changed.add(deviceId);
    },
    during: async <T>(lookUp: Promise<T>): Promise<{ found: T; hasChanged: HasChanged }> => {
      const changed = new Set<number>();
      const missedBefore = missed;
      lookUps.add(changed);
      try {
        return { found: await lookUp, hasChanged: (deviceId) => missed > missedBefore || changed.has(deviceId) };
      } finally {
        lookUps.delete(changed);
      }
    },
  };
};

/** Indexes devices by each of their keys. */
const createIndex = () => {
  const byId = new Map<number, KnownDevice>();
  const byToken = new Map<string, KnownDevice>();
  const bySnId = new Map<string, KnownDevice>();
  const byMaster = new Map<number, Set<KnownDevice>>();
  /** Removes a device's token and device ID from the index unless another device already has them. */
  const release = (device: KnownDevice): void => {
    if (byToken.get(device.accessToken) === device) byToken.delete(device.accessToken);
    if (bySnId.get(device.deviceSnId) === device) bySnId.delete(device.deviceSnId);
  };
  return {
    byId,
    ofMaster: (masterId: number): Iterable<KnownDevice> => byMaster.get(masterId) ?? [],
    get: (key: DeviceKey): KnownDevice | undefined => {
      if ("token" in key) return byToken.get(key.token);
      return "deviceSnId" in key ? bySnId.get(key.deviceSnId) : byId.get(key.deviceId);
    },
    add: (device: KnownDevice): void => {
      byId.set(device.deviceId, device);
      byToken.set(device.accessToken, device);
      bySnId.set(device.deviceSnId, device);
      const { parentDeviceId } = device;
      if (parentDeviceId === null) return;
      const subDevices = byMaster.get(parentDeviceId) ?? new Set();
      byMaster.set(parentDeviceId, subDevices.add(device));
    },
    release,
    /** Removes a device before it is loaded again, which may change its keys and its master. */
    remove: (device: KnownDevice): void => {
      release(device);
      const { parentDeviceId } = device;
      if (parentDeviceId === null) return;
      const subDevices = byMaster.get(parentDeviceId);
      subDevices?.delete(device);
      if (subDevices?.size === 0) byMaster.delete(parentDeviceId);
    },
  };
};

/** Creates the in-memory registry of devices and channels for gateway and writer. A `deviceChange` on the bus marks a device stale. */
export const createRegistry = ({ bus, ...needs }: LoadNeeds & Pick<World, "bus">): Registry => {
  const index = createIndex();
  const { byId } = index;
  const watch = createWatch();
  const remember = (record: DeviceRecord, hasChanged: HasChanged): KnownDevice => {
    const known = byId.get(record.device_id);
    if (known) index.remove(known);
    const device = fillDevice(record, known, hasChanged(record.device_id));
    index.add(device);
    return device;
  };
  const recordOf = recordsByKey(needs);
  // A concurrent look-up may have been faster; its object is the one that messages refer to.
  const keep = (record: DeviceRecord, hasChanged: HasChanged): KnownDevice =>
    byId.get(record.device_id) ?? remember(record, hasChanged);
  const offChange = bus.on("deviceChange", ({ deviceId, ended, isOffline }) => {
    watch.changed(deviceId);
    const device = byId.get(deviceId);
    if (!device) return;
    device.isStale = true;
    // Its next message marks it online again.
    if (isOffline) device.isOnline = false;
    // After a deletion token and device ID belong to the physical unit, which continues as another device.
    if (ended === "deleted" || ended === "newToken") index.release(device);
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
    reach: (devices) => reachServers(needs, devices),
    reload: async (devices) => {
      const ids = devices.map((device) => device.deviceId);
      const { found, hasChanged } = await watch.during(loadDevices(needs, "device_id", ids));
      for (const record of found) remember(record, hasChanged);
      const left = new Set(found.map((record) => record.device_id));
      for (const device of devices) if (!left.has(device.deviceId)) device.version = Number.NaN;
    },
    known: () => byId.values(),
    subDevices: index.ofMaster,
    stop: () => {
      offChange();
      offMissed();
    },
  };
};
