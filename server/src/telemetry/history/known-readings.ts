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

const packedRuns = async (run: Runner, wanted: readonly Wanted[]): Promise<(readonly [number, Run])[]> => {
  const ids = wanted.map(({ channelId }) => channelId);
  const [first, last] = [Math.floor(spanOf(wanted).from / hourLength), Math.floor(spanOf(wanted).to / hourLength)];
  const rows = await askPlaces(run, theChannels(ids), async (_channels, place) => {
    const here = place ? wanted.filter(({ channelId }) => place.channelIds.includes(channelId)) : wanted;
    const pairs = here.flatMap(({ channelId, hours }) => hours.map((hour) => [channelId, hour] as const));
    const values = [pairs.map(([id]) => id), pairs.map(([, hour]) => hour), first, last];
    return (await run.query<PackedRow>({ text: packedOf + inPlace(place), values })).rows;
  });
  return rows.flat().map((row) => [row.channel_id, unpackRun(row)] as const);
};

/**
 * The stored readings of channels around these, which are in time order: at least those of the hours from the first to the last of each channel that
 * have readings here. Looks at what is not packed first: what is packed meanwhile is found twice, and not missed.
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
  for (const [channelId, packed] of await packedRuns(run, wanted)) add(channelId, packed);
  return new Map(Array.from(found, ([channelId, parts]) => [channelId, sorted(parts)] as const));
};
