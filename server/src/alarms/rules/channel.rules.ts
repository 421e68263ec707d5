import { channelTypes, type Limit, limitsOf } from "@telltale/contract/channel-types/index";
import type { AlarmRange } from "@telltale/contract/domains/alerting/alarm-range";
import { AlarmCondition, hasHysteresis, hasValue } from "@telltale/contract/domains/alerting/conditions";
import type { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { atOnce, type Rule } from "../evaluate.ts";
import type { Reading, RuleGate } from "./limit.rules.ts";
import { ruleKey } from "./rule-key.ts";

/**
 * The range of a channel's values in its engineering unit: ZERO..SPAN, an NTC's table, the two levels of a contact. A motor controller's register,
 * and a channel without ZERO and SPAN, are unbounded.
 */
export const alarmRange = (channelType: ChannelType, settings: ChannelSettings): AlarmRange =>
  channelTypes[channelType].range(settings);

const second = 1000;

/** The gate of a custom alarm, with its channel's newest reading. */
export interface AlarmGate {
  channelId: number;
  type: GateType;
  value: number | null;
  /** Seconds. */
  startUp: number;
  /** Null when there is none. */
  newest: Reading | null;
}

/** A custom alarm (class 1) of a channel. */
export interface CustomAlarm {
  alarmId: number;
  condition: AlarmCondition;
  /** Null where the condition has none. */
  type: number | null;
  value: number | null;
  hysteresis: number;
  /** Seconds. */
  onDelay: number;
  offDelay: number;
  times: number;
  /** Seconds. */
  window: number;
  gate: AlarmGate | null;
}

/** SQL: the devices `one` and `other` are of one plant, and the same master or its sub-devices. */
export const isOneFamily = (one: string, other: string): string =>
  `${one}.plant_id = ${other}.plant_id AND coalesce(${one}.parent_device_id, ${one}.device_id) = coalesce(${other}.parent_device_id, ${other}.device_id)`;

/**
 * SQL expression of the `AlarmGate` of the row `a` of `alarms`. A channel that has left the family, or is switched off or of a disabled device, so that it
 * turns no more, is none: the alert is better raised than not.
 */
const alarmGate = `(SELECT json_build_object('channelId', g.channel_id, 'type', a.gate_type, 'value', a.gate_value, 'startUp', a.start_up,
      'newest', (SELECT json_build_object('ts', n.ts, 'value', n.value, 'status', n.status) FROM latest n WHERE n.channel_id = g.channel_id))
    FROM channels g JOIN devices gd ON gd.device_id = g.device_id JOIN devices od ON od.device_id = a.device_id AND ${isOneFamily("od", "gd")}
   WHERE g.channel_id = a.gate_channel_id AND g.channel_switch AND NOT gd.is_disabled)`;

/** SQL expression of a `CustomAlarm` of the row `a` of `alarms`. */
export const customAlarm = `json_build_object('alarmId', a.alarm_id, 'condition', a.condition, 'type', a.type, 'value', a.alarm_value, 'hysteresis', coalesce(a.alarm_hysteresis, 0),
  'onDelay', a.on_delay, 'offDelay', a.off_delay, 'times', a.times, 'window', a.times_within, 'gate', ${alarmGate})`;

/** The type of a custom alarm's alerts: those of conditions that have no value are told by their text. */
const typeOf = ({ condition, type }: Pick<CustomAlarm, "condition" | "type">): number =>
  hasValue(condition) && type !== null ? type : AlertType.system;

/** A rate falls by what is entered as a number above 0. */
const setpointOf = ({ condition, type, value }: CustomAlarm): number => {
  if (!hasValue(condition) || value === null) return Number.NaN;
  return condition === AlarmCondition.rate && type === AlertType.low ? -value : value;
};

const gateOf = (gate: AlarmGate | null): RuleGate | null =>
  gate && {
    channelId: gate.channelId,
    type: gate.type,
    value: gate.value ?? Number.NaN,
    startUp: gate.startUp * second,
  };

/** The key of a custom alarm's rule; see `ruleKey`. */
export const customKey = (channelId: number, alarm: Pick<CustomAlarm, "alarmId" | "condition" | "type">): string =>
  ruleKey.custom(alarm.alarmId, channelId, typeOf(alarm), alarm.condition);

/** The rule of a custom alarm. */
export const customRule = (channelId: number, alarm: CustomAlarm): Rule => ({
  key: customKey(channelId, alarm),
  alarmClass: AlertClass.custom,
  alarmType: typeOf(alarm),
  alarmId: alarm.alarmId,
  condition: alarm.condition,
  leavesFaults: false,
  setpoint: setpointOf(alarm),
  hysteresis: hasHysteresis(alarm.condition) ? alarm.hysteresis : 0,
  onDelay: alarm.onDelay * second,
  offDelay: alarm.offDelay * second,
  times: alarm.times,
  window: alarm.window * second,
  gate: gateOf(alarm.gate),
});

/** Where a rule tells of sensor faults, limits leave readings beyond the sensor's range to it. */
const leavingFaults = (rule: Rule): Rule => ({ ...rule, leavesFaults: rule.condition === AlarmCondition.limit });

const leaving = (rules: Rule[]): Rule[] =>
  rules.some(({ condition }) => condition === AlarmCondition.fault) ? rules.map(leavingFaults) : rules;

/** The rule that a custom alarm would be beside those of its channel. */
export const ruleBeside = (
  channelId: number,
  alarm: CustomAlarm,
  { isFaultWatched }: { isFaultWatched: boolean },
): Rule => (isFaultWatched ? leavingFaults(customRule(channelId, alarm)) : customRule(channelId, alarm));

/** The rules that evaluate a channel: its own limits (class 2, from its settings) and the plant's custom alarms on it (class 1). */
export const rulesOf = (
  channelId: number,
  channelType: ChannelType,
  settings: ChannelSettings,
  custom: readonly CustomAlarm[],
): Rule[] =>
  leaving([
    ...limitsOf(channelType, settings).map(({ onDelay, offDelay, ...limit }) => ({
      ...atOnce,
      ...limit,
      key: ruleKey.threshold(channelId, limit.alarmType),
      alarmClass: AlertClass.threshold,
      alarmId: null,
      onDelay: onDelay * second,
      offDelay: offDelay * second,
    })),
    ...custom.map((alarm) => customRule(channelId, alarm)),
  ]);

const isSameLimit = (a: Limit, b: Limit): boolean =>
  a.alarmType === b.alarmType &&
  a.setpoint === b.setpoint &&
  a.hysteresis === b.hysteresis &&
  a.onDelay === b.onDelay &&
  a.offDelay === b.offDelay;

/** Keys of the channel's own limits that are not the same under both settings. */
export const changedLimits = (
  channelId: number,
  channelType: ChannelType,
  before: ChannelSettings,
  after: ChannelSettings,
): string[] => {
  const [were, are] = [limitsOf(channelType, before), limitsOf(channelType, after)];
  const without = (some: readonly Limit[], others: readonly Limit[]) =>
    some.filter((limit) => !others.some((other) => isSameLimit(limit, other)));
  const types = new Set([...without(were, are), ...without(are, were)].map(({ alarmType }) => alarmType));
  return [...types].map((alarmType) => ruleKey.threshold(channelId, alarmType));
};
