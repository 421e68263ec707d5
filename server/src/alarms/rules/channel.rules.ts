import { ntcRange } from "@telltale/contract/channel-types/options";
import type { AlarmRange } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { type ChannelSettings, ChannelType, InputMode, SensorType } from "@telltale/contract/domains/channels";
import type { Rule } from "../evaluate.ts";
import { ruleKey } from "./rule-key.ts";

const contact: AlarmRange = { zero: 0, span: 1, isDiscrete: true };
const count: AlarmRange = { zero: 0, span: null, isDiscrete: true };

/** A count has no highest; whatever is neither Status Log nor DI counts. (spec 1 §4) */
const ofInput = ({ inputMode }: ChannelSettings): AlarmRange =>
  inputMode === InputMode.statusLog || inputMode === InputMode.digital ? contact : count;

/**
 * What a channel's values lie between, in its engineering unit: ZERO..SPAN, an NTC's table, the two levels of a contact. A register of a
 * motor controller, and a channel whose ZERO and SPAN are not set, have no ends.
 */
export const alarmRange = (channelType: number, settings: ChannelSettings): AlarmRange => {
  if (channelType === ChannelType.digitalInput) return ofInput(settings);
  if (channelType === ChannelType.digitalOutput) return contact;
  if (channelType === ChannelType.analogInput && settings.sensorType === SensorType.ntc)
    return { zero: ntcRange.min, span: ntcRange.max, isDiscrete: false };
  return { zero: settings.zero ?? null, span: settings.span ?? null, isDiscrete: false };
};

/** A custom alarm (class 1) of a channel. */
export interface CustomAlarm {
  alarmId: number;
  type: number;
  value: number;
  hysteresis: number;
}

const limitsOf = (
  channelType: number,
  settings: ChannelSettings,
): { alarmType: number; setpoint: number; hysteresis: number }[] => {
  const limits: { alarmType: number; setpoint: number; hysteresis: number }[] = [];
  const add = (alarmType: number, setpoint: number | undefined, hysteresis = 0) => {
    if (setpoint !== undefined) limits.push({ alarmType, setpoint, hysteresis });
  };
  switch (channelType) {
    case ChannelType.digitalInput:
      if (settings.inputMode === InputMode.digital) add(AlertType.digitalInput, settings.alarmData);
      if (settings.inputMode === InputMode.counting) add(AlertType.counting, settings.alarmData);
      break;
    case ChannelType.digitalOutput:
      add(AlertType.digitalOutput, settings.alarmData);
      break;
    case ChannelType.vibration:
      add(AlertType.high, settings.higherAlarm, settings.higherHysteresis);
      break;
    default:
      add(AlertType.low, settings.lowerAlarm, settings.lowerHysteresis);
      add(AlertType.high, settings.higherAlarm, settings.higherHysteresis);
  }
  return limits;
};

/** The rules that judge a channel: its own limits (class 2, from its settings) and the plant's custom alarms on it (class 1). */
export const rulesOf = (
  channelId: number,
  channelType: number,
  settings: ChannelSettings,
  custom: readonly CustomAlarm[],
): Rule[] => [
  ...limitsOf(channelType, settings).map((limit) => ({
    ...limit,
    key: ruleKey.threshold(channelId, limit.alarmType),
    alarmClass: AlertClass.threshold,
    alarmId: null,
  })),
  ...custom.map((alarm) => ({
    key: ruleKey.custom(alarm.alarmId, channelId, alarm.type),
    alarmClass: AlertClass.custom,
    alarmType: alarm.type,
    alarmId: alarm.alarmId,
    setpoint: alarm.value,
    hysteresis: alarm.hysteresis,
  })),
];
