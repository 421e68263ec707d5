import type { ClientBase, Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import { inPlace, type Place, placeOf, type Range, type Run, sorted } from "../../readings/index.ts";
import { type PackedHour, type StoredReading, unpackRun } from "../packing/packed-hour.ts";
import { emptyRun, type MixedHourReadings, readMixedHours } from "./mixed-hours.ts";

const hour = 3_600_000;

/** Packed readings per hour; $4: hours whose readings are loose. */
const countByHour =
  "SELECT hour, count FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3 AND hour <> ALL($4::int4[])";

const packedOf =
  "SELECT hour, steps, values, statuses FROM packed_hours WHERE channel_id = $1 AND hour = ANY($2::int4[])";

interface PointsRequest {
  client: ClientBase;
  channelId: number;
  range: Range;
  loose: MixedHourReadings;
  place: Place | undefined;
}

const newestFirst = ({ times, values, statuses }: Run): StoredReading[] =>
  Array.from(times, (ts, at) => ({ ts, value: values[at] ?? 0, status: statuses[at] ?? 0 })).reverse();

/** Readings of the given hours within the range, newest first. */
const readingsOf = async (
  { client, channelId, range, loose, place }: PointsRequest,
  hours: readonly number[],
): Promise<StoredReading[]> => {
  const packed = hours.filter((at) => !loose.hours.includes(at));
  const { rows } = await client.query<PackedHour>(packedOf + inPlace(place), [channelId, packed]);
  const wanted = new Set(hours);
  return newestFirst(sorted([...rows.map(unpackRun), loose.run])).filter(
    ({ ts }) => ts >= range.from && ts <= range.to && wanted.has(Math.floor(ts / hour)),
  );
};

interface HourCount {
  hour: number;
  count: number;
}

/** Readings per hour within the range, newest hour first. */
const countsOf = async (request: PointsRequest): Promise<HourCount[]> => {
  const { client, channelId, range, loose, place } = request;
  const { from, to } = range;
  const hours = [Math.floor(from / hour), Math.floor(to / hour)];
  const { rows } = await client.query<HourCount>(countByHour + inPlace(place), [channelId, ...hours, loose.hours]);
  const counts = new Map(rows.map((row) => [row.hour, row.count]));
  // An hour that the range cuts is counted reading by reading.
  const cut = rows.map((row) => row.hour).filter((at) => at * hour < from || (at + 1) * hour - 1 > to);
  for (const at of cut) counts.set(at, 0);
  const single = cut.length > 0 ? await readingsOf({ ...request, loose: { run: emptyRun, hours: [] } }, cut) : [];
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
    const loose = await readMixedHours(client, channelId, range, place);
    const request = { client, channelId, range, loose, place };
    const counts = await countsOf(request);
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const [begin, end] = [(page - 1) * size, page * size];
    const { hours, skipped } = hoursOfPage(counts, begin, end);
    if (hours.length === 0) return { rows: [], total };
    const readings = await readingsOf(request, hours);
    return { rows: readings.slice(begin - skipped, end - skipped), total };
  });
