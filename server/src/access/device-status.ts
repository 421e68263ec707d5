import { DeviceStatus } from "@telltale/contract/domains/devices";
import { type RawBuilder, sql } from "kysely";
import { containing } from "../platform/database/paging.ts";
import type { Database } from "../platform/database/schema/schema.ts";

/** The inputs of a device's status. `isOnline` is maintained by the gateway and the offline watch. */
export interface StatusInputs {
  isDisabled: boolean;
  lastSeenTime: Date | null;
  /** End of the paid service; null when it does not end. */
  expireTime: Date | null;
  isOnline: boolean;
}

/** A device's status: the first that applies. `statusOf` is the same rule in SQL. (decisions §1) */
export const deviceStatus = (device: StatusInputs, now: Date, hasOpenAlert: boolean): DeviceStatus => {
  if (device.isDisabled || device.lastSeenTime === null) return DeviceStatus.inactive;
  if (device.expireTime !== null && device.expireTime <= now) return DeviceStatus.paymentDue;
  if (!device.isOnline) return DeviceStatus.offline;
  return hasOpenAlert ? DeviceStatus.alert : DeviceStatus.normal;
};

/** Searchable columns of `listed_devices`; they hold lower case only. */
export type ListedText = "device_sn" | "device_sn_id" | "device_name";

/** Whether the column contains the text, ignoring case. Much cheaper than ILIKE, which folds the case of each row. */
export const listedLike = (column: ListedText, text: string) =>
  sql<boolean>`${sql.ref(`listed_devices.${column}`)} like lower(${containing(text)})`;

/** Heard at least once and not disabled. */
const isActive = sql<boolean>`(devices.last_seen_time is not null and not devices.is_disabled)`;

const isServed = (table: "devices" | "listed_devices", now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.expire_time`)} is null or ${sql.ref(`${table}.expire_time`)} > ${now})`;

/** The status of a row of `devices`: `deviceStatus` in SQL. The database maintains `standing`; only payment due depends on the time. */
export const statusOf = (now: Date): RawBuilder<DeviceStatus> => sql<DeviceStatus>`(
  select case when listed_devices.standing <> ${sql.lit(DeviceStatus.inactive)} and not ${isServed("listed_devices", now)}
              then ${sql.lit(DeviceStatus.paymentDue)} else listed_devices.standing end
    from listed_devices where listed_devices.device_id = devices.device_id)`;

/** Whether a row of `devices` has current values: not inactive, payment due or offline. */
export const hasLiveValues = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(devices.is_online and ${isActive} and ${isServed("devices", now)})`;

const standing = sql.ref("listed_devices.standing");

/** Equality with one value lets an index of standings keep the list's order; ANY with several does not. */
const hasStanding = (standings: readonly number[]): RawBuilder<boolean> =>
  standings.length === 1
    ? sql<boolean>`${standing} = ${standings[0]}::int`
    : sql<boolean>`${standing} = any(${standings}::int[])`;

/** Whether a row of `listed_devices` has one of the statuses; like `statusOf`, but written so that an index finds the rows. */
export const hasStatus = (statuses: readonly number[], now: Date): RawBuilder<boolean> => {
  const { inactive, paymentDue } = DeviceStatus;
  const served = statuses.filter((status) => status !== inactive && status !== paymentDue);
  const isDue = sql`(${standing} <> ${sql.lit(inactive)} and not ${isServed("listed_devices", now)})`;
  const conditions = [
    ...(served.length ? [sql`(${hasStanding(served)} and ${isServed("listed_devices", now)})`] : []),
    ...(statuses.includes(inactive) ? [hasStanding([inactive])] : []),
    ...(statuses.includes(paymentDue) ? [isDue] : []),
  ];
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
};

/** The statuses of these devices of a plant. */
export const statusesOf = async (
  db: Database,
  plantId: number,
  deviceIds: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, DeviceStatus>> => {
  const rows = await db
    .selectFrom("devices")
    .where("plant_id", "=", plantId)
    .where("device_id", "in", deviceIds)
    .select(["device_id", statusOf(now).as("status")])
    .execute();
  return new Map(rows.map(({ device_id, status }) => [device_id, status]));
};
