import { cutDecimals } from "@telltale/contract/call/number-text";
import { limitsOf } from "@telltale/contract/channel-types/index";
import { type ChannelSettings, type ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import type { RewoundChannel, RewoundPeriod } from "@telltale/contract/domains/readings/rewind";
import { reportWithinOf, shownStatus } from "../channels/rules.ts";
import { sensorRangeOf } from "../dashboards/rules.ts";

const minute = 60_000;

/** Lengths of a step, and most moments: a day in minutes. */
const steps = [1, 2, 5, 10, 15, 30, 60].map((minutes) => minutes * minute);
const mostSteps = 1_440;

interface Moments {
  from: number;
  step: number;
  count: number;
}

/** The moments of a window: whole steps of a clock, none after `now`. Epoch milliseconds. */
export const momentsOf = (from: number, to: number, now: number): Moments => {
  const step = steps.find((length) => to - from <= mostSteps * length) ?? 60 * minute;
  const first = Math.ceil(from / step) * step;
  const last = Math.floor(Math.min(to, now) / step) * step;
  return { from: first, step, count: Math.max(0, (last - first) / step + 1) };
};

interface Span {
  startTime: Date;
  endTime: Date | null;
}

/** A settings period of a channel, oldest first; see `TouchingPeriod`. */
interface Period {
  channelType: ChannelType;
  startTime: Date | null;
  settings: ChannelSettings;
  unitSince: Date | null;
}

/** What is known of a channel in the window. `times` are -Infinity where it had no reading. */
export interface ChannelHistory {
  channelId: number;
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
  periods: readonly Period[];
  /** When its device was offline. */
  offline: readonly Span[];
}

const shownPeriod = ({ channelType, startTime, settings }: Period): RewoundPeriod => ({
  startTime,
  unit: settings.unit,
  channelAnalogId: settings.analogId,
  limits: limitsOf(channelType, settings).map(({ alarmType, setpoint }) => ({ alarmType, setpoint })),
  reportWithin: reportWithinOf(settings),
  sensorRange: sensorRangeOf({ channelType, settings }),
});

/** A channel at each moment, as a list of its readings up to then, and its tile, would begin. */
export const rewoundChannel = (history: ChannelHistory, { from, step, count }: Moments): RewoundChannel => {
  const { channelId, times, periods, offline } = history;
  const since = periods.map(({ unitSince }) => unitSince?.getTime() ?? Number.NEGATIVE_INFINITY);
  const starts = periods.map(({ startTime }) => startTime?.getTime() ?? Number.NEGATIVE_INFINITY);
  const isOffline = (at: number) =>
    offline.some(({ startTime, endTime }) => startTime.getTime() <= at && (endTime === null || endTime.getTime() > at));
  const values: (number | null)[] = [];
  const statuses: number[] = [];
  const ages: (number | null)[] = [];
  let period = 0;
  // Many thousands of moments: a loop, because callbacks and objects for each would take several times as long.
  for (let index = 0; index < count; index++) {
    const at = from + index * step;
    while ((starts[period + 1] ?? Number.POSITIVE_INFINITY) <= at) period += 1;
    const ts = times[index] ?? Number.NEGATIVE_INFINITY;
    const isRead = Number.isFinite(ts) && ts >= (since[period] ?? Number.NEGATIVE_INFINITY);
    const reading = isRead ? { status: history.statuses[index] ?? ReadingStatus.good } : undefined;
    values.push(isRead ? cutDecimals(history.values[index] ?? 0) : null);
    statuses.push(shownStatus(reading, !isOffline(at)));
    ages.push(isRead ? Math.floor((at - ts) / minute) : null);
  }
  return { deviceChannelId: channelId, values, statuses, ages, periods: periods.map(shownPeriod) };
};
