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

/** The part of a period that a range asks for; an absent end is the period's own. */
export const clipped = (
  period: Period,
  range: { startTime?: Date | undefined; endTime?: Date | undefined },
  now: number,
): Stretch => {
  const start = period.startTime.getTime();
  // At the moment of the change the next settings are already in force.
  const end = period.endTime ? period.endTime.getTime() - 1 : Math.max(now, period.last ?? now);
  return {
    from: Math.max(start, range.startTime?.getTime() ?? start),
    to: Math.min(end, range.endTime?.getTime() ?? end),
  };
};

export const isEmpty = ({ from, to }: Stretch): boolean => from > to;
