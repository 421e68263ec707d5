import type { Input } from "@telltale/contract/call/call";
import type { AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition, hasHysteresis, hasValue, isOverTime } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass } from "@telltale/contract/domains/alerts";

/** The fields of an alert as a save sends them. */
export type AlarmFields = Input<typeof alarms.add>;

/** What a configured alert depends on besides. */
const gateOf = ({ gateChannelId, gateType, gateValue, startUp }: AlarmRow) => ({
  gateChannelId: gateChannelId ?? 0,
  ...(gateChannelId !== null && { gateType, startUp, ...(gateValue !== null && { gateValue }) }),
});

/** The fields of a configured alert. */
export const fieldsOf = (row: AlarmRow): AlarmFields => {
  const { alarmName, alarmClass, deviceId, notifyUserIds, priority, response, enabled } = row;
  const { deviceChannelId, type, alarmValue, alarmHysteresis } = row;
  const { condition, onDelay, offDelay, times, window } = row;
  const ofCustom = alarmClass === AlertClass.custom && { condition };
  const watched = { alarmClass, deviceId, deviceChannelId, ...ofCustom, type, alarmValue, alarmHysteresis };
  const when = { onDelay, offDelay, times, ...((times > 1 || isOverTime(condition)) && { window }) };
  const given = Object.entries({ ...watched, ...when }).filter(([, value]) => value !== null);
  const told = { notifyUserIds, planId: row.planId ?? 0, ...gateOf(row) };
  return { alarmName, ...Object.fromEntries(given), ...told, priority, response, enabled } as AlarmFields;
};

/** What a form holds, by the names of its fields. */
export type Typed = Record<string, FormDataEntryValue>;

const minutes = (typed: FormDataEntryValue | undefined): string => String(Number(typed) * 60);

/** The condition, delays and repetitions as sent; those of a form that does not show them are left as they are. */
const timing = ({ onDelay, offDelay, times, window }: Typed, condition: AlarmCondition) => {
  if (condition === AlarmCondition.noData)
    return { condition: String(condition), onDelay: "0", offDelay: "0", times: "1", window: minutes(window) };
  const delays = { condition: String(condition), onDelay: onDelay || "0", offDelay: offDelay || "0" };
  if (isOverTime(condition)) return { ...delays, times: "1", window: minutes(window) };
  return { ...delays, times: times || "1", ...(Number(times) > 1 && { window: minutes(window) }) };
};

/** What the alert depends on besides, as sent. */
const gate = ({ gateChannelId, gateType, gateValue, startUp }: Typed) =>
  gateChannelId
    ? { gateChannelId, gateType, startUp: startUp || "0", ...(gateValue !== undefined && { gateValue }) }
    : { gateChannelId: "0" };

/** What a custom alert watches for, as far as its condition has it. */
const watched = (typed: Typed, condition: AlarmCondition) => {
  const { type, alarmValue, alarmHysteresis } = typed;
  const limit = {
    ...(hasValue(condition) && { type, alarmValue }),
    ...(hasHysteresis(condition) && { alarmHysteresis }),
  };
  return { ...limit, ...timing(typed, condition), ...gate(typed) };
};

/** The typed fields as a save sends them; `condition` of a custom alert. */
export const sentFields = (typed: Typed, condition: AlarmCondition | undefined): Record<string, unknown> => {
  const { alarmName, notifyUserIds, priority, response, enabled } = typed;
  const urgency = { priority, response, enabled: enabled === undefined ? "0" : "1" };
  const told = { notifyUserIds, ...(typed.planId !== undefined && { planId: typed.planId }) };
  return { alarmName, ...told, ...urgency, ...(condition !== undefined && watched(typed, condition)) };
};
