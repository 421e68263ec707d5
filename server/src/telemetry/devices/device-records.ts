import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { type CustomAlarm, customAlarm, isOneFamily } from "../../alarms/rules/channel.rules.ts";
import type { Memory } from "../../alarms/rules/conditions.rules.ts";
import { bridgesOfValues } from "../../bridges/index.ts";
import { byGroup, isInParts, mergeNow, serverOf } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { SettingsPeriod } from "../scaling.ts";

/** A device as loaded, with its channels, their settings, alarms and newest readings. */
export interface DeviceRecord {
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
  readings_from: number | null;
  bridges: number[];
  version: number;
  channels: ChannelRecord[] | null;
}

export interface ChannelRecord {
  id: number;
  code: string;
  type: ChannelType;
  is_on: boolean;
  settings: ChannelSettings;
  since: number;
  earlier: SettingsPeriod[] | null;
  latest: { ts: number; value: number; status: number; received: number } | null;
  alarms: CustomAlarm[] | null;
  /** Open alerts: key of the rule, most extreme value, and when it was raised, epoch milliseconds. */
  open: { key: string; peak: number | null; raised: number }[] | null;
  phases: PhaseRecord[] | null;
  /** Devices of the family with alarms whose gate this channel is. */
  gates: number[] | null;
}

/** What is kept of a rule's state besides its open alert; see `RuleState`. */
export interface PhaseRecord {
  key: string;
  holds: boolean;
  since: number;
  isCounted: boolean;
  counted: number[];
  memory: Memory | null;
  gate: { isOpen: boolean; since: number | null; isMet: boolean } | null;
}

/** Columns by which devices are looked up. */
export type KeyColumn = "access_token" | "device_sn_id" | "device_id";

/** Settings periods before the current one, newest first, at most 200. */
const earlierPeriods = `
  (SELECT json_agg(json_build_object('from', extract(epoch FROM e.start_time) * 1000, 'settings', e.settings) ORDER BY e.start_time DESC)
     FROM (SELECT start_time, settings FROM settings_periods WHERE channel_id = c.channel_id AND end_time IS NOT NULL ORDER BY start_time DESC LIMIT 200) e)`;

const selectDevices = (column: KeyColumn): string => `
  SELECT d.device_id, d.device_sn_id, d.device_name, d.plant_id, d.parent_device_id, d.access_token, d.is_disabled, d.is_online,
         EXISTS (SELECT 1 FROM firmware_updates u WHERE u.device_id = d.device_id AND u.ended_time IS NULL) AS is_updated,
         (extract(epoch FROM d.expire_time) * 1000)::float8 AS service_end,
         (extract(epoch FROM d.readings_from) * 1000)::float8 AS readings_from, ${bridgesOfValues("d")} AS bridges,
         (SELECT json_agg(json_build_object('id', c.channel_id, 'code', c.channel_cn, 'type', c.channel_type, 'is_on', c.channel_switch,
             'settings', p.settings, 'since', extract(epoch FROM p.start_time) * 1000, 'earlier', ${earlierPeriods},
             'latest', (SELECT json_build_object('ts', l.ts, 'value', l.value, 'status', l.status, 'received', l.received_ts) FROM latest l WHERE l.channel_id = c.channel_id),
             'alarms', (SELECT json_agg(${customAlarm})
                          FROM alarms a WHERE a.channel_id = c.channel_id AND a.is_enabled),
             'open', (SELECT json_agg(json_build_object('key', e.rule_key, 'peak', coalesce(e.peak, e.value), 'raised', extract(epoch FROM e.created_time) * 1000)) FROM alerts e WHERE e.channel_id = c.channel_id AND e.cleared_time IS NULL),
             'phases', (SELECT json_agg(json_build_object('key', f.rule_key, 'holds', f.holds, 'since', f.since_ts, 'isCounted', f.is_counted, 'counted', f.counted, 'memory', f.memory, 'gate', f.gate))
                          FROM alarm_phases f WHERE f.channel_id = c.channel_id),
             'gates', (SELECT json_agg(DISTINCT a.device_id) FROM alarms a JOIN devices o ON o.device_id = a.device_id
                        WHERE a.gate_channel_id = c.channel_id AND a.is_enabled AND ${isOneFamily("d", "o")})))
          FROM channels c JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL WHERE c.device_id = d.device_id) AS channels
    FROM devices d WHERE d.${column} = ANY($1)`;

/** Longer than any access token or device ID; longer keys are rejected without a query. */
const longestKey = 64;

/** PostgreSQL text cannot hold NUL. Accepts any value, because an exception here would fail the other look-ups of the same batch. */
const canExist = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.length <= longestKey && !value.includes("\0"));

/** What loading needs. */
export type LoadNeeds = Pick<World, "pool" | "closed" | "log" | "metrics">;

const versionsOf = (column: KeyColumn): string =>
  `SELECT device_id, v.version FROM devices d JOIN device_versions v USING (device_id) WHERE d.${column} = ANY($1)`;

const idsOf = (column: KeyColumn): string => `SELECT device_id FROM devices WHERE ${column} = ANY($1)`;
const versionsInGroup =
  "SELECT device_id, version FROM device_versions WHERE device_group = $1 AND device_id = ANY($2::int4[])";

interface Version {
  device_id: number;
  version: number;
}

/** In a database in parts the versions are not where the devices are: a statement about both would ask every server. */
const readVersions = async (
  { pool }: LoadNeeds,
  column: KeyColumn,
  wanted: readonly (string | number)[],
): Promise<Version[]> => {
  if (!isInParts()) return (await pool.query<Version>(versionsOf(column), [wanted])).rows;
  const { rows } = await pool.query<{ device_id: number }>(idsOf(column), [wanted]);
  const groups = byGroup(rows.map((row) => row.device_id));
  const found = await Promise.all(groups.map((group) => pool.query<Version>(versionsInGroup, group)));
  return found.flatMap((answer) => answer.rows);
};

/** Throws when a server that keeps the readings of one of these devices does not answer. A whole database is not asked. */
export const reachServers = async (needs: LoadNeeds, devices: readonly { deviceId: number }[]): Promise<void> => {
  if (!isInParts()) return;
  const deviceIds = devices.map(({ deviceId }) => deviceId);
  await readVersions(needs, "device_id", deviceIds);
};

/** The devices whose channels are gates of these devices' alarms. */
const gateDevices = `
  SELECT DISTINCT g.device_id FROM alarms a JOIN channels g ON g.channel_id = a.gate_channel_id WHERE a.device_id = ANY($1::int4[]) AND a.is_enabled`;

/** Where a gate's server does not answer, the gate is as it was kept with the last of its readings that turned it. */
const mergeGates = async ({ pool, log, metrics }: LoadNeeds, deviceIds: readonly number[]): Promise<void> => {
  const { rows } = await pool.query<{ device_id: number }>(gateDevices, [deviceIds]);
  const others = rows.map((row) => row.device_id).filter((id) => !deviceIds.includes(id));
  if (others.length === 0) return;
  await mergeNow({ pool, log, metrics }, others).catch((fault: unknown) => {
    if (!isInParts()) throw fault;
  });
};

/**
 * Merges unmerged readings of these devices and of their alarms' gates, so that `latest` holds their newest ones, and returns their versions from before: should another writer
 * come in between, its higher version is found when the device's next readings are written.
 */
const prepareNewest = async (
  needs: LoadNeeds,
  column: KeyColumn,
  wanted: readonly (string | number)[],
): Promise<ReadonlyMap<number, number>> => {
  const rows = await readVersions(needs, column, wanted);
  if (rows.length === 0) return new Map();
  const deviceIds = rows.map((row) => row.device_id);
  await mergeNow(needs, deviceIds);
  await mergeGates(needs, deviceIds);
  return new Map(rows.map((row) => [row.device_id, row.version]));
};

/**
 * Loads the devices with these values in a column, with newest readings up to date. Impossible values and devices that are treated as if they did not
 * exist are left out.
 */
export const loadDevices = async (
  needs: LoadNeeds,
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

/** The server that keeps a device's readings does not answer, so that the device cannot be loaded. */
export class Unreachable extends Error {}

const keysOf = (column: KeyColumn): string =>
  `SELECT device_id, ${column} AS key FROM devices WHERE ${column} = ANY($1)`;

interface Key {
  device_id: number;
  key: string | number;
}

/**
 * Loads devices by their values in a column. In a database in parts those of each server are loaded apart: where a server does not answer, its devices'
 * place has the fault, and the others are found.
 */
export const loadByServer = async (
  needs: LoadNeeds,
  column: KeyColumn,
  values: readonly (string | number)[],
): Promise<ReadonlyMap<string | number, DeviceRecord | Unreachable>> => {
  const found = new Map<string | number, DeviceRecord | Unreachable>();
  const load = async (by: KeyColumn, wanted: readonly (string | number)[]): Promise<void> => {
    for (const record of await loadDevices(needs, by, wanted)) found.set(record[column], record);
  };
  if (isInParts()) {
    const { rows } = await needs.pool.query<Key>(keysOf(column), [values.filter(canExist)]);
    const servers = Map.groupBy(rows, (row) => serverOf(row.device_id));
    const loadOf = async (keys: readonly Key[]): Promise<void> => {
      try {
        await load(
          "device_id",
          keys.map((row) => row.device_id),
        );
      } catch (cause) {
        for (const { key } of keys) found.set(key, new Unreachable("The device cannot be loaded", { cause }));
      }
    };
    await Promise.all(Array.from(servers.values(), loadOf));
  } else await load(column, values);
  return found;
};
