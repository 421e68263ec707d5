import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { FleetChannel } from "../fleet.ts";
import type { Sensor } from "../instrument/sensor.ts";
import type { Random } from "../plant/random.ts";
import type { Station } from "../plant/station.ts";

/** Position of a value relative to the channel's alarm limits. */
export type Side = -1 | 0 | 1;

/** Decides when a channel reports. Intervals in milliseconds. */
export interface Reporter {
  /** The JSON key of its values. */
  key: string;
  code: string;
  /** May report at any moment: a contact, or a value with alarm limits. */
  isWatched: boolean;
  sensor: Sensor;
  interval: number;
  /** Interval between two reports of an unchanged value. */
  quiet: number;
  limits: Partial<ChannelSettings>;
  due: number;
  sent: number;
  sentAt: number;
  side: Side;
}

export const reporterFor = ({ code, settings }: FleetChannel, sensor: Sensor): Reporter => ({
  key: `${JSON.stringify(code)}:`,
  code,
  isWatched: sensor.isDiscrete || settings.higherAlarm !== undefined || settings.lowerAlarm !== undefined,
  sensor,
  interval: 60_000,
  quiet: 600_000,
  limits: settings,
  due: 0,
  sent: Number.NaN,
  sentAt: 0,
  side: 0,
});

/** Sets both intervals, in seconds. An unchanged value is reported every ten intervals unless configured otherwise. */
export const setReportInterval = (reporter: Reporter, seconds: number, quiet = 10 * seconds): void => {
  const interval = Math.max(1, seconds) * 1000;
  if (interval < reporter.interval) reporter.due = 0;
  reporter.interval = interval;
  reporter.quiet = Math.max(interval, quiet * 1000);
};

/** The side of the limits that a value is on, with hysteresis. */
export const sideOf = (value: number, limits: Partial<ChannelSettings>, before: Side): Side => {
  const { higherAlarm, lowerAlarm, higherHysteresis = 0, lowerHysteresis = 0 } = limits;
  if (higherAlarm !== undefined && value >= higherAlarm - (before === 1 ? higherHysteresis : 0)) return 1;
  if (lowerAlarm !== undefined && value <= lowerAlarm + (before === -1 ? lowerHysteresis : 0)) return -1;
  return 0;
};

/** The next report, aligned to the interval, so that channels with the same interval share a message. */
const nextDue = (ts: number, interval: number): number => (Math.floor(ts / interval) + 1) * interval;

/** Whether a limit has just been crossed: a device then reports at once. */
const hasCrossed = (reporter: Reporter, station: Station): boolean => {
  const side = sideOf(reporter.sensor.truth(station), reporter.limits, reporter.side);
  if (side === reporter.side) return false;
  reporter.side = side;
  return true;
};

/**
 * The value to report now, or undefined. A contact is reported when it changes; an analog value when its report is due or it crosses a limit; an
 * unchanged value only occasionally.
 */
export const report = (reporter: Reporter, station: Station, isBroken: boolean, draw: Random): number | undefined => {
  const { sensor } = reporter;
  const { ts } = station;
  const isDue = ts >= reporter.due;
  if (!isDue && !reporter.isWatched) return undefined;
  if (!isDue && !sensor.isDiscrete && (isBroken || !hasCrossed(reporter, station))) return undefined;
  if (isDue) reporter.due = nextDue(ts, reporter.interval);
  const value = isBroken ? sensor.broken : sensor.measure(station, draw);
  if (value === reporter.sent && ts - reporter.sentAt < reporter.quiet) return undefined;
  reporter.sent = value;
  reporter.sentAt = ts;
  return value;
};
