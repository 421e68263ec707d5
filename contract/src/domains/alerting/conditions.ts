import * as wire from "../../call/wire.ts";

/**
 * What an alarm looks at: the value itself, how fast it rises or falls, that it stays the same, that nothing arrives, or that the sensor reads beyond
 * its range.
 */
export const AlarmCondition = { limit: 1, rate: 2, noChange: 3, noData: 4, fault: 5 } as const;
export type AlarmCondition = (typeof AlarmCondition)[keyof typeof AlarmCondition];
export const alarmConditionLabels: Record<AlarmCondition, string> = {
  1: "Limit",
  2: "Rate of change",
  3: "No change",
  4: "No data",
  5: "Sensor fault",
};

/** Conditions that have a threshold type and a value. */
const withValue: readonly (number | undefined)[] = [AlarmCondition.limit, AlarmCondition.rate, undefined];
/** Conditions that have a hysteresis. */
const withHysteresis: readonly (number | undefined)[] = [...withValue, AlarmCondition.noChange];
/** Conditions that look at a stretch of time, so that they cannot count occurrences within one. */
const overTime: readonly (number | undefined)[] = [AlarmCondition.rate, AlarmCondition.noChange, AlarmCondition.noData];

/** Whether an alarm with this condition has a threshold type and a value. */
export const hasValue = (condition: number | undefined): boolean => withValue.includes(condition);
export const hasHysteresis = (condition: number | undefined): boolean => withHysteresis.includes(condition);
export const isOverTime = (condition: number | undefined): boolean => overTime.includes(condition);

/** Longest delay of an alarm, seconds. */
export const longestDelay = 86_400;
/** Most occurrences that an alarm can ask for, and the longest time for them, seconds. */
export const mostTimes = 20;
export const longestWindow = 604_800;

const wrongDelay = "A delay is a whole number of seconds, at most a day";

/** Fields that say when exactly an alarm is raised. Clients that do not know them leave them as they are. */
export const conditionFields = {
  condition: wire.oneOf<AlarmCondition>(Object.values(AlarmCondition), "Choose a condition").optional(),
  onDelay: wire.intBetween(0, longestDelay, wrongDelay).optional(),
  offDelay: wire.intBetween(0, longestDelay, wrongDelay).optional(),
  times: wire.intBetween(1, mostTimes, `Enter how often as a number from 1 to ${mostTimes}`).optional(),
  window: wire.intBetween(60, longestWindow, "The time is 60 seconds to 7 days").optional(),
};

/** The fields of an alarm that its condition depends on, as far as they are given. */
interface Conditioned {
  condition?: number | undefined;
  type?: number | undefined;
  alarmValue?: number | undefined;
  alarmHysteresis?: number | undefined;
  onDelay?: number | undefined;
  offDelay?: number | undefined;
  times?: number | undefined;
  window?: number | undefined;
}

interface FieldError {
  field: "deviceChannelId" | "alarmValue" | "alarmHysteresis" | "onDelay" | "offDelay" | "times" | "window";
  message: string;
}

const windowMissing: Partial<Record<number, string>> = {
  [AlarmCondition.rate]: "Enter the time over which it changes",
  [AlarmCondition.noChange]: "Enter how long it must not change",
  [AlarmCondition.noData]: "Enter how long nothing must arrive",
};

/** Reason why an alarm with these times could never raise an alert, or never clear it, with the field at fault; undefined when it can. */
export const timesError = (given: Conditioned): FieldError | undefined => {
  const { condition, times = 1, window = 0, onDelay = 0, offDelay = 0 } = given;
  if (isOverTime(condition)) {
    if (window === 0) return { field: "window", message: windowMissing[condition ?? 0] ?? "" };
    if (times > 1) return { field: "times", message: "This condition counts no occurrences. Enter 1 as how often" };
  }
  if (condition === AlarmCondition.noData) {
    if (onDelay > 0) return { field: "onDelay", message: "The time without data is the delay already. Enter 0" };
    if (offDelay > 0)
      return { field: "offDelay", message: "The alert ends when data arrives. Enter 0 as the time until it clears" };
  }
  if (times > 1 && window === 0)
    return { field: "window", message: "Enter the time within which it must occur so often" };
  if (times > 1 && onDelay * (times - 1) >= window)
    return {
      field: "window",
      message: "With this delay it can't occur so often in that time. Enter a longer time or a shorter delay",
    };
  return undefined;
};

/** The bounds of a channel's values; see `AlarmRange`. */
interface Bounds {
  zero: number | null;
  span: number | null;
  isDiscrete: boolean;
}

const rounded = (value: number): number => Number(value.toPrecision(6));

const rateError = ({ alarmValue = 0, alarmHysteresis = 0, window = 0 }: Conditioned, bounds: Bounds) => {
  if (bounds.isDiscrete) return wrong("deviceChannelId", "A contact or a count has no rate. Choose a measured value");
  if (alarmValue <= 0) return wrong("alarmValue", "Enter how much it changes in a minute, as a number above 0");
  const extent = extentOf(bounds);
  const most = rounded((extent * 60) / window);
  if (window > 0 && alarmValue > most)
    return wrong(
      "alarmValue",
      `Within its range this channel can't change that fast for that time. Enter at most ${most}`,
    );
  return alarmHysteresis < alarmValue
    ? undefined
    : wrong("alarmHysteresis", `A steady value would not clear the alert. Enter less than ${alarmValue}`);
};

const noChangeError = ({ alarmHysteresis = 0 }: Conditioned, bounds: Bounds): FieldError | undefined => {
  const extent = extentOf(bounds);
  return alarmHysteresis < extent
    ? undefined
    : wrong("alarmHysteresis", `No value of this channel would clear the alert. Enter less than ${extent}`);
};

const faultError = ({ zero, span, isDiscrete }: Bounds): FieldError | undefined =>
  isDiscrete || zero === null || span === null
    ? wrong("deviceChannelId", "This channel has no range that a reading could be beyond. Choose another channel")
    : undefined;

const extentOf = ({ zero, span }: Bounds): number =>
  zero === null || span === null ? Number.POSITIVE_INFINITY : span - zero;

const wrong = (field: FieldError["field"], message: string): FieldError => ({ field, message });

/** Reason why the condition (other than a limit) can never begin or end on a channel with these bounds, with the field at fault. */
export const conditionError = (given: Conditioned, bounds: Bounds): FieldError | undefined => {
  switch (given.condition) {
    case AlarmCondition.rate:
      return rateError(given, bounds);
    case AlarmCondition.noChange:
      return noChangeError(given, bounds);
    case AlarmCondition.fault:
      return faultError(bounds);
    default:
      return undefined;
  }
};
