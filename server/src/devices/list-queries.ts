import type { Input } from "@telltale/contract/call";
import type { DeviceRow, devices } from "@telltale/contract/devices";
import type { Page } from "@telltale/contract/paging";
import { type ExpressionBuilder, sql } from "kysely";
import { containing, offsetOf, type PageAsked, pageOf } from "../database/paging.ts";
import type { Database } from "../world.ts";
import { deviceFields, type SeenDevice, seenDevices } from "./queries.ts";
import type { Scope } from "./scope-queries.ts";

/** Filters of the device list. */
export type DeviceFilter = Partial<Input<typeof devices.list>>;

type TextColumn = "device_sn" | "device_sn_id" | "device_name";
type TimeColumn = "claimed_time" | "expire_time" | "pay_time";

const matches = (eb: ExpressionBuilder<{ seen: SeenDevice }, "seen">, filter: DeviceFilter) => {
  const like = (column: TextColumn, text?: string) => (text ? [eb(`seen.${column}`, "ilike", containing(text))] : []);
  const within = (column: TimeColumn, start?: Date, end?: Date) => [
    ...(start ? [eb(`seen.${column}`, ">=", start)] : []),
    ...(end ? [eb(`seen.${column}`, "<=", end)] : []),
  ];
  return eb.and([
    ...(filter.status?.length ? [eb("seen.status", "in", filter.status)] : []),
    ...like("device_sn", filter.deviceSn),
    ...like("device_sn_id", filter.deviceSnId),
    ...like("device_name", filter.deviceName),
    ...within("claimed_time", filter.statTime, filter.endTime),
    ...within("expire_time", filter.statTimeTwo, filter.endTimeTwo),
    ...within("pay_time", filter.statTimeThree, filter.endTimeThree),
  ]);
};

/** The row a device is shown in: its master's, or its own when it has none or the account does not see it. */
const topId = sql<number>`case when exists (select from seen as other where other.device_id = seen.parent_device_id)
  then seen.parent_device_id else seen.device_id end`;

/** `seen`: the devices in scope; `matching`: those the filter asks for. */
const matchingDevices = (db: Database, scope: Scope, filter: DeviceFilter, now: Date) =>
  db
    .with("seen", () => seenDevices(db, scope, now))
    .with("matching", (cte) =>
      cte
        .selectFrom("seen")
        .selectAll("seen")
        .select(topId.as("top_id"))
        .where((eb) => matches(eb, filter)),
    );

const nested = (tops: SeenDevice[], subs: SeenDevice[]): DeviceRow[] =>
  tops.map((top) => ({
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
  const found = matchingDevices(db, scope, filter, now);
  const tops = await found
    .selectFrom("seen")
    .selectAll("seen")
    .where("seen.device_id", "in", (eb) => eb.selectFrom("matching").select("matching.top_id"))
    .orderBy("seen.claimed_time")
    .orderBy("seen.device_id")
    .limit(filter.size)
    .offset(offsetOf(filter))
    .execute();
  const ids = tops.map((top) => top.device_id);
  const [subs, { total }] = await Promise.all([
    found
      .selectFrom("matching")
      .selectAll("matching")
      .where(({ eb }) => eb("matching.parent_device_id", "=", eb.fn.any(eb.val(ids))))
      .orderBy("matching.claimed_time")
      .orderBy("matching.device_id")
      .execute(),
    found
      .selectFrom("matching")
      .select(({ fn }) => fn.count<number>("matching.top_id").distinct().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return pageOf(nested(tops, subs), total, filter);
};
