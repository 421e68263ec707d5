import { deviceLimits } from "@telltale/contract/device-api";
import { ReadingStatus } from "@telltale/contract/domains/channels";

/** Readings in columns, in the order of time and value. Times are epoch milliseconds. */
export interface Columns {
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
}

/** A time may be this much ahead of the server's clock, milliseconds: clocks differ. Nothing else that is past is ahead. */
const clockLead = 60_000;

/** What a channel's readings have to satisfy, epoch milliseconds. */
export interface Limits {
  now: number;
  /** Readings before are not kept; -Infinity when all are. */
  keptFrom: number;
}

/** Why a reading cannot be stored; undefined when it can. */
export const refusalOfReading = (
  time: number,
  value: number,
  status: number,
  { now, keptFrom }: Limits,
): string | undefined => {
  if (!Number.isInteger(time)) return "its time has parts of a millisecond";
  if (time < deviceLimits.earliest) return "its time is before 2000";
  if (time > now + clockLead) return "its time is in the future";
  if (time < keptFrom) return `readings before ${new Date(keptFrom).toISOString()} are no longer kept`;
  if (Math.abs(value) > deviceLimits.magnitude) return `its value is beyond ${deviceLimits.magnitude}`;
  return status === ReadingStatus.alarm || status === ReadingStatus.good || status === ReadingStatus.noData
    ? undefined
    : "there is no such status";
};

/** The readings of a run that are not in another one; both are in the order of time and value, without equal ones. */
export const withoutKnown = ({ times, values, statuses }: Columns, known: Columns | undefined): Columns => {
  if (!known) return { times, values, statuses };
  const kept: number[] = [];
  let at = 0;
  for (let index = 0; index < times.length; index++) {
    const [time = 0, value = 0] = [times[index], values[index]];
    while (
      at < known.times.length &&
      ((known.times[at] ?? 0) < time || (known.times[at] === time && (known.values[at] ?? 0) < value))
    )
      at += 1;
    if (known.times[at] !== time || known.values[at] !== value) kept.push(index);
  }
  if (kept.length === times.length) return { times, values, statuses };
  return {
    times: Float64Array.from(kept, (index) => times[index] ?? 0),
    values: Float64Array.from(kept, (index) => values[index] ?? 0),
    statuses: Uint8Array.from(kept, (index) => statuses[index] ?? 0),
  };
};

/**
 * The status plus 1 with which the newest of these readings is shown while none is newer, as in a `Block`: one in alarm elsewhere has no alert here, and
 * is shown as good.
 */
export const shownOf = ({ statuses }: Columns): number =>
  statuses.at(-1) === ReadingStatus.alarm ? ReadingStatus.good + 1 : 0;
