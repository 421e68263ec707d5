const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const twoUnits = (milliseconds: number, large: number, small: number, units: readonly [string, string]): string => {
  const whole = Math.floor(milliseconds / large);
  const rest = Math.floor((milliseconds % large) / small);
  return rest === 0 ? `${whole} ${units[0]}` : `${whole} ${units[0]} ${rest} ${units[1]}`;
};

/** A duration in whole minutes after the first minute: 15 s, 28 min, 1 h 44 min, 1 d 2 h. */
export const durationText = (milliseconds: number): string => {
  const length = Math.max(0, milliseconds);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return `${Math.floor(length / minute)} min`;
  return length < day ? twoUnits(length, hour, minute, ["h", "min"]) : twoUnits(length, day, hour, ["d", "h"]);
};

/** A duration with its seconds below an hour: 42 min 53 s. */
export const exactDuration = (milliseconds: number): string =>
  milliseconds >= minute && milliseconds < hour
    ? twoUnits(milliseconds, minute, second, ["min", "s"])
    : durationText(milliseconds);

/** Whether a duration is over 24 hours. */
export const isOverDay = (milliseconds: number): boolean => milliseconds >= day;
