import type { Input } from "@telltale/contract/call/call";
import type { AlarmRow, alarms } from "@telltale/contract/domains/alarms";

/** The fields of an alert as a save sends them. */
export type AlarmFields = Input<typeof alarms.add>;

/** The fields of a configured alert. */
export const fieldsOf = (row: AlarmRow): AlarmFields => {
  const { alarmName, alarmClass, deviceId, notifyUserIds, priority, response, enabled } = row;
  const { deviceChannelId, type, alarmValue, alarmHysteresis } = row;
  const { onDelay, offDelay, times, window } = row;
  const watched = { alarmClass, deviceId, deviceChannelId, type, alarmValue, alarmHysteresis };
  const when = { onDelay, offDelay, times, ...(times > 1 && { window }) };
  const told = { notifyUserIds, planId: row.planId ?? 0 };
  return { alarmName, ...watched, ...when, ...told, priority, response, enabled } as AlarmFields;
};

/** What a form holds, by the names of its fields. */
export type Typed = Record<string, FormDataEntryValue>;

/** The delays and repetitions as sent; those of a form that does not show them are left as they are. */
const timing = ({ onDelay, offDelay, times, window }: Typed) =>
  onDelay === undefined
    ? {}
    : {
        onDelay: onDelay || "0",
        offDelay: offDelay || "0",
        times: times || "1",
        ...(Number(times) > 1 && { window: String(Number(window) * 60) }),
      };

/** The typed fields as a save sends them. */
export const sentFields = (typed: Typed): Record<string, unknown> => {
  const { alarmName, type, alarmValue, alarmHysteresis, notifyUserIds, priority, response, enabled } = typed;
  const urgency = { priority, response, enabled: enabled === undefined ? "0" : "1" };
  const told = { notifyUserIds, ...(typed.planId !== undefined && { planId: typed.planId }) };
  return { alarmName, type, alarmValue, alarmHysteresis, ...told, ...urgency, ...timing(typed) };
};
