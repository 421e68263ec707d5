import type { Input } from "@telltale/contract/call/call";
import type { AlarmRow, alarms } from "@telltale/contract/domains/alarms";

/** The fields of an alert as a save sends them. */
export type AlarmFields = Input<typeof alarms.add>;

/** The fields of a configured alert. */
export const fieldsOf = (row: AlarmRow): AlarmFields => {
  const { alarmName, alarmClass, deviceId, notifyUserIds, priority, response, enabled } = row;
  const { deviceChannelId, type, alarmValue, alarmHysteresis } = row;
  const watched = { alarmClass, deviceId, deviceChannelId, type, alarmValue, alarmHysteresis };
  return { alarmName, ...watched, notifyUserIds, priority, response, enabled } as AlarmFields;
};
