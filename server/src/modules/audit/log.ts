import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { type AuditRow, type audit, auditActionLabel } from "@telltale/contract/domains/audit";
import { sql } from "kysely";
import { containing, countLimit, offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { type Detail, describeEntry, type Names, numbersIn } from "./rules.ts";

/** Names of everything that these entries refer to by id, as far as it still exists in the plant. */
const namesOf = async (db: Database, plantId: number, details: readonly Detail[]): Promise<Names> => {
  const ids = numbersIn(details);
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'accountId' as kind, a.account_id as id, u.email as name
      from accounts a join users u using (user_id)
     where a.plant_id = ${plantId} and a.account_id = any(${ids.accountId}::int[])
    union all
    select 'dashboardId', dashboard_id, name from dashboards
     where plant_id = ${plantId} and dashboard_id = any(${ids.dashboardId}::int[])
    union all
    select 'deviceId', device_id, device_name from devices
     where plant_id = ${plantId} and device_id = any(${ids.deviceId}::int[])
    union all
    select 'alarmId', alarm_id, alarm_name from alarms
     where plant_id = ${plantId} and alarm_id = any(${ids.alarmId}::int[])`.execute(db);
  const ofKind = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name] as const));
  return Object.fromEntries(Object.keys(ids).map((kind) => [kind, ofKind(kind)]));
};

type Filter = Input<typeof audit.list>;

/** The actions that occur in a plant's log, each found by one index step. */
const actionsOf = async (db: Database, plantId: number): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    with recursive found as (
      (select action from audit_log where plant_id = ${plantId} order by action limit 1)
      union all
      select (select action from audit_log where plant_id = ${plantId} and action > found.action order by action limit 1)
        from found where found.action is not null
    )
    select action from found where action is not null`.execute(db);
  return rows.map(({ action }) => action);
};

/** The actions whose label or name contains the text. */
const actionsLike = async (db: Database, plantId: number, text: string): Promise<string[]> => {
  const part = text.toLowerCase();
  const all = await actionsOf(db, plantId);
  return all.filter((action) => `${auditActionLabel(action)}\n${action}`.toLowerCase().includes(part));
};

const usersLike = async (db: Database, plantId: number, email: string): Promise<number[]> =>
  (
    await db
      .selectFrom("users as u")
      .innerJoin("accounts as a", "a.user_id", "u.user_id")
      .select("u.user_id")
      .where("a.plant_id", "=", plantId)
      .where("u.email", "ilike", containing(email))
      .execute()
  ).map(({ user_id }) => user_id);

/** The entries that match the filter. Texts are resolved to their few matching values first, so that each filter can use its index. */
const filtered = async (db: Database, plantId: number, filter: Filter) => {
  const { action, email, createdStartTime, createdEndTime } = filter;
  const actions = action ? await actionsLike(db, plantId, action) : undefined;
  const users = email ? await usersLike(db, plantId, email) : undefined;
  return db
    .selectFrom("audit_log")
    .where("plant_id", "=", plantId)
    .$if(!!actions, (q) => q.where(sql<boolean>`action = any(${actions}::text[])`))
    .$if(!!users, (q) => q.where(sql<boolean>`user_id = any(${users}::int[])`))
    .$call(when(createdStartTime, (q, createdStartTime) => q.where("created_time", ">=", createdStartTime)))
    .$call(when(createdEndTime, (q, createdEndTime) => q.where("created_time", "<=", createdEndTime)));
};

type Entries = Awaited<ReturnType<typeof filtered>>;

/** A page of entries; users are joined after the limit. */
const newest = (db: Database, entries: Entries, filter: Filter) =>
  db
    .selectFrom(
      entries
        .select("audit_id")
        .orderBy("created_time", "desc")
        .orderBy("audit_id", "desc")
        .limit(filter.size)
        .offset(offsetOf(filter))
        .as("cut"),
    )
    .innerJoin("audit_log as l", "l.audit_id", "cut.audit_id")
    .leftJoin("users as u", "u.user_id", "l.user_id")
    .select(["l.audit_id", "l.created_time", "l.action", "l.detail", "l.user_id", "u.email"])
    .select(sql<string | null>`trim(u.first_name || ' ' || u.last_name)`.as("name"))
    .orderBy("l.created_time", "desc")
    .orderBy("l.audit_id", "desc")
    .execute();

const counted = async (db: Database, entries: Entries, filter: Filter): Promise<number> => {
  const { count } = await db
    .selectFrom(entries.select("audit_id").limit(countLimit(filter)).as("counted"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Actions of contacts, which have no user: answers, and what they do with an alert by its link. */
const doneByContact = /^(contact[.]|alert[.](confirm|note)$)/;

/** Actions of the server's jobs. */
const doneByServer: ReadonlySet<string> = new Set(["packages.remove", "readings.notice", "readings.summarise"]);

/** A page of the plant's audit log, newest first. */
const auditPage = async (db: Database, plantId: number, filter: Filter): Promise<Page<AuditRow>> => {
  const entries = await filtered(db, plantId, filter);
  const [found, total] = await Promise.all([newest(db, entries, filter), counted(db, entries, filter)]);
  const names = await namesOf(
    db,
    plantId,
    found.map(({ detail }) => detail),
  );
  const rows = found.map((entry): AuditRow => {
    const detail = entry.detail;
    return {
      auditId: Number(entry.audit_id),
      createdTime: entry.created_time,
      name: entry.name ?? "",
      email: entry.email ?? "",
      isSupport: entry.action.startsWith("support."),
      isContact: entry.user_id === null && doneByContact.test(entry.action),
      isServer: entry.user_id === null && doneByServer.has(entry.action),
      madeBy: typeof detail.madeBy === "string" ? detail.madeBy : "",
      action: entry.action,
      ...describeEntry(detail, names),
    };
  });
  return pageOf(rows, total, filter);
};

export const auditRoutes = ({ db }: Pick<World, "db">): Handlers<typeof audit> => ({
  list: (filter, caller) => auditPage(db, caller.plantId, filter),
});
