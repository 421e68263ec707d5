import type { Runner } from "../../platform/database/runner.ts";
import { askPlaces, hotReadings, inPlace, type Range, type Run, sorted, theChannels } from "../../readings/index.ts";
import { type PackedHour, unpackRun } from "../packing/packed-hour.ts";

const hourLength = 3_600_000;

/** $3 and $4: first and last of the hours, which spares the other months. */
const packedOf = `
  SELECT channel_id, hour, steps, values, statuses FROM packed_hours
   WHERE (channel_id, hour) IN (SELECT * FROM unnest($1::int4[], $2::int4[])) AND hour BETWEEN $3 AND $4`;

interface PackedRow extends PackedHour {
  channel_id: number;
}

interface Wanted {
  channelId: number;
  /** Hours since the epoch in which it has readings, ascending. */
  hours: number[];
  range: Range;
}

const wantedOf = (channelId: number, { times }: Run): Wanted => {
  const hours: number[] = [];
  for (const time of times) {
    const hour = Math.floor(time / hourLength);
    if (hours.at(-1) !== hour) hours.push(hour);
  }
  return { channelId, hours, range: { from: times[0] ?? 0, to: times.at(-1) ?? 0 } };
};

const lengthOf = ({ from, to }: Range): number => to - from;

const spanOf = (wanted: readonly Wanted[]): Range => ({
  from: Math.min(...wanted.map(({ range }) => range.from)),
  to: Math.max(...wanted.map(({ range }) => range.to)),
});

/** Channels whose readings are asked for together: all where they cover about the same time, otherwise each, so that no gap between them is read. */
const together = (wanted: readonly Wanted[]): (readonly Wanted[])[] => {
  const longest = Math.max(...wanted.map(({ range }) => lengthOf(range)));
  return lengthOf(spanOf(wanted)) <= 2 * longest + hourLength ? [wanted] : wanted.map((each) => [each]);
};

/** Hours that are read at once: each may have very many readings. */
const hoursAtOnce = 200;

type ChannelHour = readonly [channelId: number, hour: number];

const packedRows = (run: Runner, asked: readonly ChannelHour[]): Promise<PackedRow[][]> => {
  const hours = asked.map(([, hour]) => hour);
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  return askPlaces(run, theChannels([...new Set(asked.map(([id]) => id))]), async (_channels, place) => {
    const here = place ? asked.filter(([id]) => place.channelIds.includes(id)) : asked;
    const values = [here.map(([id]) => id), here.map(([, hour]) => hour), first, last];
    return (await run.query<PackedRow>({ text: packedOf + inPlace(place), values })).rows;
  });
};

/** Index of the first of these ascending times that is not before `time`. */
const firstFrom = (times: Float64Array, time: number): number => {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The readings at the times of others; both are in time order. */
const atTimesOf = (others: Run, { times, values, statuses }: Run): Run => {
  const kept: number[] = [];
  let at = firstFrom(others.times, times[0] ?? 0);
  for (let index = 0; index < times.length; index++) {
    const time = times[index] ?? 0;
    while ((others.times[at] ?? Number.POSITIVE_INFINITY) < time) at += 1;
    if (others.times[at] === time) kept.push(index);
  }
  return {
    times: Float64Array.from(kept, (index) => times[index] ?? 0),
    values: Float64Array.from(kept, (index) => values[index] ?? 0),
    statuses: Uint8Array.from(kept, (index) => statuses[index] ?? 0),
  };
};

/**
 * The stored readings of channels at the times of these, which are in time order, and perhaps some around. A few hours at a time: these may be one of
 * each hour of many years. Looks at what is not packed first: what is packed meanwhile is found twice, and not missed.
 */
export const knownReadings = async (
  run: Runner,
  wantedRuns: ReadonlyMap<number, Run>,
): Promise<ReadonlyMap<number, Run>> => {
  const found = new Map<number, Run[]>();
  const add = (channelId: number, part: Run): void => {
    const parts = found.get(channelId);
    if (parts) parts.push(part);
    else found.set(channelId, [part]);
  };
  const wanted = Array.from(wantedRuns, ([channelId, each]) => wantedOf(channelId, each));
  if (wanted.length === 0) return new Map();
  for (const part of together(wanted)) {
    const ids = part.map(({ channelId }) => channelId);
    for (const [channelId, hot] of await hotReadings(run, ids, spanOf(part))) add(channelId, hot);
  }
  const hours = wanted.flatMap(({ channelId, hours }) => hours.map((hour): ChannelHour => [channelId, hour]));
  for (let at = 0; at < hours.length; at += hoursAtOnce)
    for (const row of (await packedRows(run, hours.slice(at, at + hoursAtOnce))).flat()) {
      const asked = wantedRuns.get(row.channel_id);
      if (asked) add(row.channel_id, atTimesOf(asked, unpackRun(row)));
    }
  return new Map(Array.from(found, ([channelId, parts]) => [channelId, sorted(parts)] as const));
};
