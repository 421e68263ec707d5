import { channelTypes, limitsOf } from "@telltale/contract/channel-types/index";
import type { AlarmRange } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { atOnce, type Rule } from "../evaluate.ts";
import { ruleKey } from "./rule-key.ts";

/**
 * The range of a channel's values in its engineering unit: ZERO..SPAN, an NTC's table, the two levels of a contact. A motor controller's register,
 * and a channel without ZERO and SPAN, are unbounded.
 */
export const alarmRange = (channelType: ChannelType, settings: ChannelSettings): AlarmRange =>
  channelTypes[channelType].range(settings);

const second = 1000;

/** A custom alarm (class 1) of a channel. */
export interface CustomAlarm {
  alarmId: number;
  type: number;
  value: number;
  hysteresis: number;
  /** Seconds. */
  onDelay: number;
  offDelay: number;
  times: number;
  /** Seconds. */
  window: number;
}

/** SQL expression of a `CustomAlarm` of the row `a` of `alarms`. */
export const customAlarm = `json_build_object('alarmId', a.alarm_id, 'type', a.type, 'value', a.alarm_value, 'hysteresis', coalesce(a.alarm_hysteresis, 0),
  'onDelay', a.on_delay, 'offDelay', a.off_delay, 'times', a.times, 'window', a.times_within)`;

/** The rule of a custom alarm. */
export const customRule = (channelId: number, alarm: CustomAlarm): Rule => ({
  key: ruleKey.custom(alarm.alarmId, channelId, alarm.type),
  alarmClass: AlertClass.custom,
  alarmType: alarm.type,
  alarmId: alarm.alarmId,
  setpoint: alarm.value,
  hysteresis: alarm.hysteresis,
  onDelay: alarm.onDelay * second,
  offDelay: alarm.offDelay * second,
  times: alarm.times,
  window: alarm.window * second,
});

/** The rules that evaluate a channel: its own limits (class 2, from its settings) and the plant's custom alarms on it (class 1). */
export const rulesOf = (
  channelId: number,
  channelType: ChannelType,
  settings: ChannelSettings,
  custom: readonly CustomAlarm[],
): Rule[] => [
  ...limitsOf(channelType, settings).map((limit) => ({
    ...limit,
    key: ruleKey.threshold(channelId, limit.alarmType),
    alarmClass: AlertClass.threshold,
    alarmId: null,
    ...atOnce,
  })),
  ...custom.map((alarm) => customRule(channelId, alarm)),
];
