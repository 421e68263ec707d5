import { reportLimits } from "@telltale/contract/domains/alerting/report";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { type Alerts, alertsInScope } from "../log/filter.ts";
import { type Counted, createMonthCounts } from "./month-counts.rules.ts";

type Stretch = Pick<Counted, "from" | "to">;

/** Alerts of the whole plant that need a person's attention: not what a device only reports, such as that it is online again. */
const ofPlant = (db: Database, plantId: number): Alerts =>
  alertsInScope(db, { plantId, roleType: Role.owner, dashboardId: null }).where(({ eb, or, ref }) =>
    or([
      eb("alerts.alarm_class", "<>", AlertClass.notification),
      eb("alerts.cleared_time", "is", null),
      eb("alerts.cleared_time", ">", ref("alerts.created_time")),
    ]),
  );

/** Those that were raised within this time, in epoch milliseconds. */
const attended = (db: Database, plantId: number, { from, to }: Stretch): Alerts =>
  ofPlant(db, plantId)
    .where("alerts.created_time", ">=", new Date(from))
    .where("alerts.created_time", "<", new Date(to));

/** Number of alerts that were raised, not silenced, before this time and stood within it long enough to be stale. */
const countStaleFromBefore = async (db: Database, plantId: number, { from, to }: Stretch): Promise<number> => {
  const staleAt = from + reportLimits.staleOver;
  if (to <= staleAt) return 0;
  const { count } = await ofPlant(db, plantId)
    .where("alerts.created_time", "<", new Date(from))
    .where("alerts.was_silent", "=", false)
    // Each of the two parts has an index.
    .where(({ eb, or }) =>
      or([eb("alerts.cleared_time", "is", null), eb("alerts.cleared_time", ">", new Date(staleAt))]),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Number of alerts of which people were notified. */
export const countAttended = async (db: Database, plantId: number, stretch: Stretch): Promise<number> => {
  const { count } = await attended(db, plantId, stretch)
    .where("alerts.was_silent", "=", false)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Whole milliseconds. `date_part` computes in floating point, at half the cost of `extract`, whose numeric it would take for less than a millisecond. */
const epochOf = (column: "created_time" | "cleared_time") =>
  sql<number | null>`round(date_part('epoch', ${sql.ref(`alerts.${column}`)}) * 1000)`;

const countedColumns = (entries: Alerts) =>
  entries
    .select(["alerts.alert_id", "alerts.rule_key", "alerts.priority", "alerts.was_silent"])
    .select([epochOf("created_time").as("ts"), epochOf("cleared_time").as("ended")])
    .select(
      sql<number | null>`case when alerts.accepted_by is not null or alerts.accepted_name is not null then
        greatest(0, round(date_part('epoch', alerts.accept_time - coalesce(alerts.received_time, alerts.created_time)) * 1000)) end`.as(
        "confirmed",
      ),
    )
    .orderBy("alerts.created_time")
    .orderBy("alerts.alert_id");

type CountedRow = Awaited<ReturnType<ReturnType<typeof countedColumns>["execute"]>>[number];

/** Rows that are fetched and counted at once: more than most plants' months have. */
const atOnce = 20_000;

/**
 * The rows of a query in its order, in parts: a month may have more than fit into memory. The database reads a part while the one before is counted. Call
 * in a transaction.
 */
async function* inParts<T>(db: Database, query: SelectQueryBuilder<Schema, "alerts", T>): AsyncGenerator<T[]> {
  await sql`declare counted_alerts no scroll cursor for ${query}`.execute(db);
  const fetchPart = () => {
    const part = sql<T>`fetch ${sql.lit(atOnce)} from counted_alerts`.execute(db);
    // Awaited only when the part before has been counted, if that does not throw.
    part.catch(() => undefined);
    return part;
  };
  for (let next = fetchPart(), isLast = false; !isLast; ) {
    const { rows } = await next;
    isLast = rows.length < atOnce;
    if (!isLast) next = fetchPart();
    yield rows;
  }
}

/** Counts the plant's alerts of this time; see `createMonthCounts`. Those that have stood since before it count as stale, and for no other figure. */
export const countMonth = (db: Database, plantId: number, stretch: Counted) =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const counts = createMonthCounts(stretch);
      const slice = createTimeSlice();
      const entries = countedColumns(attended(trx, plantId, stretch));
      for await (const rows of inParts<CountedRow>(trx, entries))
        for (const { alert_id: alertId, rule_key: key, ts, ended: endedTs, confirmed, priority, was_silent } of rows) {
          if (ts === null) continue;
          counts.add({
            alertId,
            key,
            ts,
            endedTs,
            confirmedAfter: confirmed,
            priority,
            isSuppressed: was_silent,
          });
          if (slice.isUsedUp()) await slice.next();
        }
      const { stale, ...result } = counts.result();
      return { ...result, stale: stale + (await countStaleFromBefore(trx, plantId, stretch)) };
    });
