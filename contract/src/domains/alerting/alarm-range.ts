import { AlertType } from "../alerts.ts";
import { AlarmCondition, conditionError } from "./conditions.ts";

/** Bounds for an alarm's value on a channel; null where there is no bound. */
export interface AlarmRange {
  /** ZERO and SPAN of an analog channel; the ends of an NTC's table; 0 and 1 for a contact, 0 and null for a count. */
  zero: number | null;
  span: number | null;
  /** Contacts and counts: the value never exceeds a bound, whereas a sensor's may by a little. */
  isDiscrete: boolean;
}

export const wrongValue = "Enter the correct alarm value";

interface Limit {
  type: number;
  alarmValue: number;
  alarmHysteresis: number;
}

/** Tolerance for floating point: 0.3 - 0.1 is slightly less than 0.2. */
const noise = 1e-9;

/**
 * Validates a limit's value and hysteresis against a channel's range; returns the error by field, or undefined. The value lies in ZERO..SPAN, and
 * so does the clearing point behind the hysteresis, as with a device's own limits: beyond it no reading could ever clear the alert. (spec 2 §5)
 */
export const limitError = (
  { type, alarmValue, alarmHysteresis }: Limit,
  range: AlarmRange,
): { field: "alarmValue" | "alarmHysteresis"; message: string } | undefined => {
  const [zero, span] = [range.zero ?? Number.NEGATIVE_INFINITY, range.span ?? Number.POSITIVE_INFINITY];
  const wrong = { field: "alarmValue", message: wrongValue } as const;
  if (alarmValue < zero || alarmValue > span) return wrong;
  /** Distance from the limit to the far end of the range. */
  const room = type === AlertType.low ? span - alarmValue : alarmValue - zero;
  const margin = noise * Math.max(1, Math.abs(alarmValue));
  const fits = (hysteresis: number) => (range.isDiscrete ? hysteresis < room - margin : hysteresis <= room + margin);
  if (!fits(0)) return wrong;
  if (fits(alarmHysteresis)) return undefined;
  const most = `${range.isDiscrete ? "less than" : "at most"} ${Number(room.toPrecision(10))}`;
  return { field: "alarmHysteresis", message: `With this hysteresis the alert would never clear. Enter ${most}` };
};

/** Validates an alarm's condition against a channel's range; returns the error by field, or undefined, also while fields are missing. */
export const rangeError = (
  given: Partial<Omit<Limit, "type">> & Parameters<typeof conditionError>[0],
  range: AlarmRange,
): ReturnType<typeof conditionError> => {
  const { condition = AlarmCondition.limit, type, alarmValue, alarmHysteresis = 0 } = given;
  if (condition !== AlarmCondition.limit) return conditionError(given, range);
  if (typeof alarmValue !== "number" || typeof type !== "number") return undefined;
  return limitError({ type, alarmValue, alarmHysteresis }, range);
};
