import type { ClientBase, Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { hotReadings, inPlace, type Place, placeOf, type Range, type Run, sorted } from "../../readings/index.ts";
import { type PackedHour, type StoredReading, unpackRun } from "../packing/packed-hour.ts";
import { emptyRun, hoursOf, type MixedHourReadings, mixHours } from "./mixed-hours.ts";

const hour = 3_600_000;

const countByHour = "SELECT hour, count FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3";

const packedOf =
  "SELECT hour, steps, values, statuses FROM packed_hours WHERE channel_id = $1 AND hour = ANY($2::int4[])";

interface HourCount {
  hour: number;
  count: number;
}

interface PointsRequest {
  client: ClientBase;
  channelId: number;
  range: Range;
  place: Place | undefined;
}

/** What there is in the range: packed readings per hour, and those that must be read one by one. */
interface Found {
  counts: readonly HourCount[];
  loose: MixedHourReadings;
}

/** Packed hours, none without a round trip. */
const packedHours = async (
  { client, channelId, place }: PointsRequest,
  hours: readonly number[],
): Promise<PackedHour[]> => {
  if (hours.length === 0) return [];
  return (await client.query<PackedHour>(packedOf + inPlace(place), [channelId, hours])).rows;
};

/** Both statements are one round trip. */
const find = async (request: PointsRequest): Promise<Found> => {
  const { client, channelId, range, place } = request;
  const hours = [Math.floor(range.from / hour), Math.floor(range.to / hour)];
  const [hot = emptyRun, counts] = await Promise.all([
    hotReadings(client, [channelId], range).then((found) => found.get(channelId)),
    client.query<HourCount>(countByHour + inPlace(place), [channelId, ...hours]).then(({ rows }) => rows),
  ]);
  const hotHours = hoursOf(hot);
  const mixed = counts.map((row) => row.hour).filter((at) => hotHours.has(at));
  const loose = mixHours(hot, await packedHours(request, mixed), range);
  return { loose, counts: counts.filter((row) => !loose.hours.includes(row.hour)) };
};

const newestFirst = ({ times, values, statuses }: Run): StoredReading[] =>
  Array.from(times, (ts, at) => ({ ts, value: values[at] ?? 0, status: statuses[at] ?? 0 })).reverse();

/** Readings of the given hours within the range, newest first: of packed hours, and of those that are loose. */
const readingsOf = async (
  request: PointsRequest,
  { counts, loose }: Found,
  hours: readonly number[],
): Promise<StoredReading[]> => {
  const { from, to } = request.range;
  const wanted = new Set(hours);
  const packed = counts.map((row) => row.hour).filter((at) => wanted.has(at));
  const rows = await packedHours(request, packed);
  return newestFirst(sorted([...rows.map(unpackRun), loose.run])).filter(
    ({ ts }) => ts >= from && ts <= to && wanted.has(Math.floor(ts / hour)),
  );
};

/** Readings per hour within the range, newest hour first. */
const countsOf = async (request: PointsRequest, found: Found): Promise<HourCount[]> => {
  const { from, to } = request.range;
  const { counts: packed, loose } = found;
  const counts = new Map(packed.map((row) => [row.hour, row.count]));
  // An hour that the range cuts is counted reading by reading.
  const cut = packed.map((row) => row.hour).filter((at) => at * hour < from || (at + 1) * hour - 1 > to);
  for (const at of cut) counts.set(at, 0);
  const single = await readingsOf(request, { ...found, loose: { run: emptyRun, hours: [] } }, cut);
  for (const ts of [...single.map((reading) => reading.ts), ...loose.run.times]) {
    const at = Math.floor(ts / hour);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return Array.from(counts, ([at, count]) => ({ hour: at, count })).sort((a, b) => b.hour - a.hour);
};

interface Page {
  rows: StoredReading[];
  total: number;
}

/** The hours that a page touches, newest first, and how many readings precede the first of them. */
const hoursOfPage = (
  counts: readonly HourCount[],
  begin: number,
  end: number,
): { hours: number[]; skipped: number } => {
  const hours: number[] = [];
  let before = 0;
  let skipped = 0;
  for (const { hour: at, count } of counts) {
    if (before + count > begin && before < end && count > 0) hours.push(at);
    else if (before + count <= begin) skipped = before + count;
    before += count;
  }
  return { hours, skipped };
};

/**
 * A page of a channel's readings from `from` to `to` (epoch milliseconds, both included), newest first. `page` counts from 1. Only the hours that the
 * page touches are unpacked. Reads one snapshot: an hour that is packed meanwhile is neither missed nor returned twice.
 */
export const pointsOf = (
  pool: Pool,
  channelId: number,
  from: number,
  to: number,
  { page, size }: { page: number; size: number },
): Promise<Page> =>
  inSnapshot(pool, async (client) => {
    const range = { from, to };
    const place = await placeOf(client, channelId);
    const request = { client, channelId, range, place };
    const found = await find(request);
    const counts = await countsOf(request, found);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const [begin, end] = [(page - 1) * size, page * size];
    const { hours, skipped } = hoursOfPage(counts, begin, end);
    if (hours.length === 0) return { rows: [], total };
    const readings = await readingsOf(request, found, hours);
    return { rows: readings.slice(begin - skipped, end - skipped), total };
  });
