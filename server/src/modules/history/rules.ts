/** A stretch of time, both ends included, in epoch milliseconds. Empty when `from` is after `to`. */
export interface Stretch {
  from: number;
  to: number;
}

/** A settings period as far as its readings go. */
export interface Period {
  startTime: Date;
  /** Null while the settings are in force. */
  endTime: Date | null;
  /** Device time of the channel's last reading, epoch milliseconds; it may be ahead of the server's clock. */
  last: number | null;
}

/** What a range asks for: absent ends are the period's own; `latest` milliseconds instead of a start. */
interface AskedRange {
  startTime?: Date | undefined;
  endTime?: Date | undefined;
  latest?: number | undefined;
}

/**
 * Where the latest part of a period begins: it is counted back from the newest reading, so that it holds readings however long the device has
 * been silent, and however far its clock is behind. A clock that is ahead moves nothing out of it.
 */
const latestStart = ({ last }: Period, end: number, now: number, latest: number): number =>
  Math.min(end, now, last ?? now) - latest;

/** The part of a period that a range asks for. */
export const clipped = (period: Period, range: AskedRange, now: number): Stretch => {
  const start = period.startTime.getTime();
  // At the moment of the change the next settings are already in force.
  const end = period.endTime ? period.endTime.getTime() - 1 : Math.max(now, period.last ?? now);
  const asked = range.latest === undefined ? start : latestStart(period, end, now, range.latest);
  return {
    from: Math.max(start, range.startTime?.getTime() ?? asked),
    to: Math.min(end, range.endTime?.getTime() ?? end),
  };
};

export const isEmpty = ({ from, to }: Stretch): boolean => from > to;
