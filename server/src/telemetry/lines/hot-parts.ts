import type { Runner } from "../../platform/database/runner.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import {
  askPlaces,
  type Block,
  batchesThere,
  bytesOf,
  coded,
  eachRun,
  groupIn,
  isInParts,
  nameOf,
  ofChannels,
  type Place,
  places,
  type Range,
  readableOf,
  theChannels,
} from "../../readings/index.ts";
import { partLength } from "./cells.ts";
import type { KnownChannel, KnownHour } from "./known-lines.ts";

/**
 * Unmerged batches, and chunks of the hours of devices ($4, $5) after those that are known ($6), in one statement, so that a reading which is merged
 * meanwhile is not missed. Chunks of one channel that are no longer than a part are not read: their extremes are known, and are told together
 * for those of one part; one that is of two parts is told alone, or what the others have would seem to be in the next part too.
 */
const hotParts = (place?: Place): string => `${places(
  place,
  "$1::int4[]",
  `found AS MATERIALIZED (
    SELECT asked.device_id, asked.hour, chunk.*, channel_id IS NOT NULL AND last_ts - first_ts <= ${partLength} AS is_coarse
      FROM unnest($4::int4[], $5::int4[], $6::int8[]) AS asked(device_id, hour, up_to) CROSS JOIN LATERAL (
        SELECT chunk_id, channel_id, first_ts, last_ts, min, max, readings FROM chunks
         WHERE device_group = ${place ? place.group : groupIn("asked.device_id")} AND device_id = asked.device_id AND hour = asked.hour AND chunk_id > asked.up_to
           AND ${ofChannels("$1::int4[]")}) AS chunk)`,
)}
  SELECT NULL::int4 AS device_id, NULL::int4 AS hour, NULL::int8 AS chunk_id, NULL::int4 AS channel_id, NULL::int8 AS first_ts, NULL::int8 AS last_ts,
         NULL::float8 AS min, NULL::float8 AS max, ${coded} AS readings
    FROM ${batchesThere(place)} AND first_ts <= $3 AND last_ts >= $2
  UNION ALL
  SELECT device_id, hour, chunk_id, NULL, NULL, NULL, NULL, NULL, ${coded} FROM found WHERE NOT is_coarse
  UNION ALL
  SELECT device_id, hour, max(chunk_id), channel_id, min(first_ts), max(last_ts), min(min), max(max), NULL
    FROM found WHERE is_coarse GROUP BY device_id, hour, channel_id, first_ts / ${partLength}, last_ts / ${partLength}`;

interface UnmergedRow {
  device_id: null;
  readings: string;
}

interface ChunkRow {
  device_id: number;
  hour: number;
  chunk_id: number;
  readings: string;
}

interface ExtentRow extends Omit<ChunkRow, "readings"> {
  readings: null;
  channel_id: number;
  first_ts: number;
  last_ts: number;
  min: number;
  max: number;
}

type Row = UnmergedRow | ChunkRow | ExtentRow;

/** The hours of devices of which chunks are asked for, with the last one that is known of all their channels. */
const askedOf = (channels: readonly KnownChannel[]) => {
  const asked = new Map<string, { deviceId: number; hour: number; upTo: number }>();
  for (const { deviceId, hours } of channels)
    for (const { hour, upTo } of hours) {
      const key = `${deviceId} ${hour}`;
      asked.set(key, { deviceId, hour, upTo: Math.min(upTo, asked.get(key)?.upTo ?? upTo) });
    }
  return [...asked.values()];
};

const read = (client: Runner, channels: readonly KnownChannel[], { from, to }: Range): Promise<Row[][]> =>
  askPlaces(client, theChannels(channels.map(({ channelId }) => channelId)), async ({ value }, place) => {
    const isThere = new Set(place?.deviceIds ?? channels.map(({ deviceId }) => deviceId));
    const asked = askedOf(channels.filter(({ deviceId }) => isThere.has(deviceId)));
    const values = [
      ...[value, from, to],
      ...[asked.map(({ deviceId }) => deviceId), asked.map(({ hour }) => hour), asked.map(({ upTo }) => upTo)],
    ];
    return (await client.query<Row>({ ...nameOf("hot-parts", place), text: hotParts(place), values })).rows;
  });

const isUnmerged = (row: Row): row is UnmergedRow => row.device_id === null;
const isExtent = (row: Row): row is ExtentRow => row.readings === null;

/**
 * Completes what is known of the channels by the chunks that have been written since, and returns the unmerged readings of the range; of very many within
 * half a minute the extremes.
 */
export const completeFrom = async (
  client: Runner,
  channels: readonly KnownChannel[],
  range: Range,
): Promise<Block[]> => {
  const rows = (await read(client, channels, range)).flat();
  const slice = createTimeSlice();
  const wanted = new Set(channels.map(({ channelId }) => channelId));
  const hours = new Map<string, KnownHour>();
  for (const { channelId, hours: own } of channels)
    for (const each of own) hours.set(`${channelId} ${each.hour}`, each);
  const unmerged: Block[] = [];
  const newest = new Map<string, number>();
  for (const row of rows) {
    if (slice.isUsedUp()) await slice.next();
    if (isUnmerged(row)) {
      unmerged.push(readableOf(bytesOf(row.readings), wanted, range, partLength));
      continue;
    }
    const key = `${row.device_id} ${row.hour}`;
    newest.set(key, Math.max(newest.get(key) ?? 0, row.chunk_id));
    if (isExtent(row))
      hours
        .get(`${row.channel_id} ${row.hour}`)
        ?.cells.addExtent({ first: row.first_ts, last: row.last_ts, min: row.min, max: row.max });
    else
      eachRun(readableOf(bytesOf(row.readings), wanted), (channelId, { times, values }) => {
        const known = hours.get(`${channelId} ${row.hour}`);
        for (const [at, time] of times.entries()) known?.cells.add(time, values[at] ?? 0);
      });
  }
  // A merge on another server of a database in parts may be seen after a later one: there all chunks are read each time.
  if (isInParts()) return unmerged;
  // Last: what a failure leaves out is asked for again.
  for (const { deviceId, hours: own } of channels)
    for (const each of own) each.upTo = Math.max(each.upTo, newest.get(`${deviceId} ${each.hour}`) ?? 0);
  return unmerged;
};
