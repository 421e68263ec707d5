import type { Pool } from "pg";
import type { Runner } from "../../platform/database/runner.ts";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import {
  askPlaces,
  extremesAt,
  hotReadings,
  inPlace,
  joined,
  type Place,
  type Range,
  type Run,
  sorted,
  theChannels,
} from "../../readings/index.ts";
import { unpackRun } from "../packing/packed-hour.ts";
import { cut, emptyRun } from "./mixed-hours.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Of a channel's packed hours their minutes, and the readings of those that hold too few to have minutes. */
const packedOf = (place?: Place): string => `
  SELECT s.channel_id, s.hour, s.min, s.max, coalesce(p.minute_counts, p.minute_count::int[]) AS minute_counts, p.minute_min, p.minute_max,
         CASE WHEN p.minute_min IS NULL THEN p.steps END AS steps, CASE WHEN p.minute_min IS NULL THEN p.values END AS values
    FROM hour_summaries s LEFT JOIN packed_hours p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.channel_id = ANY($1::int4[]) AND p.hour BETWEEN $2 AND $3${inPlace(place, "p")}
   WHERE s.channel_id = ANY($1::int4[]) AND s.hour BETWEEN $2 AND $3${inPlace(place, "s")}`;

interface PackedRow {
  channel_id: number;
  hour: number;
  min: number;
  max: number;
  minute_counts: number[] | null;
  minute_min: (number | null)[] | null;
  minute_max: (number | null)[] | null;
  steps: number[] | null;
  values: number[] | null;
}

const ofMinutes = ({ hour: at, minute_counts, minute_min, minute_max }: PackedRow): Run =>
  joined(
    (minute_counts ?? []).flatMap((count, index) => {
      const [min, max] = [minute_min?.[index], minute_max?.[index]];
      if (count === 0 || typeof min !== "number" || typeof max !== "number") return [];
      return extremesAt(at * hour + index * minute, minute, min, max);
    }),
  );

const unpacked = (row: PackedRow): Run => {
  if (row.steps && row.values)
    return unpackRun({ hour: row.hour, steps: row.steps, values: row.values, statuses: null });
  return row.minute_counts ? ofMinutes(row) : extremesAt(row.hour * hour, hour, row.min, row.max);
};

const packedRuns = async (
  client: Runner,
  channelIds: readonly number[],
  { from, to }: Range,
): Promise<Map<number, Run[]>> => {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const rows = await askPlaces(
    client,
    theChannels(channelIds),
    async ({ value }, place) =>
      (await client.query<PackedRow>({ text: packedOf(place), values: [value, ...hours] })).rows,
  );
  const byChannel = Map.groupBy(rows.flat(), (row) => row.channel_id);
  return new Map(Array.from(byChannel, ([channelId, found]) => [channelId, found.map(unpacked)] as const));
};

/** Points of a line in time order, epoch milliseconds. */
export interface Thinned {
  times: number[];
  values: number[];
}

/** How long the parts are of which the extremes are drawn, milliseconds. */
const partLength = ({ from, to }: Range, maxPoints: number): number => (to - from + 1) / Math.floor(maxPoints / 2);

/** The run in at most `maxPoints` points: as it is, or the extremes of equal parts of the range, in the order in which they came. */
export const thinned = ({ times, values }: Run, range: Range, maxPoints: number): Thinned => {
  const { from } = range;
  if (times.length <= maxPoints) return { times: [...times], values: [...values] };
  const length = partLength(range, maxPoints);
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

/**
 * The lines of many channels over the same short range, in at most `maxPoints` points each; channels without readings there are left out. Two statements for
 * all of them, on one snapshot. Of packed hours the minutes are read, and of seconds with very many readings the extremes, so that their cost does not depend on the readings.
 */
export const lastLines = (
  pool: Pool,
  channelIds: readonly number[],
  range: Range,
  maxPoints: number,
): Promise<Map<number, Thinned>> =>
  inSnapshot(pool, async (client) => {
    const [packed, hot] = await Promise.all([
      packedRuns(client, channelIds, range),
      hotReadings(client, channelIds, range, partLength(range, maxPoints)),
    ]);
    const lines = new Map<number, Thinned>();
    for (const channelId of channelIds) {
      const run = cut(sorted([...(packed.get(channelId) ?? []), hot.get(channelId) ?? emptyRun]), range);
      if (run.times.length > 0) lines.set(channelId, thinned(run, range, maxPoints));
    }
    return lines;
  });
