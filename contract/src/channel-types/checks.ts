import { Analog, InputMode, SensorType } from "../domains/channels.ts";
import { type ChannelKeys, type ChannelKind, isSameValue, Key, type KeyValue } from "./keys.ts";
import { analogUnits, longestReportInterval, longestUnit, measuredAnalogs, ntcUnit } from "./options.ts";

/** Validation messages of the channel save. (spec 2 §5) */
export const ChannelMessage = {
  blank: "Cannot be blank",
  incomplete: "Please complete all",
  unchanged: "There are no changes",
  whole: "Decimals and negative numbers are not allowed",
  number: "Enter a number",
  choice: "Please select an entry from the list",
  negative: "Cannot be negative",
  zeroAboveSpan: "ZERO must not exceed SPAN",
  lowerOutside: "Lower Alarm plus its Hysteresis must lie between ZERO and SPAN",
  higherOutside: "Higher Alarm minus its Hysteresis must lie between ZERO and SPAN",
  alarmsCross: "Higher Alarm minus its Hysteresis must not be below Lower Alarm plus its Hysteresis",
  intervalFirst: "Please enter the Report Interval first",
  staticOutside: `Must lie between the Report Interval and ${longestReportInterval}`,
  ntcMeasures: `A thermistor measures Temperature in ${ntcUnit}`,
} as const;

/** Message for a report interval below what the service package or the unit allows. (spec 2 §5) */
export const tooShort = (limit: number): string => `Cannot be less than: ${limit}`;
export const tooLong = (limit: number): string => `Cannot be more than: ${limit}`;

/** A channel with its settings before and after an edit. */
export interface EditedChannel extends ChannelKind {
  /** Switched on; a channel that is off does not report. */
  isOn: boolean;
  /** A sub-device: its STATIC DATA may be shorter than its report interval. */
  isSubDevice: boolean;
  /** The device's minimum report interval, seconds. */
  reportIntervalLimit: number;
  before: ChannelKeys;
  /** All settings after the edit, not only the changed ones. */
  after: ChannelKeys;
}

/** Validates one setting on its own. Returns a message; undefined when the value is valid. */
export type Check = (value: KeyValue | undefined, channel: EditedChannel) => string | undefined;

export const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** Any number. */
export const decimal: Check = (value) => (isNumber(value) ? undefined : ChannelMessage.number);

/** A number of at least 0. */
export const notNegative: Check = (value, channel) =>
  decimal(value, channel) ?? (Number(value) < 0 ? ChannelMessage.negative : undefined);

/** A whole number from 0 to `most`. */
export const whole =
  (most: number): Check =>
  (value) => {
    if (!isNumber(value)) return ChannelMessage.number;
    if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
    return value > most ? tooLong(most) : undefined;
  };

/** One of these values. */
export const oneOf = (values: readonly unknown[]): Check => {
  return (value) => (values.includes(value) ? undefined : ChannelMessage.choice);
};

/** Whether the input is set to a thermistor, which fixes range, quantity and unit. */
export const isThermistor = (keys: ChannelKeys): boolean => keys[Key.inputSensorType] === SensorType.ntc;

/** A unit of the chosen quantity. */
export const unit: Check = (value, { before, after }) => {
  if (typeof value !== "string") return ChannelMessage.choice;
  if (isThermistor(after)) return value === ntcUnit ? undefined : ChannelMessage.ntcMeasures;
  // A unit predefined by the device or the operator is valid until the user picks another.
  if (isSameValue(value, before[Key.unit]) && isSameValue(after[Key.analog], before[Key.analog])) return undefined;
  if (after[Key.analog] === Analog.other) return value.length > longestUnit ? tooLong(longestUnit) : undefined;
  return (analogUnits[after[Key.analog] as Analog] ?? []).includes(value) ? undefined : ChannelMessage.choice;
};

/** A quantity that an analog input can measure. */
export const measured: Check = (value, channel) => {
  if (isThermistor(channel.after)) return value === Analog.temperature ? undefined : ChannelMessage.ntcMeasures;
  return oneOf(measuredAnalogs)(value, channel);
};

/** The level, or the count, that raises an alert. */
export const alarmData: Check = (value, channel) =>
  channel.after[Key.inputMode] === InputMode.digital
    ? oneOf([0, 1])(value, channel)
    : whole(Number.MAX_SAFE_INTEGER)(value, channel);

/** Seconds, within what the device can do. */
export const reportInterval: Check = (value, { isOn, reportIntervalLimit }) => {
  if (!isNumber(value)) return ChannelMessage.number;
  if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
  // A channel that is off does not report, so it may keep its previous interval.
  const least = isOn ? reportIntervalLimit : 1;
  if (value < least) return tooShort(least);
  return value > longestReportInterval ? tooLong(longestReportInterval) : undefined;
};

/** Seconds, not below the report interval. */
export const staticData: Check = (value, { isSubDevice, after }) => {
  const interval = after[Key.reportInterval];
  if (!(isNumber(interval) || isSubDevice)) return ChannelMessage.intervalFirst;
  if (!isNumber(value)) return ChannelMessage.number;
  if (!Number.isInteger(value) || value < 0) return ChannelMessage.whole;
  const least = isNumber(interval) ? interval : 0;
  return value < least || value > longestReportInterval ? ChannelMessage.staticOutside : undefined;
};
