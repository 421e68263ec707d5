import { defaultNtc, type Ntc, ntcRange, ntcTypes } from "@telltale/contract/channel-types/options";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import { type ChannelSettings, ReadingStatus, SensorType, ValueForm } from "@telltale/contract/domains/channels";

const kelvin = 273.15;

/** Resistance in ohms to temperature in degC by the B equation; NaN for a resistance that is not above zero. */
export const ntcTemperature = ({ r25, b }: Ntc, ohms: number): number =>
  ohms > 0 ? 1 / (1 / (25 + kelvin) + Math.log(ohms / r25) / b) - kelvin : Number.NaN;

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
const meaning = Object.values(settingsByKey).flatMap(({ field, changesMeaning }) =>
  field && changesMeaning ? [field] : [],
);

/** Whether a reading means the same under both settings. */
export const isSameScale = (a: ChannelSettings, b: ChannelSettings): boolean =>
  meaning.every((field) => a[field] === b[field]);

/** Settings and from when on they held, epoch milliseconds. */
export interface Held {
  from: number;
  settings: ChannelSettings;
}

/** A scale that has held until its settings were changed; `from` is epoch milliseconds, -Infinity for the first. */
export interface EarlierScale {
  from: number;
  scale: Scale;
}

/** What a channel's readings are scaled by, at whatever time they were made. */
export interface Scales {
  scale: Scale;
  /** From when on `scale` holds, epoch milliseconds; -Infinity when no other ever did. */
  scaledFrom: number;
  earlierScales: readonly EarlierScale[];
}

/**
 * The scales of a channel by its settings periods, the one in force first and then backwards. Periods that scale alike are one; the first reaches
 * back to whatever the device had measured before.
 */
export const scalesOf = ([inForce, ...earlier]: readonly [Held, ...Held[]]): Scales => {
  const runs: [Held, ...Held[]] = [inForce];
  for (const held of earlier) {
    const last = runs.at(-1) ?? inForce;
    if (isSameScale(last.settings, held.settings)) runs[runs.length - 1] = { ...last, from: held.from };
    else runs.push(held);
  }
  const first = runs.length - 1;
  const [current, ...others] = runs;
  return {
    scale: scaleOf(current.settings),
    scaledFrom: first === 0 ? Number.NEGATIVE_INFINITY : current.from,
    earlierScales: others.map(({ from, settings }, at) => ({
      from: at === first - 1 ? Number.NEGATIVE_INFINITY : from,
      scale: scaleOf(settings),
    })),
  };
};

/** The scale that held when a reading was made. `isInForce` is false for readings of earlier settings: they mean something else. */
export const scaleAt = (
  { scale, scaledFrom, earlierScales }: Scales,
  ts: number,
): { scale: Scale; isInForce: boolean } => {
  if (ts >= scaledFrom) return { scale, isInForce: true };
  return { scale: earlierScales.find(({ from }) => ts >= from)?.scale ?? scale, isInForce: false };
};
