import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { UserRow, users } from "@telltale/contract/domains/people/users";
import { Role, roleNames } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { containing, offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

type Filter = Partial<Input<typeof users.list>>;

/** The plant's accounts with their users, without removed ones. */
const accountsOf = (db: Database, plantId: number) =>
  db
    .selectFrom("accounts as a")
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .where("a.plant_id", "=", plantId)
    .where("a.removed_time", "is", null);

/** A field from the user's own profile or, until they have joined, from the inviter. */
const own = (column: "first_name" | "last_name" | "cell_number") =>
  sql<string>`case when a.activate then ${sql.ref(`u.${column}`)} else ${sql.ref(`a.invited_${column}`)} end`;
const fullName = sql<string>`trim(${own("first_name")} || ' ' || ${own("last_name")})`;

const filtered = (db: Database, plantId: number, filter: Filter) => {
  const { activate, roleType, name, userEmail, phone } = filter;
  return accountsOf(db, plantId)
    .$if(!!activate?.length, (q) => q.where(sql<boolean>`a.activate::int = any(${activate}::int[])`))
    .$if(!!roleType?.length, (q) => q.where(sql<boolean>`a.role_type = any(${roleType}::int[])`))
    .$call(when(name, (q, text) => q.where(fullName, "ilike", containing(text))))
    .$call(when(userEmail, (q, text) => q.where("u.email", "ilike", containing(text))))
    .$call(when(phone, (q, text) => q.where(own("cell_number"), "like", containing(text))))
    .$call(when(filter.createdStartTime, (q, createdStartTime) => q.where("a.created_time", ">=", createdStartTime)))
    .$call(when(filter.createdEndTime, (q, createdEndTime) => q.where("a.created_time", "<=", createdEndTime)))
    .$call(when(filter.loginStartTime, (q, loginStartTime) => q.where("a.login_time", ">=", loginStartTime)))
    .$call(when(filter.loginEndTime, (q, loginEndTime) => q.where("a.login_time", "<=", loginEndTime)));
};

const alarmIds = sql<
  number[]
>`array(select alarm_id from account_alarms where account_id = a.account_id order by alarm_id)`;

/** SQL: number of visible channels: those of the devices on a viewer's dashboard, or all of the plant. See `devicesInScope`. */
const channelNum = sql<number>`
  case when a.role_type <> ${Role.viewer}
    then (select count(*)::int from channels c join devices d using (device_id) where d.plant_id = a.plant_id)
    else (select count(*)::int from channels where device_id in (
      select coalesce(t.device_id, shown.device_id, grouped.device_id)
        from dashboard_tiles t
        left join channels shown on shown.channel_id = t.channel_id
        left join dashboard_groups grouped on grouped.group_id = t.group_id
       where t.dashboard_id = coalesce(
         (select dashboard_id from dashboards where dashboard_id = a.dashboard_id and plant_id = a.plant_id),
         (select dashboard_id from dashboards where plant_id = a.plant_id and is_default))))
  end`;

type Listed = Awaited<ReturnType<typeof listed>>[number];

const listed = (db: Database, plantId: number, filter: Filter) =>
  filtered(db, plantId, filter)
    .select(["a.account_id", "a.plant_id", "a.role_type", "a.activate", "a.created_time", "a.login_time"])
    .select(["a.dashboard_id", "a.version", "u.email", own("cell_number").as("cell_number")])
    .select([own("first_name").as("first_name"), own("last_name").as("last_name")])
    .select([fullName.as("name"), alarmIds.as("alarm_ids"), channelNum.as("channel_num")])
    .orderBy("a.role_type", (by) => by.asc())
    .orderBy("a.created_time")
    .orderBy("a.account_id")
    .offset(offsetOf({ page: filter.page ?? 1, size: filter.size ?? 20 }))
    .limit(filter.size ?? 20)
    .execute();

const rowOf = (user: Listed): UserRow => ({
  accountId: user.account_id,
  // The plant's own account counts as everyone's inviter.
  parentAccountId: user.plant_id,
  userEmail: user.email,
  cellNumber: user.cell_number,
  firstName: user.first_name,
  lastName: user.last_name,
  name: user.name,
  roleType: user.role_type,
  roleName: roleNames[user.role_type],
  activate: user.activate ? 1 : 0,
  createdTime: user.created_time,
  loginTime: user.login_time,
  dashboardId: user.dashboard_id,
  alarmIds: user.alarm_ids,
  channelNum: user.channel_num,
  alarmNum: user.alarm_ids.length,
  version: user.version,
});

/** A page of the plant's users. */
export const userPage = async (
  db: Database,
  plantId: number,
  filter: Input<typeof users.list>,
): Promise<Page<UserRow>> => {
  const { total } = await filtered(db, plantId, filter)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return pageOf((await listed(db, plantId, filter)).map(rowOf), total, filter);
};

/** An account of the plant that is not removed, locked until the transaction ends. */
export const lockedAccount = (db: Database, plantId: number, accountId: number) =>
  accountsOf(db, plantId)
    .where("a.account_id", "=", accountId)
    .select(["a.account_id", "a.user_id", "a.role_type", "a.dashboard_id", "a.activate", "a.version"])
    .select(["u.email", own("first_name").as("first_name"), own("last_name").as("last_name")])
    .select(own("cell_number").as("cell_number"))
    .forUpdate("a")
    .executeTakeFirst();

/** Whether all of these dashboards and alarms belong to the plant. */
export const arePlants = async (
  db: Database,
  plantId: number,
  { dashboardId, alarmIds: alarms }: { dashboardId: number | null; alarmIds: readonly number[] },
): Promise<boolean> => {
  const wanted = [...new Set(alarms)];
  const { rows } = await sql<{ alarms: number; dashboards: number }>`
    select (select count(*)::int from alarms where plant_id = ${plantId} and alarm_id = any(${wanted}::int[])) as alarms,
           (select count(*)::int from dashboards where plant_id = ${plantId} and dashboard_id = ${dashboardId}::int) as dashboards
  `.execute(db);
  return rows[0]?.alarms === wanted.length && (dashboardId === null || rows[0].dashboards === 1);
};

/** Sets the alerts assigned to the account. */
export const assignAlarms = async (db: Database, accountId: number, alarms: readonly number[]): Promise<void> => {
  await db.deleteFrom("account_alarms").where("account_id", "=", accountId).execute();
  const rows = [...new Set(alarms)].map((alarm_id) => ({ account_id: accountId, alarm_id }));
  if (rows.length > 0) await db.insertInto("account_alarms").values(rows).execute();
};

/** Alerts assigned to the account. */
export const assignedAlarms = async (db: Database, accountId: number): Promise<number[]> =>
  (
    await db
      .selectFrom("account_alarms")
      .select("alarm_id")
      .where("account_id", "=", accountId)
      .orderBy("alarm_id")
      .execute()
  ).map((row) => row.alarm_id);
