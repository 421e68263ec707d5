import type { LogGroup } from "@telltale/contract/domains/channels";
import { intervalsOf, type Settings, type Threshold, thresholdsOf } from "./channel-settings.ts";
import { type Intervals, intervalsIn, pacesAt, type TimedIntervals } from "./held.ts";
import type { Pace } from "./samples.ts";

/** Most settings periods that one call returns: a line is judged by the newest ones. */
export const mostPeriods = 200;

type Period = Settings & Pick<LogGroup, "startTime" | "endTime">;

/** The periods of a line that was read from this moment on, oldest first: one that ended before may have had another unit. */
export const periodsSince = <P extends Period>(periods: readonly P[], from: number): P[] =>
  periods
    .filter(({ endTime }) => endTime === null || endTime.getTime() > from)
    .toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());

const timed = (periods: readonly Period[]): TimedIntervals[] =>
  periods.map((period) => ({ since: period.startTime.getTime(), ...intervalsOf(period) }));

/** How often a channel was to report in these periods, oldest first. One that changes something else goes on with the pace of the one before. */
export const pacesOf = (periods: readonly Period[]): Pace[] => pacesAt(timed(periods));

/** The report intervals at each moment of these periods, oldest first. */
export const intervalsAt = (periods: readonly Period[]): ((time: number) => Intervals) => intervalsIn(timed(periods));

type TimedThreshold = Threshold & Required<Pick<Threshold, "during">>;

const isSame = (a: Threshold, b: Threshold): boolean => a.name === b.name && a.value === b.value && a.high === b.high;

/** The limits of these periods, oldest first, each for the time in which it was in force. */
export const thresholdsOver = (periods: readonly Period[]): Threshold[] => {
  const found: TimedThreshold[] = [];
  const stretches = periods.map(({ startTime, endTime }) => ({
    from: startTime.getTime(),
    until: endTime?.getTime() ?? Number.POSITIVE_INFINITY,
  }));
  periods.forEach((period, index) => {
    const during = stretches[index];
    if (!during) return;
    for (const limit of thresholdsOf(period)) {
      const before = found.find((each) => isSame(each, limit) && each.during.until === during.from);
      if (before) before.during.until = during.until;
      else found.push({ ...limit, during: { ...during } });
    }
  });
  const [first, last] = [stretches[0]?.from, stretches.at(-1)?.until];
  return found.map(({ during, ...limit }) =>
    during.from === first && during.until === last ? limit : { ...limit, during },
  );
};
