import { AlertClass } from "@telltale/contract/alerts";
import { DeviceStatus } from "@telltale/contract/devices";
import { type RawBuilder, sql } from "kysely";

/** Whether an alert about the equipment is open. A notification says what happened to the device and is no alert of it. */
const hasOpenAlert = sql<boolean>`exists (
  select from alerts as open_alert
  where open_alert.device_id = devices.device_id and open_alert.cleared_time is null
    and open_alert.alarm_class <> ${sql.lit(AlertClass.notification)}
)`;

/** The status of a row of `devices`: the rule of `deviceStatus`, in SQL. */
export const statusOf = (now: Date): RawBuilder<number> => sql<number>`case
  when devices.is_disabled or devices.last_seen_time is null then ${sql.lit(DeviceStatus.inactive)}
  when devices.expire_time <= ${now} then ${sql.lit(DeviceStatus.paymentDue)}
  when not devices.is_online then ${sql.lit(DeviceStatus.offline)}
  when ${hasOpenAlert} then ${sql.lit(DeviceStatus.alert)}
  else ${sql.lit(DeviceStatus.normal)}
end`;

/** Whether a row of `devices` has values to show now: neither inactive nor payment due nor offline. */
export const hasLiveValues = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  devices.is_online and not devices.is_disabled and devices.last_seen_time is not null
  and (devices.expire_time is null or devices.expire_time > ${now})
)`;
