import {
  Analog,
  controlContactLabels,
  InputMode,
  inputModeLabels,
  outputModeLabels,
  SensorType,
  sensorTypeLabels,
  valueFormLabels,
} from "../domains/channels.ts";
import { keysOf } from "./index.ts";
import { alarmPairs, type ChannelKeys, type ChannelKind, isSameValue, Key, type KeyValue } from "./keys.ts";
import {
  analogUnits,
  countingEdgeLabels,
  digitalSensorLabels,
  longestDebounce,
  longestReportInterval,
  longestUnit,
  measuredAnalogs,
  ntcRange,
  ntcTypes,
  ntcUnit,
  onLevelLabels,
} from "./options.ts";

/** Sentences of the channel save. (spec 2 §5) */
export const ChannelMessage = {
  blank: "Cannot be blank",
  incomplete: "Please complete all",
  unchanged: "There are no changes",
  whole: "Decimals and negative numbers are not allowed",
  number: "Enter a number",
  choice: "Please select one of the list",
  negative: "Cannot be negative",
  zeroAboveSpan: "ZERO must not exceed SPAN",
  lowerOutside: "Lower Alarm plus its Hysteresis must lie between ZERO and SPAN",
  higherOutside: "Higher Alarm minus its Hysteresis must lie between ZERO and SPAN",
  alarmsCross: "Higher Alarm minus its Hysteresis must not be below Lower Alarm plus its Hysteresis",
  intervalFirst: "Please enter the Report Interval first",
  staticOutside: `Must lie between the Report Interval and ${longestReportInterval}`,
  ntcMeasures: `A thermistor measures Temperature in ${ntcUnit}`,
} as const;

/** A report interval below what is paid for, or what the unit can do. (spec 2 §5) */
export const tooShort = (limit: number): string => `Cannot be less than: ${limit}`;
const tooLong = (limit: number): string => `Cannot be more than: ${limit}`;

/** A channel with the settings it is to have. */
export interface EditedChannel extends ChannelKind {
  /** Switched on: only then does it report. */
  isOn: boolean;
  /** A sub-device: STATIC DATA does not wait for its report interval. */
  isSubDevice: boolean;
  /** The device's shortest report interval, seconds. */
  reportIntervalLimit: number;
  before: ChannelKeys;
  /** All settings as they would be, not only those that change. */
  after: ChannelKeys;
}

/** What is wrong with which setting. */
export type ValidationErrors = Partial<Record<Key, string>>;

/** The settings of a channel that a change would change. */
export const changedKeys = ({
  before,
  after,
  ...kind
}: Pick<EditedChannel, "before" | "after" | keyof ChannelKind>): Key[] =>
  keysOf(kind, after).filter((key) => !isSameValue(before[key], after[key]));

type Check = (value: KeyValue | undefined, channel: EditedChannel) => string | undefined;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const decimal: Check = (value) => (isNumber(value) ? undefined : ChannelMessage.number);
const notNegative: Check = (value, channel) =>
  decimal(value, channel) ?? (Number(value) < 0 ? ChannelMessage.negative : undefined);
const whole =
  (most: number): Check =>
  (value) => {
    if (!isNumber(value)) return ChannelMessage.number;
    if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
    return value > most ? tooLong(most) : undefined;
  };
const oneOf = (values: readonly unknown[]): Check => {
  return (value) => (values.includes(value) ? undefined : ChannelMessage.choice);
};
const numbersOf = (labels: Readonly<Record<number, string>>): number[] => Object.keys(labels).map(Number);

const isNtc = (keys: ChannelKeys): boolean => keys[Key.inputSensorType] === SensorType.ntc;

const unit: Check = (value, { before, after }) => {
  if (typeof value !== "string") return ChannelMessage.choice;
  if (isNtc(after)) return value === ntcUnit ? undefined : ChannelMessage.ntcMeasures;
  // A unit that came with the device, or by the operator, stays until another is chosen.
  if (isSameValue(value, before[Key.unit]) && isSameValue(after[Key.analog], before[Key.analog])) return undefined;
  if (after[Key.analog] === Analog.other) return value.length > longestUnit ? tooLong(longestUnit) : undefined;
  return (analogUnits[after[Key.analog] as Analog] ?? []).includes(value) ? undefined : ChannelMessage.choice;
};

const measured: Check = (value, channel) => {
  if (isNtc(channel.after)) return value === Analog.temperature ? undefined : ChannelMessage.ntcMeasures;
  return oneOf(measuredAnalogs)(value, channel);
};

const alarmData: Check = (value, channel) =>
  channel.after[Key.inputMode] === InputMode.digital
    ? oneOf([0, 1])(value, channel)
    : whole(Number.MAX_SAFE_INTEGER)(value, channel);

const reportInterval: Check = (value, { isOn, reportIntervalLimit }) => {
  if (!isNumber(value)) return ChannelMessage.number;
  if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
  // A channel that is off keeps whatever it had; nothing is reported.
  const least = isOn ? reportIntervalLimit : 1;
  if (value < least) return tooShort(least);
  return value > longestReportInterval ? tooLong(longestReportInterval) : undefined;
};

const staticData: Check = (value, { isSubDevice, after }) => {
  const interval = after[Key.reportInterval];
  if (!(isNumber(interval) || isSubDevice)) return ChannelMessage.intervalFirst;
  if (!isNumber(value)) return ChannelMessage.number;
  if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
  const least = isNumber(interval) ? interval : 0;
  return value < least || value > longestReportInterval ? ChannelMessage.staticOutside : undefined;
};

/** What each setting has to be by itself. */
const checks: Record<Key, Check> = {
  [Key.inputSensorType]: oneOf(numbersOf(sensorTypeLabels)),
  [Key.valueForm]: oneOf(numbersOf(valueFormLabels)),
  [Key.analog]: measured,
  [Key.unit]: unit,
  [Key.ntcType]: oneOf(Object.keys(ntcTypes)),
  [Key.zero]: decimal,
  [Key.span]: decimal,
  [Key.lowerAlarm]: decimal,
  [Key.lowerHysteresis]: notNegative,
  [Key.higherAlarm]: decimal,
  [Key.higherHysteresis]: notNegative,
  [Key.sensorType]: oneOf(numbersOf(digitalSensorLabels)),
  [Key.inputMode]: oneOf(numbersOf(inputModeLabels)),
  [Key.on]: oneOf(numbersOf(onLevelLabels)),
  [Key.countingEdge]: oneOf(numbersOf(countingEdgeLabels)),
  [Key.alarmData]: alarmData,
  [Key.debounce]: whole(longestDebounce),
  [Key.mode]: oneOf(numbersOf(outputModeLabels)),
  [Key.controlContact]: oneOf(numbersOf(controlContactLabels)),
  // Which sources there are, only the server knows.
  [Key.source]: (value) => (typeof value === "object" ? undefined : ChannelMessage.choice),
  [Key.reportInterval]: reportInterval,
  [Key.staticData]: staticData,
};

/** Without a value form readings arrive scaled. */
const optional: readonly Key[] = [Key.staticData, Key.alarmData, Key.valueForm];

/** Settings that a channel may be without. An alarm's hysteresis goes with it. */
const mayBeNone = (key: Key, after: ChannelKeys): boolean => {
  if (optional.includes(key)) return true;
  const pair = alarmPairs.find(({ alarm, hysteresis }) => key === alarm || key === hysteresis);
  return pair !== undefined && (after[pair.alarm] ?? null) === null;
};

const errorOf = (channel: EditedChannel, key: Key): string | undefined => {
  const value = channel.after[key];
  if (value === "" && key !== Key.unit) return ChannelMessage.blank;
  if (value === undefined || value === null) {
    // What has been without since the works may stay so.
    const stays = isSameValue(channel.before[key], value) && key.endsWith("Hysteresis");
    return stays || mayBeNone(key, channel.after) ? undefined : ChannelMessage.blank;
  }
  return checks[key](value, channel);
};

/** ZERO..SPAN; undefined where a channel has no such range. */
const rangeOf = (channel: EditedChannel): { min: number; max: number } | undefined => {
  if (isNtc(channel.after)) return ntcRange;
  const { [Key.zero]: zero, [Key.span]: span } = channel.after;
  return isNumber(zero) && isNumber(span) ? { min: zero, max: span } : undefined;
};

/** Where an alarm clears: its limit and the hysteresis towards the middle; undefined without the alarm. */
const clearingAt = (keys: ChannelKeys, { alarm, hysteresis }: (typeof alarmPairs)[number]): number | undefined => {
  const [limit, distance] = [keys[alarm], keys[hysteresis] ?? 0];
  if (!(isNumber(limit) && isNumber(distance))) return undefined;
  // In binary 0.3 is not 0.1 + 0.2: ten digits are finer than any sensor.
  return Number((alarm === Key.lowerAlarm ? limit + distance : limit - distance).toPrecision(10));
};

/** What is wrong with the settings together: the range and the alarms in it. */
const togetherErrors = (channel: EditedChannel): ValidationErrors => {
  const { after } = channel;
  const has = new Set(keysOf(channel, after));
  const [lower, higher] = alarmPairs.map((pair) => (has.has(pair.alarm) ? clearingAt(after, pair) : undefined));
  const range = rangeOf(channel);
  const found: ValidationErrors = {};
  if (range && range.min > range.max) found[Key.zero] = ChannelMessage.zeroAboveSpan;
  const isOutside = (value: number | undefined) =>
    range !== undefined && value !== undefined && (value < range.min || value > range.max);
  if (isOutside(lower)) found[Key.lowerAlarm] = ChannelMessage.lowerOutside;
  if (isOutside(higher)) found[Key.higherAlarm] = ChannelMessage.higherOutside;
  else if (lower !== undefined && higher !== undefined && higher < lower)
    found[Key.higherAlarm] = ChannelMessage.alarmsCross;
  return found;
};

/** Everything that keeps a channel from being saved like this, by setting, in the settings' order; empty when nothing does. (spec 2 §5) */
export const channelErrors = (channel: EditedChannel): ValidationErrors => {
  const together = togetherErrors(channel);
  const found: ValidationErrors = {};
  for (const key of keysOf(channel, channel.after)) {
    const validationError = errorOf(channel, key) ?? together[key];
    if (validationError !== undefined) found[key] = validationError;
  }
  return found;
};
