import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { DeviceRow, devices } from "@telltale/contract/domains/devices";
import { type SelectQueryBuilder, sql } from "kysely";
import { devicesInScope, hasStatus, isLimited, type ListedText, listedLike, type Scope } from "../../access/index.ts";
import { offsetOf, type PageRequest, pageOf, when } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { deviceFields, type VisibleDevice, visibleDevices } from "./queries.ts";

/** Filters of the device list. */
export type DeviceFilter = Partial<Input<typeof devices.list>>;

type Listed<O> = SelectQueryBuilder<Schema, "listed_devices", O>;
type TimeColumn = "claimed_time" | "expire_time" | "pay_time";

/** Adds the filter's conditions to a query. */
const matching = <O>(query: Listed<O>, filter: DeviceFilter, now: Date): Listed<O> => {
  const like = (column: ListedText, text?: string) => (q: Listed<O>) => (text ? q.where(listedLike(column, text)) : q);
  const within = (column: TimeColumn, start?: Date, end?: Date) => (q: Listed<O>) =>
    q
      .$call(when(start, (from, start) => from.where(`listed_devices.${column}`, ">=", start)))
      .$call(when(end, (to, end) => to.where(`listed_devices.${column}`, "<=", end)));
  const ofStatus = (q: Listed<O>) => (filter.status?.length ? q.where(hasStatus(filter.status, now)) : q);
  return query
    .$call(ofStatus)
    .$call(like("device_sn", filter.deviceSn))
    .$call(like("device_sn_id", filter.deviceSnId))
    .$call(like("device_name", filter.deviceName))
    .$call(within("claimed_time", filter.statTime, filter.endTime))
    .$call(within("expire_time", filter.statTimeTwo, filter.endTimeTwo))
    .$call(within("pay_time", filter.statTimeThree, filter.endTimeThree));
};

const isFiltering = ({ page, size, ...filter }: DeviceFilter): boolean =>
  Object.values(filter).some(
    (value) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length),
  );

/** The list row that shows a device, and its installation time: its master's, or its own if it has no master in the account's scope. */
const topOf = (db: Database, scope: Scope) => {
  if (!isLimited(scope))
    return [sql<number>`listed_devices.top_id`.as("id"), sql<Date>`listed_devices.listed_time`.as("time")] as const;
  const isSeen = sql`listed_devices.top_id in ${devicesInScope(db, scope).select("devices.device_id")}`;
  const ofTop = (top: string, own: string) =>
    sql`case when ${isSeen} then ${sql.ref(`listed_devices.${top}`)} else ${sql.ref(`listed_devices.${own}`)} end`;
  return [
    ofTop("top_id", "device_id").$castTo<number>().as("id"),
    ofTop("listed_time", "claimed_time").$castTo<Date>().as("time"),
  ] as const;
};

/** Rows of the list: main devices that match or have a matching sub-device. */
const tops = (db: Database, scope: Scope, filter: DeviceFilter, now: Date) => {
  const listed = db.selectFrom("listed_devices").where("listed_devices.plant_id", "=", scope.plantId);
  if (!isLimited(scope) && !isFiltering(filter))
    return listed.whereRef("listed_devices.device_id", "=", "listed_devices.top_id").select(topOf(db, scope));
  return matching(listed, filter, now)
    .$if(isLimited(scope), (q) =>
      q.where("listed_devices.device_id", "in", devicesInScope(db, scope).select("devices.device_id")),
    )
    .select(topOf(db, scope))
    .distinct();
};

const countOf = async (db: Database, found: ReturnType<typeof tops>): Promise<number> => {
  const { total } = await db
    .selectFrom(found.as("top"))
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
};

/** Ids of a page of rows, and their total, counted in the same pass over the devices. */
const topIds = async (db: Database, scope: Scope, filter: DeviceFilter & PageRequest, now: Date) => {
  const all = tops(db, scope, filter, now);
  const found = await db
    .selectFrom(all.as("top"))
    .select("top.id")
    .select(({ fn }) => fn.countAll<number>().over().as("total"))
    .orderBy("top.time")
    .orderBy("top.id")
    .limit(filter.size)
    .offset(offsetOf(filter))
    .execute();
  return { ids: found.map((top) => top.id), total: found[0]?.total ?? (await countOf(db, all)) };
};

const nested = (shown: VisibleDevice[], subs: VisibleDevice[]): DeviceRow[] =>
  shown.map((top) => ({
    ...deviceFields(top),
    subDevices: subs.filter((sub) => sub.parent_device_id === top.device_id).map(deviceFields),
  }));

/**
 * A page of main devices with their sub-devices, first installed first. A filter applies to every row: matching sub-devices are shown, and a main
 * device is shown when it or one of its sub-devices matches.
 */
export const deviceList = async (
  db: Database,
  scope: Scope,
  filter: DeviceFilter & PageRequest,
  now: Date,
): Promise<Page<DeviceRow>> => {
  const { ids, total } = await topIds(db, scope, filter, now);
  const seen = (column: "device_id" | "parent_device_id") =>
    visibleDevices(db, scope, now)
      .where(({ eb }) => eb(`devices.${column}`, "=", eb.fn.any(eb.val(ids))))
      .orderBy("devices.claimed_time")
      .orderBy("devices.device_id");
  const [shown, subs] = await Promise.all([
    seen("device_id").execute(),
    matching(
      seen("parent_device_id").innerJoin(
        "listed_devices",
        "listed_devices.device_id",
        "devices.device_id",
      ) as unknown as Listed<VisibleDevice>,
      filter,
      now,
    ).execute(),
  ]);
  return pageOf(nested(shown, subs), total, filter);
};
