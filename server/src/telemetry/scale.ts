import { defaultNtc, ntcRange, ntcTypes } from "@telltale/contract/channel-options";
import { type ChannelSettings, ReadingStatus, SensorType, ValueForm } from "@telltale/contract/channels";
import { ntcTemperature } from "./ntc.ts";

/** A value in engineering units with its status before alarms: good, or no data when it is out of range. */
export interface Scaled {
  value: number;
  status: number;
}

/** Turns what a device sent into engineering units. */
export type Scale = (raw: number) => Scaled;

/** Electrical range of a sensor: volts or milliamperes. */
const sensorRanges: Record<number, { min: number; max: number }> = {
  [SensorType.volts10]: { min: 0, max: 10 },
  [SensorType.volts5]: { min: 0, max: 5 },
  [SensorType.milliamps20]: { min: 0, max: 20 },
  [SensorType.milliamps4to20]: { min: 4, max: 20 },
};

/** A reading may exceed its range by this share of the span before it counts as no data. (decisions §3) */
const tolerance = 0.05;

/** Rounds away the noise of binary fractions: ten significant digits, far finer than any sensor. */
const tidy = (value: number): number => Number(value.toPrecision(10));

const within = (min: number, max: number): ((value: number) => number) => {
  const margin = tolerance * (max - min);
  return (value) => (value < min - margin || value > max + margin ? ReadingStatus.noData : ReadingStatus.good);
};

const linear = (range: { min: number; max: number }, zero: number, span: number): Scale => {
  const statusOf = within(range.min, range.max);
  const slope = (span - zero) / (range.max - range.min);
  return (raw) => ({ value: tidy(zero + (raw - range.min) * slope), status: statusOf(raw) });
};

const thermistor = (ntcType: string | undefined): Scale => {
  const ntc = ntcTypes[ntcType ?? defaultNtc] ?? ntcTypes[defaultNtc];
  const statusOf = within(ntcRange.min, ntcRange.max);
  return (raw) => {
    const value = ntc ? ntcTemperature(ntc, raw) : Number.NaN;
    // An open or shorted probe has no temperature; the end of the range keeps its direction.
    if (!Number.isFinite(value)) return { value: raw > 0 ? ntcRange.min : ntcRange.max, status: ReadingStatus.noData };
    return { value: tidy(value), status: statusOf(value) };
  };
};

/**
 * The scaling of an analog input: ZERO..SPAN maps the sensor's range (0-10 V, 0-5 V, 0-20 mA, 4-20 mA) to engineering units, NTC uses
 * its B equation; a value that arrives already scaled is only checked against ZERO..SPAN. More than 5 % outside is no data.
 */
export const scaleOf = (settings: ChannelSettings): Scale => {
  const isElectrical = settings.valueForm === ValueForm.electrical;
  if (isElectrical && settings.sensorType === SensorType.ntc) return thermistor(settings.ntcType);
  const { zero, span } = settings;
  const sensor = isElectrical ? sensorRanges[settings.sensorType ?? 0] : undefined;
  if (sensor && zero !== undefined && span !== undefined && span > zero) return linear(sensor, zero, span);
  if (zero === undefined || span === undefined || span <= zero)
    return (value) => ({ value, status: ReadingStatus.good });
  const statusOf = within(zero, span);
  return (value) => ({ value, status: statusOf(value) });
};

/** The settings that decide what a value means: readings under different ones can't be compared. */
const meaning = [
  "analogId",
  "unit",
  "sensorType",
  "valueForm",
  "ntcType",
  "zero",
  "span",
  "inputMode",
  "userDefinedOn",
  "countingEdge",
] satisfies (keyof ChannelSettings)[];

/** Whether a reading means the same under both settings. */
export const isSameScale = (a: ChannelSettings, b: ChannelSettings): boolean =>
  meaning.every((field) => a[field] === b[field]);
