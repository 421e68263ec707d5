import { sql } from "kysely";
import { countLimit } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { alertsInScope, passed } from "../log/filter.ts";

/** A look this long after the last one begins a new visit, minutes. */
const visitEnds = 30;

/** The end of the visit before this one. A support view leaves no trace, and a program's look is no visit of the person. */
const visitBefore = async (db: Database, { accountId, isAdmin, key }: Caller, now: Date): Promise<Date> => {
  if (!isAdmin && !key)
    await sql`
      insert into account_visits as v (account_id, since_time, seen_time) values (${accountId}, ${now}, ${now})
      on conflict (account_id) do update set seen_time = excluded.seen_time,
        since_time = case when v.seen_time < excluded.seen_time - make_interval(mins => ${visitEnds}) then v.seen_time else v.since_time end
      where v.seen_time < excluded.seen_time - interval '1 minute'`.execute(db);
  const visit = await db
    .selectFrom("account_visits")
    .select("since_time")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return visit?.since_time ?? now;
};

/** How many alerts in the account's scope came and went, unconfirmed, since its last visit; counts as a look. */
export const passedSinceVisit = async (
  db: Database,
  caller: Caller,
  now: Date,
): Promise<{ since: Date; total: number }> => {
  const since = await visitBefore(db, caller, now);
  const entries = passed(alertsInScope(db, caller), since)
    .select("alerts.alert_id")
    .limit(countLimit({ page: 1, size: 0 }));
  const { total } = await db
    .selectFrom(entries.as("entries"))
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { since, total };
};
