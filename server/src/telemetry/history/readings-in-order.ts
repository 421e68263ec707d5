import type { Pool } from "pg";
import { inSnapshot } from "../../platform/database/snapshot.ts";
import {
  askPlaces,
  askReadable,
  type ChannelSource,
  edgeOf,
  groupOf,
  hotReadings,
  inPlace,
  joined,
  type Marking,
  type PackedEdge,
  type Place,
  type Range,
  type Run,
  theChannels,
} from "../../readings/index.ts";
import { type PackedHour, type StoredReading, unpackRun } from "../packing/packed-hour.ts";

const hour = 3_600_000;

/** Approximate readings per query: small to save memory, large enough to be efficient. */
const batchSize = 5_000;
/** Readings per yielded array: few, so that objects built from them are collected while young. */
const yieldSize = 200;

export interface ChannelReading extends StoredReading {
  channelId: number;
}

/**
 * Approximate readings per hour; unpacked ones count for their whole device, and those of a batch for its first hour. $2 and $3: device groups and
 * devices of the channels.
 */
const countByHour = (place?: Place): string => `
  SELECT hour, sum(count)::int AS count FROM (
    SELECT hour, count FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $4 AND $5${inPlace(place)}
    UNION ALL
    SELECT hour, count FROM chunks WHERE device_group = ANY($2::int2[]) AND device_id = ANY($3::int[]) AND hour BETWEEN $4 AND $5
    UNION ALL
    SELECT greatest($4, first_ts / ${hour})::int, count FROM batches WHERE device_group = ANY($2::int2[]) AND device_ids && $3::int[]
       AND first_ts <= $7 AND last_ts >= $6
  ) AS counts GROUP BY hour ORDER BY hour`;

const packedOf = (place?: Place): string => `
  SELECT channel_id, hour, steps, values, statuses FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3${inPlace(place)} ORDER BY hour`;

interface PackedRow extends PackedHour {
  channel_id: number;
}

/** Readings of one channel in time order, in columns: objects are created only when yielded. */
interface OpenRun extends Run {
  channelId: number;
  /** Index of the next reading. */
  at: number;
}

const good = 1;

/** One run per channel for its packed hours, and one for its hot readings; by channel. */
const runsOf = (packed: readonly PackedRow[], hot: ReadonlyMap<number, Run>): OpenRun[] => {
  const byChannel = Map.groupBy(packed, (row) => row.channel_id);
  return [
    ...Array.from(byChannel, ([channelId, rows]) => ({ channelId, ...joined(rows.map(unpackRun)), at: 0 })),
    ...Array.from(hot, ([channelId, run]) => ({ channelId, ...run, at: 0 })),
  ].sort((a, b) => a.channelId - b.channelId);
};

/** Time of the next reading; infinity when the run is exhausted. */
const timeOf = ({ times, at }: OpenRun): number => times[at] ?? Number.POSITIVE_INFINITY;

const earliestOf = (runs: readonly OpenRun[]): number => {
  let earliest = Number.POSITIVE_INFINITY;
  for (const run of runs) earliest = Math.min(earliest, timeOf(run));
  return earliest;
};

/** The least of the values that a channel's runs have next at this time; undefined when there is none. */
const leastOf = (runs: readonly OpenRun[], ts: number): number | undefined => {
  let least: number | undefined;
  for (const run of runs) {
    const value = timeOf(run) === ts ? run.values[run.at] : undefined;
    if (value !== undefined && (least === undefined || value < least)) least = value;
  }
  return least;
};

/** Advances each run of a channel whose next reading is this one; returns the gravest status that any of them has for it. */
const pass = (runs: readonly OpenRun[], ts: number, value: number): number => {
  let status = Number.POSITIVE_INFINITY;
  // Each step goes on, also at a value that has no order.
  for (const run of runs)
    if (timeOf(run) === ts && !((run.values[run.at] ?? 0) > value))
      status = Math.min(status, run.statuses[run.at++] ?? good);
  return status;
};

/** Readings by time, channel and value; one that is in both runs of its channel once: a late one may be packed and, resent, also hot. */
function* merged(runs: readonly OpenRun[]): Generator<ChannelReading> {
  const byChannel = Array.from(Map.groupBy(runs, ({ channelId }) => channelId));
  for (let ts = earliestOf(runs); ts < Number.POSITIVE_INFINITY; ts = earliestOf(runs))
    for (const [channelId, own] of byChannel)
      for (let value = leastOf(own, ts); value !== undefined; value = leastOf(own, ts))
        yield { channelId, ts, value, status: pass(own, ts, value) };
}

/**
 * Divides the range into batches at hours, each of about as many readings as one query should return. They cover the whole range, whatever the
 * counts say: these are approximate.
 */
const batchesOf = (
  counts: readonly { hour: number; count: number }[],
  lastHour: number,
): [first: number, last: number][] => {
  const firsts: number[] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const { hour: at, count } of counts) {
    if (held + count > batchSize) {
      firsts.push(at);
      held = 0;
    }
    held += count;
  }
  return firsts.map((first, index) => [first, (firsts[index + 1] ?? lastHour + 1) - 1]);
};

interface HourCount {
  hour: number;
  count: number;
}

/** The counts of several device groups together, hours ascending. */
const added = (counts: readonly HourCount[][]): HourCount[] => {
  const [only = []] = counts;
  if (counts.length < 2) return only;
  const sums = new Map<number, number>();
  for (const { hour: at, count } of counts.flat()) sums.set(at, (sums.get(at) ?? 0) + count);
  return Array.from(sums, ([at, count]) => ({ hour: at, count })).sort((a, b) => a.hour - b.hour);
};

/** Devices and their groups of these channels. */
const devicesOf = async (
  pool: Pool,
  channelIds: readonly number[],
  place?: Place,
): Promise<{ groups: readonly number[]; devices: readonly number[] }> => {
  if (place) return { groups: [place.group], devices: place.deviceIds };
  const { rows } = await pool.query<{ device_id: number }>(
    "SELECT DISTINCT device_id FROM channels WHERE channel_id = ANY($1::int[])",
    [channelIds],
  );
  const devices = rows.map((row) => row.device_id);
  return { groups: [...new Set(devices.map(groupOf))], devices };
};

/**
 * Yields all readings of the channels from `from` to `to` (epoch milliseconds, both included), in time order, a batch of whole hours at a time. No
 * connection is held between batches, so that a slow consumer blocks no one. Damaged rows are marked and left out: a file that has begun ends.
 */
export async function* readingsInOrder(
  needs: Marking,
  channelIds: readonly number[],
  from: number,
  to: number,
): AsyncGenerator<ChannelReading[]> {
  const { pool } = needs;
  const [firstHour, lastHour] = [Math.floor(from / hour), Math.floor(to / hour)];
  const count = () =>
    askPlaces(pool, theChannels(channelIds), async ({ value }, place) => {
      const { groups, devices } = await devicesOf(pool, channelIds, place);
      const values = [value, groups, devices, firstHour, lastHour, from, to];
      return (await pool.query<HourCount>(countByHour(place), values)).rows;
    });
  // An hour is not divided: there is nothing to count.
  const counts = firstHour === lastHour ? [[{ hour: firstHour, count: 0 }]] : await count();
  for (const [first, last] of batchesOf(added(counts), lastHour)) {
    const range = { from: Math.max(from, first * hour), to: Math.min(to, (last + 1) * hour - 1) };
    // One snapshot: an hour that is packed meanwhile is neither missed nor returned twice.
    const readRuns = () =>
      inSnapshot(pool, async (client) => {
        const packed = askPlaces(client, theChannels(channelIds), async ({ value }, place) => {
          return (await client.query<PackedRow>(packedOf(place), [value, first, last])).rows;
        });
        const [rows, hot] = await Promise.all([packed, hotReadings(client, channelIds, range)]);
        return runsOf(rows.flat(), hot);
      });
    const runs = await askReadable(needs, readRuns);
    let given: ChannelReading[] = [];
    for (const reading of merged(runs)) {
      if (reading.ts < range.from || reading.ts > range.to) continue;
      if (given.push(reading) < yieldSize) continue;
      yield given;
      given = [];
    }
    if (given.length > 0) yield given;
  }
}

const anyPacked = (place?: Place): string =>
  `SELECT 1 FROM packed_hours WHERE channel_id = ANY($1::int[]) AND hour BETWEEN $2 AND $3${inPlace(place)} LIMIT 1`;

/** Whether these channels have a reading in the hours of the range. */
export const hasReadings = async (pool: Pool, channelIds: readonly number[], range: Range): Promise<boolean> => {
  const hours = [Math.floor(range.from / hour), Math.floor(range.to / hour)];
  return inSnapshot(pool, async (client) => {
    const packed = await askPlaces(client, theChannels(channelIds), async ({ value }, place) => {
      return (await client.query(anyPacked(place), [value, ...hours])).rows;
    });
    return packed.flat().length > 0 || (await hotReadings(client, channelIds, range)).size > 0;
  });
};

const hotStretches = `
  SELECT s.place::int AS place FROM unnest($3::int8[], $4::int8[]) WITH ORDINALITY AS s(first, last, place)
   WHERE EXISTS (SELECT 1 FROM chunks WHERE device_group = ANY($1::int2[]) AND device_id = ANY($2::int[]) AND first_ts <= s.last AND last_ts >= s.first AND damage IS NULL)
      OR EXISTS (SELECT 1 FROM batches WHERE device_group = ANY($1::int2[]) AND device_ids && $2::int[] AND first_ts <= s.last AND last_ts >= s.first AND damage IS NULL)`;

/** The ranges in which devices of these channels have unpacked readings: these have just arrived, or more may follow. */
export const hotAmong = async <S extends Range>(
  pool: Pool,
  channelIds: readonly number[],
  stretches: readonly S[],
): Promise<Set<S>> => {
  if (stretches.length === 0) return new Set();
  const ends = [stretches.map(({ from }) => from), stretches.map(({ to }) => to)];
  const found = await askPlaces(pool, theChannels(channelIds), async (_channels, place) => {
    const { groups, devices } = await devicesOf(pool, channelIds, place);
    return (await pool.query<{ place: number }>(hotStretches, [groups, devices, ...ends])).rows;
  });
  return new Set(found.flat().flatMap(({ place }) => stretches[place - 1] ?? []));
};

const firstPacked: PackedEdge = {
  name: "first-packed",
  text: (ids, place) => `
  SELECT min((SELECT hour::bigint * ${hour} + steps[1] FROM packed_hours p WHERE p.channel_id = c.id${inPlace(place, "p")} ORDER BY hour LIMIT 1)) AS ts
    FROM unnest(${ids}) AS c(id)`,
};

/** The first hour with a reading; its beginning where its readings are no longer kept. */
const firstSummarised: PackedEdge = {
  name: "first-summarised",
  text: (ids, place) => `
  SELECT min((SELECT s.hour::bigint * ${hour} + coalesce((SELECT steps[1] FROM packed_hours p WHERE p.channel_id = s.channel_id AND p.hour = s.hour${inPlace(place, "p")}), 0)
                FROM hour_summaries s WHERE s.channel_id = c.id${inPlace(place, "s")} ORDER BY s.hour LIMIT 1)) AS ts
    FROM unnest(${ids}) AS c(id)`,
};

/**
 * The same where it may lie before the channels' first settings, otherwise the beginning of its hour: at a thousand readings a second it takes a twentieth of
 * a second to find the first one of an hour.
 */
const firstBeforeSettings: PackedEdge = {
  name: "first-before-settings",
  // Settings are not kept where the readings of a database in parts are.
  text: (ids, place) =>
    place
      ? firstSummarised.text(ids, place)
      : `
  SELECT min((SELECT s.hour::bigint * ${hour} + CASE
                WHEN s.hour::bigint * ${hour} < (SELECT extract(epoch FROM min(start_time)) * 1000 FROM settings_periods f WHERE f.channel_id = c.id)
                THEN coalesce((SELECT steps[1] FROM packed_hours p WHERE p.channel_id = s.channel_id AND p.hour = s.hour), 0) ELSE 0 END
                FROM hour_summaries s WHERE s.channel_id = c.id ORDER BY s.hour LIMIT 1)) AS ts
    FROM unnest(${ids}) AS c(id)`,
};

const lastPacked: PackedEdge = {
  name: "last-packed",
  hour: (ids, place) => `
  SELECT max((SELECT s.hour::bigint * ${hour} FROM hour_summaries s WHERE s.channel_id = c.id${inPlace(place, "s")} ORDER BY s.hour DESC LIMIT 1)) AS ts
    FROM unnest(${ids}) AS c(id)`,
  text: (ids, place) => `
  SELECT max((SELECT s.hour::bigint * ${hour}
                     + coalesce((SELECT (SELECT sum(step) FROM unnest(p.steps) AS step) FROM packed_hours p WHERE p.channel_id = s.channel_id AND p.hour = s.hour${inPlace(place, "p")}), ${hour} - 1)
                FROM hour_summaries s WHERE s.channel_id = c.id${inPlace(place, "s")} ORDER BY s.hour DESC LIMIT 1)) AS ts
    FROM unnest(${ids}) AS c(id)`,
};

/** Time of the first reading of channels that is kept, epoch milliseconds; null when there is none. */
export const firstReadingOf = (pool: Pool, channels: ChannelSource): Promise<number | null> =>
  edgeOf(pool, channels, "first", firstPacked);

/** Time at which the history of channels begins, also where only summaries are kept, epoch milliseconds; null when there is none. */
export const beginningOf = (pool: Pool, channels: ChannelSource): Promise<number | null> =>
  edgeOf(pool, channels, "first", firstSummarised);

/** Like `beginningOf`, where that is before the channels' first settings; otherwise a time after these, or null. */
export const beginningBeforeSettings = (pool: Pool, channels: ChannelSource): Promise<number | null> =>
  edgeOf(pool, channels, "first", firstBeforeSettings);

/**
 * Device time of the last reading of channels, epoch milliseconds; null when there is none. May be ahead of the server's clock, and of the reading
 * that counts as the newest.
 */
export const lastReadingOf = (pool: Pool, channels: ChannelSource): Promise<number | null> =>
  edgeOf(pool, channels, "last", lastPacked);
