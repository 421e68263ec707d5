import { sql } from "kysely";
import type { Pool } from "pg";
import type { Runner } from "../platform/database/runner.ts";
import type { Database } from "../platform/database/schema/schema.ts";
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
  INSERT INTO alarm_phases (rule_key, channel_id, alarm_id, holds, since_ts, is_counted, counted, due_ts)
  SELECT rule_key, channel_id, alarm_id, holds, since_ts, is_counted, counted, due_ts
    FROM jsonb_to_recordset($1::jsonb) AS p(rule_key text, channel_id int, alarm_id int, holds boolean, since_ts bigint, is_counted boolean, counted bigint[], due_ts bigint)
  ON CONFLICT (rule_key) DO UPDATE SET channel_id = excluded.channel_id, alarm_id = excluded.alarm_id, holds = excluded.holds, since_ts = excluded.since_ts,
    is_counted = excluded.is_counted, counted = excluded.counted, due_ts = excluded.due_ts`,
};
const deletePhases = { name: "forget-phases", text: "DELETE FROM alarm_phases WHERE rule_key = ANY($1::text[])" };

const recordOf = ({ rule, channelId, state, due }: Phase) => ({
  rule_key: rule.key,
  channel_id: channelId,
  alarm_id: rule.alarmId,
  holds: state.holds,
  since_ts: Math.round(state.since),
  is_counted: state.isCounted,
  counted: state.counted.map(Math.round),
  due_ts: due === undefined ? null : Math.ceil(due),
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

/** Begins the evaluation of these channels' rules anew, or of one alarm's. */
export const forgetPhases = async (
  db: Database,
  of: { channelIds: readonly number[] } | { alarmId: number },
): Promise<void> => {
  await db
    .deleteFrom("alarm_phases")
    .where(
      "alarmId" in of
        ? sql<boolean>`alarm_id = ${of.alarmId}`
        : sql<boolean>`channel_id = any(${[...of.channelIds]}::int[])`,
    )
    .execute();
};

const due = `
  SELECT c.device_id, min(p.due_ts) AS due FROM alarm_phases p JOIN channels c USING (channel_id) JOIN devices d USING (device_id)
   WHERE p.due_ts <= $1 AND d.plant_id IS NOT NULL AND (d.expire_time IS NULL OR d.expire_time > to_timestamp($1 / 1000.0))
     AND c.device_id <> ALL($3::int[]) GROUP BY c.device_id ORDER BY due LIMIT $2`;

/**
 * Devices with rules that time alone may have changed by `now` (server time, epoch milliseconds), the longest due first, except these. Those whose
 * service has ended raise nothing, and would keep the others from their turn for good.
 */
export const dueDevices = async (
  pool: Pool,
  now: number,
  limit: number,
  except: readonly number[] = [],
): Promise<number[]> => {
  const { rows } = await pool.query<{ device_id: number }>(due, [now, limit, except]);
  return rows.map((row) => row.device_id);
};
