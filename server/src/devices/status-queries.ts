import { DeviceStatus } from "@telltale/contract/devices";
import { type RawBuilder, sql } from "kysely";

/** Heard at least once, and not disabled. */
const isActive = sql<boolean>`(devices.last_seen_time is not null and not devices.is_disabled)`;

const isServed = (table: "devices" | "listed_devices", now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.expire_time`)} is null or ${sql.ref(`${table}.expire_time`)} > ${now})`;

/** The status of a row of `devices`: the rule of `deviceStatus`, in SQL. Its standing is kept by the database; time alone makes a payment due. */
export const statusOf = (now: Date): RawBuilder<number> => sql<number>`(
  select case when listed_devices.standing <> ${sql.lit(DeviceStatus.inactive)} and not ${isServed("listed_devices", now)}
              then ${sql.lit(DeviceStatus.paymentDue)} else listed_devices.standing end
    from listed_devices where listed_devices.device_id = devices.device_id)`;

/** Whether a row of `devices` has values to show now: neither inactive nor payment due nor offline. */
export const hasLiveValues = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(devices.is_online and ${isActive} and ${isServed("devices", now)})`;

const standing = sql.ref("listed_devices.standing");

/** Compared with one value an index of standings keeps the list's order, with several it does not. */
const hasStanding = (standings: readonly number[]): RawBuilder<boolean> =>
  standings.length === 1
    ? sql<boolean>`${standing} = ${standings[0]}::int`
    : sql<boolean>`${standing} = any(${standings}::int[])`;

/** Whether a row of `listed_devices` has one of the statuses: `statusOf` so that an index finds the rows. */
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
