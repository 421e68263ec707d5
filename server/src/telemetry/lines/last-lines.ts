import type { Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { type Range, type Run, runsOf, sorted } from "../../readings/index.ts";
import { cut } from "../history/mixed-hours.ts";
import { completeFrom } from "./hot-parts.ts";
import { createKnownLines } from "./known-lines.ts";
import { packedMinutes, pointsOf } from "./packed-minutes.ts";

const hourLength = 3_600_000;

/** Points of a line in time order, epoch milliseconds. */
export interface Thinned {
  times: number[];
  values: number[];
}

/** The run in at most `maxPoints` points: as it is, or the extremes of equal parts of the range, in the order in which they came. */
export const thinned = ({ times, values }: Run, range: Range, maxPoints: number): Thinned => {
  const { from } = range;
  if (times.length <= maxPoints) return { times: [...times], values: [...values] };
  const length = (range.to - from + 1) / Math.floor(maxPoints / 2);
  const line: Thinned = { times: [], values: [] };
  const end = times.length;
  for (let at = 0; at < end; ) {
    const until = from + (Math.floor(((times[at] ?? 0) - from) / length) + 1) * length;
    let [low, high] = [at, at];
    for (; at < end && (times[at] ?? 0) < until; at++) {
      if ((values[at] ?? 0) < (values[low] ?? 0)) low = at;
      if ((values[at] ?? 0) > (values[high] ?? 0)) high = at;
    }
    for (const point of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
      line.times.push(times[point] ?? 0);
      line.values.push(values[point] ?? 0);
    }
  }
  return line;
};

/** Reads the lines of many channels over the same short range, in at most `maxPoints` points each; channels without readings there are left out. */
export type LastLines = (
  channelIds: readonly number[],
  range: Range,
  maxPoints: number,
) => Promise<ReadonlyMap<number, Thinned>>;

/**
 * Creates the reader of lines. Of what is merged it keeps the extremes of half minutes, so that a console that asks again reads what has been merged since
 * and what is unmerged; at a thousand readings a second, or of devices with ten readings a second, an hour has too many chunks to be read each time. What
 * is packed meanwhile is found among the packed minutes, so that nothing is missed; of a reading that is found twice nothing is seen. Two statements for
 * all channels, on one snapshot.
 */
export const createLastLines = (pool: Pool): LastLines => {
  const lines = createKnownLines(pool);
  return async (channelIds, range, maxPoints) => {
    const [first, last] = [Math.floor(range.from / hourLength), Math.floor(range.to / hourLength)];
    const known = await lines.of(
      channelIds,
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    );
    const ids = known.map(({ channelId }) => channelId);
    const [packed, unmerged] = await inSnapshot(pool, (client) =>
      Promise.all([packedMinutes(client, ids, [first, last]), completeFrom(client, known, range)]),
    );
    const packedOf = Map.groupBy(packed, (row) => row.channel_id);
    const unmergedOf = runsOf(unmerged);
    const found = new Map<number, Thinned>();
    for (const { channelId, hours } of known) {
      const cellsOf = new Map(hours.map(({ hour, cells }) => [hour, cells] as const));
      const runs: Run[] = [
        ...(packedOf.get(channelId) ?? []).map((row) => pointsOf(row, cellsOf.get(row.hour))),
        ...hours.map(({ cells }) => cells.run(range)),
      ];
      const own = unmergedOf.get(channelId);
      const run = cut(sorted(own ? [...runs, own] : runs), range);
      if (run.times.length > 0) found.set(channelId, thinned(run, range, maxPoints));
    }
    return found;
  };
};
