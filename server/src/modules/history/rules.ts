/** A time range, both ends included, in epoch milliseconds. Empty when `from` is after `to`. */
export interface Stretch {
  from: number;
  to: number;
}

/** A settings period with the extent of its readings. */
export interface Period {
  startTime: Date;
  /** Null while the settings are current. */
  endTime: Date | null;
  /** Device time of the channel's last reading, epoch milliseconds; may be ahead of the server's clock. */
  last: number | null;
}

/** The requested range: absent ends are the period's own; `latest` milliseconds instead of a start. */
interface RequestedRange {
  startTime?: Date | undefined;
  endTime?: Date | undefined;
  latest?: number | undefined;
}

/**
 * Start of the latest part of a period: counted back from now, or from the newest reading where that part would have none, so that it contains
 * readings however long the device has been silent or how far its clock is behind. A clock that is ahead removes nothing from it.
 */
const latestStart = ({ last }: Period, end: number, now: number, latest: number): number => {
  const until = Math.min(end, now);
  return (last !== null && last < until - latest ? last : until) - latest;
};

/** The part of a period within a range. */
export const clipped = (period: Period, range: RequestedRange, now: number): Stretch => {
  const start = period.startTime.getTime();
  // At the moment of the change the next settings are already current.
  const end = period.endTime ? period.endTime.getTime() - 1 : Math.max(now, period.last ?? now);
  const from = range.latest === undefined ? start : latestStart(period, end, now, range.latest);
  return {
    from: Math.max(start, range.startTime?.getTime() ?? from),
    to: Math.min(end, range.endTime?.getTime() ?? end),
  };
};

export const isEmpty = ({ from, to }: Stretch): boolean => from > to;

/** A settings period by its unit. */
interface UnitPeriod {
  startTime: Date;
  endTime: Date | null;
  unit: string;
}

/** The periods (oldest first) around the one that was current at the moment, as far as the unit is the same, as one; undefined without any. */
export const inOneUnit = (periods: readonly UnitPeriod[], at: Date): UnitPeriod | undefined => {
  const current = Math.max(
    0,
    periods.findLastIndex(({ startTime }) => startTime <= at),
  );
  const unit = periods[current]?.unit;
  if (unit === undefined) return undefined;
  const later = periods.findIndex((period, index) => index > current && period.unit !== unit);
  const first = periods[periods.findLastIndex((period, index) => index < current && period.unit !== unit) + 1];
  const last = periods[(later < 0 ? periods.length : later) - 1];
  return first && last && { startTime: first.startTime, endTime: last.endTime, unit };
};
