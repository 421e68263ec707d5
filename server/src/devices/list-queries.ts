import type { Input } from "@telltale/contract/call";
import type { DeviceRow, devices } from "@telltale/contract/devices";
import type { Page } from "@telltale/contract/paging";
import { type SelectQueryBuilder, sql } from "kysely";
import { containing, offsetOf, type PageAsked, pageOf } from "../database/paging.ts";
import type { Schema } from "../database/schema.ts";
import type { Database } from "../world.ts";
import { deviceFields, type SeenDevice, seenDevices } from "./queries.ts";
import { devicesInScope, isLimited, type Scope } from "./scope-queries.ts";
import { hasStatus } from "./status-queries.ts";

/** Filters of the device list. */
export type DeviceFilter = Partial<Input<typeof devices.list>>;

type Devices<O> = SelectQueryBuilder<Schema, "devices", O>;
type TextColumn = "device_sn" | "device_sn_id" | "device_name";
type TimeColumn = "claimed_time" | "expire_time" | "pay_time";

/** The devices that the filter asks for. */
const matching = <O>(query: Devices<O>, { plantId }: Scope, filter: DeviceFilter, now: Date): Devices<O> => {
  const like = (column: TextColumn, text?: string) => (q: Devices<O>) =>
    text ? q.where(`devices.${column}`, "ilike", containing(text)) : q;
  const within = (column: TimeColumn, start?: Date, end?: Date) => (q: Devices<O>) =>
    q
      .$if(start !== undefined, (from) => from.where(`devices.${column}`, ">=", start as Date))
      .$if(end !== undefined, (to) => to.where(`devices.${column}`, "<=", end as Date)) as Devices<O>;
  const ofStatus = (q: Devices<O>) => (filter.status?.length ? q.where(hasStatus(filter.status, plantId, now)) : q);
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

/** The row a device is shown in: its master's, or its own when it has none or the account does not see it. */
const topOf = (db: Database, scope: Scope) =>
  isLimited(scope)
    ? sql<number>`case when devices.parent_device_id in ${devicesInScope(db, scope).select("devices.device_id")}
        then devices.parent_device_id else devices.device_id end`
    : sql<number>`coalesce(devices.parent_device_id, devices.device_id)`;

/** The devices whose rows are shown: masters and those without, if they or one of their sub-devices match. */
const tops = (db: Database, scope: Scope, filter: DeviceFilter, now: Date) => {
  if (!isLimited(scope) && !isFiltering(filter))
    return devicesInScope(db, scope).where("devices.parent_device_id", "is", null);
  const found = matching(devicesInScope(db, scope), scope, filter, now).select(topOf(db, scope).as("top_id"));
  return db.selectFrom("devices").where("devices.device_id", "in", found);
};

const countOf = async (query: Devices<unknown>): Promise<number> => {
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return total;
};

/** The ids of a page of them, and how many there are. They are counted on the way, so that the devices are gone through once. */
const topIds = async (db: Database, scope: Scope, filter: DeviceFilter & PageAsked, now: Date) => {
  const found = await tops(db, scope, filter, now)
    .select("devices.device_id")
    .select(({ fn }) => fn.countAll<number>().over().as("total"))
    .orderBy("devices.claimed_time")
    .orderBy("devices.device_id")
    .limit(filter.size)
    .offset(offsetOf(filter))
    .execute();
  const total = found[0]?.total ?? (await countOf(tops(db, scope, filter, now)));
  return { ids: found.map((top) => top.device_id), total };
};

const nested = (shown: SeenDevice[], subs: SeenDevice[]): DeviceRow[] =>
  shown.map((top) => ({
    ...deviceFields(top),
    subDevices: subs.filter((sub) => sub.parent_device_id === top.device_id).map(deviceFields),
  }));

/**
 * A page of main devices with their sub-devices, first installed first. A filter is about every row alike: the sub-devices shown are those
 * that match, and a main device is shown when it matches or one of its sub-devices does.
 */
export const deviceList = async (
  db: Database,
  scope: Scope,
  filter: DeviceFilter & PageAsked,
  now: Date,
): Promise<Page<DeviceRow>> => {
  const { ids, total } = await topIds(db, scope, filter, now);
  const seen = (column: "device_id" | "parent_device_id") =>
    seenDevices(db, scope, now)
      .where(({ eb }) => eb(`devices.${column}`, "=", eb.fn.any(eb.val(ids))))
      .orderBy("devices.claimed_time")
      .orderBy("devices.device_id");
  const [shown, subs] = await Promise.all([
    seen("device_id").execute(),
    matching(seen("parent_device_id") as unknown as Devices<SeenDevice>, scope, filter, now).execute(),
  ]);
  return pageOf(nested(shown, subs), total, filter);
};
