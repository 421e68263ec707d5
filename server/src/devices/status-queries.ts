import { AlertClass } from "@telltale/contract/alerts";
import { DeviceStatus } from "@telltale/contract/devices";
import { type RawBuilder, sql } from "kysely";

/** Heard at least once, and not disabled. */
const isActive = sql<boolean>`(devices.last_seen_time is not null and not devices.is_disabled)`;

const isServed = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(devices.expire_time is null or devices.expire_time > ${now})`;

/** An alert about the equipment that is open. A notification says what happened to the device and is no alert of it. */
const isOpen = sql<boolean>`(alerts.cleared_time is null and alerts.alarm_class <> ${sql.lit(AlertClass.notification)})`;

/** The status of a row of `devices`: the rule of `deviceStatus`, in SQL. */
export const statusOf = (now: Date): RawBuilder<number> => sql<number>`case
  when not ${isActive} then ${sql.lit(DeviceStatus.inactive)}
  when not ${isServed(now)} then ${sql.lit(DeviceStatus.paymentDue)}
  when not devices.is_online then ${sql.lit(DeviceStatus.offline)}
  when exists (select from alerts where alerts.device_id = devices.device_id and ${isOpen}) then ${sql.lit(DeviceStatus.alert)}
  else ${sql.lit(DeviceStatus.normal)}
end`;

/** Whether a row of `devices` has values to show now: neither inactive nor payment due nor offline. */
export const hasLiveValues = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(devices.is_online and ${isActive} and ${isServed(now)})`;

/**
 * Whether a row of `devices` has one of the statuses: `statusOf` for a filter over a whole plant, which looks up the open alerts of all its
 * devices at once, and only if the answer depends on them.
 */
export const hasStatus = (statuses: readonly number[], plantId: number, now: Date): RawBuilder<boolean> => {
  const alerted = sql<boolean>`devices.device_id in (select alerts.device_id from alerts where alerts.plant_id = ${plantId} and ${isOpen})`;
  const live = hasLiveValues(now);
  const conditions: Record<DeviceStatus, RawBuilder<boolean>> = {
    [DeviceStatus.inactive]: sql`not ${isActive}`,
    [DeviceStatus.paymentDue]: sql`(${isActive} and not ${isServed(now)})`,
    [DeviceStatus.offline]: sql`(${isActive} and ${isServed(now)} and not devices.is_online)`,
    [DeviceStatus.alert]: sql`(${live} and ${alerted})`,
    [DeviceStatus.normal]: sql`(${live} and not ${alerted})`,
  };
  const known = Object.values(DeviceStatus).filter((status) => statuses.includes(status));
  const isEitherWay = statuses.includes(DeviceStatus.alert) && statuses.includes(DeviceStatus.normal);
  const asked = known.map((status) => (isEitherWay && status <= DeviceStatus.normal ? live : conditions[status]));
  return asked.length === 0 ? sql`false` : sql`(${sql.join(asked, sql` or `)})`;
};
