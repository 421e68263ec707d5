import type { ClientBase, Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { hotReadings, inPlace, type Place, placeOf, type Range, type Run, sorted } from "../../readings/index.ts";
import { type PackedHour, unpackRun } from "../packing/packed-hour.ts";
import { type Buckets, createBuckets, type Line } from "./buckets.ts";
import { cut, emptyRun, type MixedHourReadings, mixHours, readMixedHours } from "./mixed-hours.ts";

const minute = 60_000;
const hour = 60 * minute;

/**
 * Hours of a channel: their summaries, and their packed readings, which are null where these are no longer kept. $1: channel; $2 and $3: first and last
 * hour; $4: hours with packed and unpacked readings. The range stands twice because the months are chosen by it.
 */
const withReadings = (place?: Place): string => `
  FROM hour_summaries s LEFT JOIN packed_hours p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.channel_id = $1 AND p.hour BETWEEN $2 AND $3${inPlace(place, "p")}
 WHERE s.channel_id = $1 AND s.hour BETWEEN $2 AND $3 AND s.hour <> ALL($4::int4[])${inPlace(place, "s")} ORDER BY s.hour`;

const packedReadings = (place?: Place): string => `
  SELECT s.hour, p.steps, p.values, p.statuses, s.count, s.min, s.max ${withReadings(place)}`;

/** Summaries aggregated to the bucket length, so that years cost no more than months. */
const packedHours = (place?: Place): string => `
  SELECT min(hour) AS hour, (max(hour) - min(hour) + 1) AS hours, min(min) AS min, max(max) AS max, sum(count)::int AS count
    FROM hour_summaries WHERE channel_id = $1 AND hour BETWEEN $2 AND $3 AND hour <> ALL($4::int4[])${inPlace(place)} GROUP BY hour / $5::int ORDER BY 1`;

/** Minute summaries of the hours that have them; the reading arrays of the others, which hold few readings. */
const packedMinutes = (place?: Place): string => `
  SELECT s.hour, coalesce(p.minute_counts, p.minute_count::int[]) AS minute_counts, p.minute_min, p.minute_max, s.count, s.min, s.max,
         CASE WHEN p.minute_min IS NULL THEN p.steps END AS steps, CASE WHEN p.minute_min IS NULL THEN p.values END AS values
    ${withReadings(place)}`;

/** An hour with its summary. */
interface Summarised {
  hour: number;
  count: number;
  min: number;
  max: number;
}

/** An hour with its readings, as far as they are kept. */
type MaybePacked = Summarised & (PackedHour | { steps: null; values: null; statuses: null });

interface ChartRequest {
  client: ClientBase;
  channelId: number;
  from: number;
  to: number;
  buckets: Buckets;
  mixed: MixedHourReadings;
  place: Place | undefined;
}

const addWhole = (buckets: Buckets, row: PackedHour, from: number, to: number): void => {
  const { times, values } = unpackRun(row);
  for (let at = 0; at < times.length; at++) {
    const ts = times[at] ?? 0;
    if (ts >= from && ts <= to) buckets.addReading(ts, values[at] ?? 0);
  }
};

/** An hour whose readings are no longer kept, wholly: which of them lie in the range is not known. */
const addSummary = (buckets: Buckets, row: Summarised): void =>
  buckets.addSummary(row.hour * hour, hour, row.min, row.max, row.count);

const addPackedReadings = async (
  { client, channelId, from, to, buckets, mixed, place }: ChartRequest,
  firstHour: number,
  lastHour: number,
): Promise<void> => {
  if (lastHour < firstHour) return;
  const { rows } = await client.query<MaybePacked>(packedReadings(place), [
    channelId,
    firstHour,
    lastHour,
    mixed.hours,
  ]);
  for (const row of rows)
    if (row.steps) addWhole(buckets, row, from, to);
    else addSummary(buckets, row);
};

/** First and last hour that lie wholly in the range; the partial hours at both ends are read reading by reading. */
const innerHours = (from: number, to: number): [number, number] => [
  Math.ceil(from / hour),
  Math.floor((to + 1) / hour) - 1,
];

const addEdges = async (request: ChartRequest, [first, last]: [number, number]): Promise<void> => {
  const [begin, end] = [Math.floor(request.from / hour), Math.floor(request.to / hour)];
  if (last < first) return addPackedReadings(request, begin, end);
  await addPackedReadings(request, begin, first - 1);
  await addPackedReadings(request, last + 1, end);
};

const addHours = async (request: ChartRequest, length: number): Promise<void> => {
  const { client, channelId, buckets, mixed, place } = request;
  const inner = innerHours(request.from, request.to);
  await addEdges(request, inner);
  const step = Math.max(1, Math.floor(length / hour));
  const { rows } = await client.query<{ hour: number; hours: number; min: number; max: number; count: number }>(
    packedHours(place),
    [channelId, ...inner, mixed.hours, step],
  );
  for (const row of rows) buckets.addSummary(row.hour * hour, row.hours * hour, row.min, row.max, row.count);
};

interface MinuteRow extends Summarised {
  minute_counts: number[] | null;
  minute_min: number[] | null;
  minute_max: number[] | null;
  steps: number[] | null;
  values: number[] | null;
}

const addMinutes = async (request: ChartRequest): Promise<void> => {
  const { client, channelId, from, to, buckets, mixed, place } = request;
  const inner = innerHours(from, to);
  await addEdges(request, inner);
  const { rows } = await client.query<MinuteRow>(packedMinutes(place), [channelId, ...inner, mixed.hours]);
  for (const row of rows) {
    if (row.steps && row.values)
      addWhole(buckets, { hour: row.hour, steps: row.steps, values: row.values, statuses: null }, from, to);
    else if (!row.minute_counts) addSummary(buckets, row);
    row.minute_counts?.forEach((count, at) => {
      const [min, max] = [row.minute_min?.[at], row.minute_max?.[at]];
      if (count > 0 && typeof min === "number" && typeof max === "number")
        buckets.addSummary(row.hour * hour + at * minute, minute, min, max, count);
    });
  }
};

const addRun = (buckets: Buckets, { times, values }: Run): void => {
  for (let at = 0; at < times.length; at++) buckets.addReading(times[at] ?? 0, values[at] ?? 0);
};

/**
 * First and last packed time of a channel within a range, so that no points are spent on empty time; and its readings, counted up to $4. The first rows
 * reveal a dense channel, so that only a sparse one has its hours counted. $5: hours that are not counted.
 */
const overview = (place?: Place): string => `
  WITH hours AS (SELECT count FROM hour_summaries WHERE channel_id = $1 AND hour BETWEEN $2::bigint / ${hour} AND $3::bigint / ${hour} AND hour <> ALL($5::int4[])${inPlace(place)})
  SELECT min(hour)::bigint * ${hour} AS first, (max(hour)::bigint + 1) * ${hour} - 1 AS last,
         CASE WHEN (SELECT sum(count) FROM (SELECT count FROM hours LIMIT 50) AS first_hours) > $4::int THEN $4 + 1
         ELSE coalesce((SELECT sum(count) FROM (SELECT count FROM hours LIMIT $4 + 1) AS all_hours), 0) END::int AS count
    FROM hour_summaries WHERE channel_id = $1 AND hour BETWEEN $2::bigint / ${hour} AND $3::bigint / ${hour}${inPlace(place)}`;

interface Overview {
  first: number | null;
  last: number | null;
  count: number;
}

/** All readings of the range; undefined when those of an hour are no longer kept. */
const allReadings = async ({
  client,
  channelId,
  from,
  to,
  mixed,
  place,
}: Omit<ChartRequest, "buckets">): Promise<Line | undefined> => {
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const packed = await client.query<MaybePacked>(packedReadings(place), [channelId, ...hours, mixed.hours]);
  const kept = packed.rows.filter((row) => row.steps !== null);
  if (kept.length < packed.rows.length) return undefined;
  const { times, values } = sorted([...kept.map(unpackRun), mixed.run]);
  const inRange = Array.from(times.keys()).filter((at) => (times[at] ?? 0) >= from && (times[at] ?? 0) <= to);
  return {
    xs: inRange.map((at) => times[at] ?? 0),
    ys: inRange.map((at) => values[at] ?? 0),
    count: inRange.length,
  };
};

/** Adds stored data to the buckets, at the resolution that buckets of this length need. */
const addAll = async (request: ChartRequest, length: number): Promise<void> => {
  if (length >= hour) await addHours(request, length);
  else if (length >= minute) await addMinutes(request);
  else await addPackedReadings(request, Math.floor(request.from / hour), Math.floor(request.to / hour));
  addRun(request.buckets, request.mixed.run);
};

/** Length of a bucket of two points, milliseconds. */
const bucketLength = (from: number, to: number, maxPoints: number): number =>
  (to - from + 1) / Math.max(1, Math.floor(maxPoints / 2));

/** The line of a range that is read reading by reading: its statements do not need each other's answers, so it takes one round trip. */
const shortLine = async (
  { client, channelId, place }: Pick<ChartRequest, "client" | "channelId" | "place">,
  range: Range,
  maxPoints: number,
): Promise<Line> => {
  const hours = [Math.floor(range.from / hour), Math.floor(range.to / hour)];
  const [{ rows }, found] = await Promise.all([
    client.query<MaybePacked>(packedReadings(place), [channelId, ...hours, []]),
    hotReadings(client, [channelId], range),
  ]);
  const kept = rows.filter((row) => row.steps !== null);
  const summaries = rows.filter((row) => row.steps === null);
  const mixed = mixHours(found.get(channelId) ?? emptyRun, kept, range);
  const alone = kept.filter((row) => !mixed.hours.includes(row.hour)).map((row) => cut(unpackRun(row), range));
  const runs = [...alone, mixed.run].filter(({ times }) => times.length > 0);
  const count = runs.reduce((sum, { times }) => sum + times.length, 0);
  if (summaries.length === 0 && count <= maxPoints) {
    const { times, values } = sorted(runs);
    return { xs: [...times], ys: [...values], count };
  }
  const starts = [...runs.map(({ times }) => times[0] ?? 0), ...summaries.map((row) => row.hour * hour)];
  const ends = [...runs.map(({ times }) => times.at(-1) ?? 0), ...summaries.map((row) => (row.hour + 1) * hour - 1)];
  const begin = Math.max(range.from, Math.min(...starts));
  const buckets = createBuckets(begin, Math.min(range.to, Math.max(...ends)), maxPoints);
  for (const run of runs) addRun(buckets, run);
  for (const row of summaries) addSummary(buckets, row);
  return buckets.line();
};

/**
 * A channel's line from `from` to `to` (epoch milliseconds, both included) in at most `maxPoints` points. No minimum or maximum is lost. A year is
 * read from hours, a week from minutes, an hour from its readings, so the cost depends on the points and not on the readings. When there are no more
 * readings than points, each is drawn at its exact time. Hours whose readings are no longer kept are drawn by their minimum and maximum. Reads one
 * snapshot: an hour that is packed meanwhile is neither missed nor counted twice.
 */
export const chartOf = (pool: Pool, channelId: number, from: number, to: number, maxPoints: number): Promise<Line> =>
  inSnapshot(pool, async (client) => {
    const place = await placeOf(client, channelId);
    if (bucketLength(from, to, maxPoints) < minute)
      return shortLine({ client, channelId, place }, { from, to }, maxPoints);
    const mixed = await readMixedHours(client, channelId, { from, to }, place);
    const { rows } = await client.query<Overview>(overview(place), [channelId, from, to, maxPoints, mixed.hours]);
    const { first, last, count } = rows[0] ?? { first: null, last: null, count: 0 };
    const begin = Math.max(
      from,
      Math.min(first ?? Number.POSITIVE_INFINITY, mixed.run.times[0] ?? Number.POSITIVE_INFINITY),
    );
    const end = Math.min(
      to,
      Math.max(last ?? Number.NEGATIVE_INFINITY, mixed.run.times.at(-1) ?? Number.NEGATIVE_INFINITY),
    );
    if (begin > end) return { xs: [], ys: [], count: 0 };
    const request = { client, channelId, from: begin, to: end, mixed, place };
    if (count + mixed.run.times.length <= maxPoints) {
      const line = await allReadings(request);
      if (line) return line;
    }
    const buckets = createBuckets(begin, end, maxPoints);
    await addAll({ ...request, buckets }, bucketLength(begin, end, maxPoints));
    return buckets.line();
  });
