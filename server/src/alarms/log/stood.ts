import type { AlertRow } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import type { Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { ruleKey } from "../rules/rule-key.ts";
import { type Alerts, alertsInScope, needingAttention } from "./filter.ts";
import { alertRow, withNames } from "./queries.ts";

/** Times, both included. */
interface Range {
  from: Date;
  to: Date;
}

/** A time that ends when it is known to end, `endTime` excluded. */
export interface Span {
  startTime: Date;
  endTime: Date | null;
}

/** Narrows to what stood at some time of the range. Each of the three parts has an index. */
const standingWithin =
  ({ from, to }: Range) =>
  (query: Alerts): Alerts =>
    query.where(({ eb, or, and, between }) =>
      or([
        between("alerts.created_time", from, to),
        and([eb("alerts.created_time", "<", from), eb("alerts.cleared_time", "is", null)]),
        and([eb("alerts.created_time", "<", from), eb("alerts.cleared_time", ">", from)]),
      ]),
    );

/** When nobody was notified of each of these alerts while it stood, as far as the silence is still recorded: a window that repeats keeps its last time. */
const silentTimes = async (db: Database, alertIds: readonly number[]): Promise<ReadonlyMap<number, Span[]>> => {
  const { rows } = await sql<{ alert_id: number; start_time: Date; end_time: Date | null }>`
    select a.alert_id, t.start_time, nullif(t.end_time, 'infinity') as end_time
      from alerts a join silences s on s.plant_id = a.plant_id
       and (s.rule_key = a.rule_key or exists (select from silence_devices w where w.silence_id = s.silence_id and w.device_id = a.device_id))
     cross join lateral (select coalesce(s.start_time, s.created_time) as start_time, coalesce(s.ended_time, s.end_time) as end_time) as t
     where a.alert_id = any(${[...alertIds]}::bigint[]) and t.start_time < t.end_time
       and t.end_time > a.created_time and (a.cleared_time is null or t.start_time < a.cleared_time)
     order by a.alert_id, t.start_time`.execute(db);
  const spans = new Map<number, Span[]>();
  for (const { alert_id, start_time: startTime, end_time: endTime } of rows)
    spans.set(alert_id, [...(spans.get(alert_id) ?? []), { startTime, endTime }]);
  return spans;
};

/** The alerts in the account's scope that needed attention and stood at some time of the range: the newest, at most `limit`, and the number of all. */
export const alertsStanding = async (
  db: Database,
  scope: Scope,
  range: Range,
  { limit, now }: { limit: number; now: Date },
): Promise<{ alerts: (AlertRow & { silent: Span[] })[]; total: number }> => {
  const stood = alertsInScope(db, scope).$call(needingAttention).$call(standingWithin(range));
  const newest = stood.orderBy("alerts.created_time", "desc").orderBy("alerts.alert_id", "desc").limit(limit);
  const [rows, { total }] = await Promise.all([
    withNames(db, newest, { plantId: scope.plantId, now })
      .orderBy("alerts.created_time", "desc")
      .orderBy("alerts.alert_id", "desc")
      .execute(),
    stood.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  const silent = await silentTimes(
    db,
    rows.map((row) => row.alert_id),
  );
  return { alerts: rows.map((row) => ({ ...alertRow(row), silent: silent.get(row.alert_id) ?? [] })), total };
};

/** When each of these devices was offline within the range, by its alerts. */
export const offlineTimes = async (
  db: Database,
  scope: Scope,
  deviceIds: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, Span[]>> => {
  const keys = deviceIds.map((deviceId) => ruleKey.notification(deviceId, "offline"));
  const rows = await alertsInScope(db, scope)
    .$call(standingWithin(range))
    .where(({ eb }) => eb("alerts.device_id", "=", eb.fn.any(eb.val([...deviceIds]))))
    .where(({ eb }) => eb("alerts.rule_key", "=", eb.fn.any(eb.val(keys))))
    .select(["alerts.device_id", "alerts.created_time", "alerts.cleared_time"])
    .orderBy("alerts.created_time")
    .execute();
  return new Map(
    Array.from(
      Map.groupBy(rows, (row) => row.device_id),
      ([deviceId, ofDevice]) => [
        deviceId,
        ofDevice.map(({ created_time: startTime, cleared_time: endTime }) => ({ startTime, endTime })),
      ],
    ),
  );
};
