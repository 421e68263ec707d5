import { type ChannelSettings, ReadingStatus, SensorType, ValueForm } from "../domains/channels.ts";
import { defaultNtc, type Ntc, ntcRange, ntcTypes } from "./options.ts";

const kelvin = 273.15;

/** Resistance in ohms to temperature in degC by the B equation; NaN for a resistance that is not above zero. */
export const ntcTemperature = ({ r25, b }: Ntc, ohms: number): number =>
  ohms > 0 ? 1 / (1 / (25 + kelvin) + Math.log(ohms / r25) / b) - kelvin : Number.NaN;

/** Temperature in degC to resistance in ohms: the inverse of `ntcTemperature`. */
export const ntcResistance = ({ r25, b }: Ntc, celsius: number): number =>
  r25 * Math.exp(b * (1 / (celsius + kelvin) - 1 / (25 + kelvin)));

/** A value in engineering units with its status before alarms: good, or no data when it is out of range. */
export interface Scaled {
  value: number;
  status: ReadingStatus;
}

/** Converts a raw value into engineering units. */
export type Scale = (raw: number) => Scaled;

interface Range {
  min: number;
  max: number;
}

/** Electrical range of a sensor: volts or milliamperes. */
const sensorRanges: Partial<Record<number, Range>> = {
  [SensorType.volts10]: { min: 0, max: 10 },
  [SensorType.volts5]: { min: 0, max: 5 },
  [SensorType.milliamps20]: { min: 0, max: 20 },
  [SensorType.milliamps4to20]: { min: 4, max: 20 },
};

/** A reading may exceed its range by this share of the span before it counts as no data. (decisions §3) */
const tolerance = 0.05;

/** Rounds to ten significant digits, which removes binary rounding noise and is far finer than any sensor. */
const tidy = (value: number): number => Number(value.toPrecision(10));

const statusWithin = ({ min, max }: Range): ((value: number) => ReadingStatus) => {
  const margin = tolerance * (max - min);
  return (value) => (value < min - margin || value > max + margin ? ReadingStatus.noData : ReadingStatus.good);
};

/** ZERO..SPAN in engineering units; undefined where there is no such range. */
const engineeringRange = ({ zero, span }: Partial<ChannelSettings>): Range | undefined =>
  zero === undefined || span === undefined || span <= zero ? undefined : { min: zero, max: span };

/** A value that arrives in engineering units: more than 5 % outside of ZERO..SPAN is no data. */
export const identityScale = (settings: Partial<ChannelSettings>): Scale => {
  const range = engineeringRange(settings);
  if (!range) return (value) => ({ value, status: ReadingStatus.good });
  const statusOf = statusWithin(range);
  return (value) => ({ value, status: statusOf(value) });
};

/** The thermistor of a channel whose readings arrive as ohms. */
const thermistorOf = ({ valueForm, sensorType, ntcType }: Partial<ChannelSettings>): Ntc | undefined =>
  valueForm === ValueForm.electrical && sensorType === SensorType.ntc
    ? (ntcTypes[ntcType ?? defaultNtc] ?? ntcTypes[defaultNtc])
    : undefined;

/** The electrical and the engineering range of a channel whose readings arrive as volts or milliamperes. */
const rangesOf = (settings: Partial<ChannelSettings>): { electrical: Range; engineering: Range } | undefined => {
  const engineering = engineeringRange(settings);
  const electrical = settings.valueForm === ValueForm.electrical ? sensorRanges[settings.sensorType ?? 0] : undefined;
  return electrical && engineering && { electrical, engineering };
};

const byThermistor = (ntc: Ntc): Scale => {
  const statusOf = statusWithin(ntcRange);
  return (raw) => {
    const value = ntcTemperature(ntc, raw);
    // An open or shorted probe has no temperature; the value is set to the end of the range on its side.
    if (!Number.isFinite(value)) return { value: raw > 0 ? ntcRange.min : ntcRange.max, status: ReadingStatus.noData };
    return { value: tidy(value), status: statusOf(value) };
  };
};

/**
 * The scaling of an analog input: ZERO..SPAN maps the sensor's range (0-10 V, 0-5 V, 0-20 mA, 4-20 mA) to engineering units, NTC uses
 * its B equation; a value that arrives already scaled is only checked against ZERO..SPAN. More than 5 % outside is no data.
 */
export const scaleAnalog = (settings: Partial<ChannelSettings>): Scale => {
  const ntc = thermistorOf(settings);
  if (ntc) return byThermistor(ntc);
  const ranges = rangesOf(settings);
  if (!ranges) return identityScale(settings);
  const { electrical, engineering } = ranges;
  const statusOf = statusWithin(electrical);
  const slope = (engineering.max - engineering.min) / (electrical.max - electrical.min);
  return (raw) => ({ value: tidy(engineering.min + (raw - electrical.min) * slope), status: statusOf(raw) });
};

/** What an analog input sends for a value in engineering units: the inverse of `scaleAnalog`. */
export const unscaleAnalog = (settings: Partial<ChannelSettings>): ((value: number) => number) => {
  const ntc = thermistorOf(settings);
  if (ntc) return (celsius) => ntcResistance(ntc, celsius);
  const ranges = rangesOf(settings);
  if (!ranges) return (value) => value;
  const { electrical, engineering } = ranges;
  const slope = (electrical.max - electrical.min) / (engineering.max - engineering.min);
  return (value) => electrical.min + (value - engineering.min) * slope;
};
