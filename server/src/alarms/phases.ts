import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { type RawBuilder, sql } from "kysely";
import type { Pool } from "pg";
import { type Runner, runIn } from "../platform/database/runner.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { raiseVersions } from "../readings/index.ts";
import type { Rule, RuleState } from "./evaluate.ts";

/** What is kept of a rule's state besides its open alert. */
export interface Phase {
  rule: Rule;
  channelId: number;
  state: RuleState;
  /** Server time at which time alone may change it, epoch milliseconds; undefined when only a reading can. */
  due: number | undefined;
}

const upsertPhases = {
  name: "keep-phases",
  text: `
  INSERT INTO alarm_phases (rule_key, channel_id, alarm_id, holds, since_ts, is_counted, counted, due_ts, memory, gate)
  SELECT rule_key, channel_id, alarm_id, holds, since_ts, is_counted, counted, due_ts, memory, gate
    FROM jsonb_to_recordset($1::jsonb) AS p(rule_key text, channel_id int, alarm_id int, holds boolean, since_ts bigint, is_counted boolean, counted bigint[], due_ts bigint, memory jsonb, gate jsonb)
  ON CONFLICT (rule_key) DO UPDATE SET channel_id = excluded.channel_id, alarm_id = excluded.alarm_id, holds = excluded.holds, since_ts = excluded.since_ts,
    is_counted = excluded.is_counted, counted = excluded.counted, due_ts = excluded.due_ts, memory = excluded.memory, gate = excluded.gate`,
};
const deletePhases = { name: "forget-phases", text: "DELETE FROM alarm_phases WHERE rule_key = ANY($1::text[])" };

const recordOf = ({ rule, channelId, state, due }: Phase) => ({
  rule_key: rule.key,
  channel_id: channelId,
  alarm_id: rule.alarmId,
  holds: state.holds,
  since_ts: Number.isFinite(state.since) ? Math.round(state.since) : 0,
  is_counted: state.isCounted,
  counted: state.counted.map(Math.round),
  due_ts: due === undefined ? null : Math.ceil(due),
  memory: state.memory,
  gate: state.gate,
});

/** Keeps the states of rules by their keys, or deletes what is kept; in the transaction of the readings that changed them. */
export const keepPhases = async (run: Runner, phases: ReadonlyMap<string, Phase | undefined>): Promise<void> => {
  const kept = [...phases.values()].filter((phase) => phase !== undefined);
  const gone = [...phases].flatMap(([key, phase]) => (phase ? [] : [key]));
  if (gone.length > 0) await run.query({ ...deletePhases, values: [gone] });
  // All writers lock rows in the same order, which prevents deadlocks.
  const rows = kept.map(recordOf).toSorted((a, b) => (a.rule_key < b.rule_key ? -1 : 1));
  if (rows.length > 0) await run.query({ ...upsertPhases, values: [JSON.stringify(rows)] });
};

/** The rules of these channels, those of one alarm, or these by their keys. */
export type RulesOf = { channelIds: readonly number[] } | { alarmId: number } | { keys: readonly string[] };

const areOf = (of: RulesOf): RawBuilder<boolean> => {
  if ("alarmId" in of) return sql`alarm_id = ${of.alarmId}`;
  if ("keys" in of) return sql`rule_key = any(${[...of.keys]}::text[])`;
  return sql`channel_id = any(${[...of.channelIds]}::int[])`;
};

/**
 * Begins the evaluation of these rules anew. Call after the devices' versions were raised, which the ingest writer locks first. Returns the keys of
 * those whose condition does not hold: what they have raised only waits for its delay to clear.
 */
export const forgetPhases = async (db: Database, of: RulesOf): Promise<string[]> => {
  const forgotten = await db.deleteFrom("alarm_phases").where(areOf(of)).returning(["rule_key", "holds"]).execute();
  return forgotten.flatMap(({ rule_key, holds }) => (holds ? [] : [rule_key]));
};

/**
 * Alarms about missing data that do not wait yet: new ones, and those of channels and devices that were switched on again. Those with an open alert
 * wait again when it ends.
 */
const notWaiting = `
  SELECT a.alarm_id, a.channel_id, c.device_id, a.times_within, k.rule_key FROM alarms a JOIN channels c USING (channel_id) JOIN devices d ON d.device_id = c.device_id
    CROSS JOIN LATERAL (SELECT concat_ws(':', ${AlertClass.custom}, a.alarm_id, a.channel_id, ${AlertType.system}, ${AlarmCondition.noData}) AS rule_key) AS k
   WHERE a.condition = ${AlarmCondition.noData} AND a.is_enabled AND c.channel_switch AND d.plant_id IS NOT NULL AND NOT d.is_disabled
     AND ($1::int IS NULL OR a.alarm_id = $1)
     AND NOT EXISTS (SELECT 1 FROM alarm_phases p WHERE p.rule_key = k.rule_key)
     AND NOT EXISTS (SELECT 1 FROM alerts e WHERE e.rule_key = k.rule_key AND e.cleared_time IS NULL)`;

const beginToWait = `
  INSERT INTO alarm_phases (rule_key, channel_id, alarm_id, holds, since_ts, is_counted, counted, due_ts)
  SELECT rule_key, channel_id, alarm_id, true, $2::int8, false, '{}', $2::int8 + times_within * 1000::int8 FROM (${notWaiting}) AS n ON CONFLICT DO NOTHING`;

/**
 * Has alarms about missing data wait from `now` on that do not yet: all, or this one. In a transaction: whoever has their devices in memory loads them
 * again.
 */
export const waitForData = async (run: Runner, now: number, alarmId: number | null = null): Promise<void> => {
  const { rows } = await run.query<{ device_id: number }>({
    text: `SELECT DISTINCT device_id FROM (${notWaiting}) AS n`,
    values: [alarmId],
  });
  if (rows.length === 0) return;
  await raiseVersions(
    run,
    rows.map((row) => row.device_id),
  );
  await run.query({ text: beginToWait, values: [alarmId, now] });
};

/**
 * Keeps that alerts of channels' own limits were ended by a save, until a reading comes after it: one that the device has kept from before does not raise them
 * anew. Call after the devices' versions were raised.
 */
export const keepEnds = async (
  db: Database,
  ended: readonly { key: string; channelId: number }[],
  now: Date,
): Promise<void> => {
  const end = { alarm_id: null, holds: false, since_ts: now.getTime(), is_counted: false, counted: [], due_ts: null };
  const rows = ended.map(({ key, channelId }) => ({ ...end, rule_key: key, channel_id: channelId }));
  if (rows.length === 0) return;
  const keep = db.insertInto("alarm_phases").values(rows.toSorted((a, b) => (a.rule_key < b.rule_key ? -1 : 1)));
  await keep.onConflict((same) => same.doNothing()).execute();
};

/**
 * Begins the evaluation of a device and its sub-devices anew where their service has ended: what waited then would be judged by readings that were not
 * evaluated since. Alerts that stand go on. Call in the transaction that renews the service, before it locks the devices.
 */
export const forgetLapsed = async (db: Database, deviceId: number, now: Date): Promise<void> => {
  const lapsed = await db
    .selectFrom("devices")
    .where((eb) => eb.or([eb("device_id", "=", deviceId), eb("parent_device_id", "=", deviceId)]))
    .where("expire_time", "<=", now)
    .select("device_id")
    .execute();
  const deviceIds = lapsed.map(({ device_id }) => device_id);
  if (deviceIds.length === 0) return;
  await raiseVersions(runIn(db), deviceIds);
  await sql`
    delete from alarm_phases p using channels c where c.channel_id = p.channel_id and c.device_id = any(${deviceIds}::int[])
       and not (p.holds and exists (select from alerts a where a.rule_key = p.rule_key and a.cleared_time is null))`.execute(
    db,
  );
};

/** Has all rules that wait be looked at: the server's clock was set, by which their times are written. */
export const recallPhases = async (pool: Pool, now: number): Promise<void> => {
  await pool.query("UPDATE alarm_phases SET due_ts = $1 WHERE due_ts > $1", [now]);
};

const due = `
  SELECT c.device_id, min(p.due_ts) AS due, (extract(epoch FROM min(d.last_seen_time)) * 1000)::float8 AS heard
    FROM alarm_phases p JOIN channels c USING (channel_id) JOIN devices d USING (device_id)
    LEFT JOIN alarms a ON a.alarm_id = p.alarm_id AND a.condition = ${AlarmCondition.noData}
   WHERE p.due_ts <= $1 AND d.plant_id IS NOT NULL AND (a.alarm_id IS NULL OR d.is_online) AND (d.expire_time IS NULL OR d.expire_time > to_timestamp($1 / 1000.0))
     AND c.device_id <> ALL($3::int[]) GROUP BY c.device_id ORDER BY due LIMIT $2`;

/** A device with rules that wait, and when it was heard last, as far as that is written; epoch milliseconds. */
export interface DueDevice {
  deviceId: number;
  heard: number;
}

/**
 * Devices with rules that time alone may have changed by `now` (server time, epoch milliseconds), the longest due first, except these. Those whose
 * service has ended raise nothing, and would keep the others from their turn for good. Rules about missing data wait anew when an offline device is
 * heard.
 */
export const dueDevices = async (
  pool: Pool,
  now: number,
  limit: number,
  except: readonly number[] = [],
): Promise<DueDevice[]> => {
  const { rows } = await pool.query<{ device_id: number; heard: number | null }>(due, [now, limit, except]);
  return rows.map((row) => ({ deviceId: row.device_id, heard: row.heard ?? 0 }));
};
