import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { counted } from "@telltale/contract/text/counted";
import { isMeasured, type Rule } from "../evaluate.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A stretch of time in its largest whole unit: 90 seconds, 10 minutes, 1 hour. */
const stretch = (milliseconds: number): string => {
  if (milliseconds % day === 0) return counted(milliseconds / day, "day");
  if (milliseconds % hour === 0) return counted(milliseconds / hour, "hour");
  return milliseconds % minute === 0
    ? counted(milliseconds / minute, "minute")
    : counted(milliseconds / 1000, "second");
};

const beyondRange = "Sensor fault: beyond the sensor's range";

/** What an alert of a condition says in words; empty where value and limit tell. */
const textOf = ({ condition, hysteresis, window }: Rule, status: number, unit: string): string => {
  switch (condition) {
    case AlarmCondition.noChange: {
      const band = hysteresis > 0 ? ` of more than ${hysteresis}${unit === "" ? "" : ` ${unit}`}` : "";
      return `No change${band} for ${stretch(window)}`;
    }
    case AlarmCondition.noData:
      return `No data for ${stretch(window)}`;
    case AlarmCondition.fault:
      return beyondRange;
    default:
      return status === ReadingStatus.noData ? beyondRange : "";
  }
};

/** The value that was in force when an alert was raised. */
interface InForce {
  value: number;
  peak: number;
  status: number;
}

/** What an alert records of its rule and its value: a limit and a rate have figures, the others a text. */
export const recordedOf = (rule: Rule, { value, peak, status }: InForce, unit: string) => {
  const msg = textOf(rule, status, unit);
  if (!isMeasured(rule)) return { value: null, peak: null, unit, threshold: null, msg };
  const shown = rule.condition === AlarmCondition.rate ? `${unit}/min` : unit;
  return { value, peak, unit: shown, threshold: rule.setpoint, msg };
};
