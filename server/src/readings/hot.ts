import type { Runner } from "../platform/database/runner.ts";
import { type Range, type Run, readableOf } from "./block.ts";
import { runsOf } from "./gather.ts";
import {
  askPlaces,
  batchesThere,
  bytesOf,
  type ChannelSource,
  chunksThere,
  coded,
  edgeChunksThere,
  nameOf,
  type Place,
  places,
  theChannels,
} from "./places.ts";

const hourLength = 3_600_000;

/**
 * In one statement, so that a reading which is merged meanwhile is neither missed nor returned twice. $2 and $3: the range; $4: the end of its last hour, by
 * which every chunk that begins within the range has ended.
 */
const hotBlocks = (place?: Place): string => `${places(place)}
  SELECT ${coded} AS readings FROM ${batchesThere(place)} AND first_ts <= $3 AND last_ts >= $2
  UNION ALL
  SELECT ${coded} FROM ${chunksThere(place)} AND last_ts BETWEEN $2 AND $4 AND first_ts <= $3`;

/** Within what PostgreSQL's type holds. */
const whole = (ts: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ts));

/**
 * Blocks of the channels' devices by their first or last time, $2 of those nearest to the edge; and on each row the packed time, and the channels.
 */
const edgeBlocks = (
  ids: string,
  packed: string,
  { time, order }: (typeof edges)[keyof typeof edges],
  place?: Place,
): string => `
  ${places(place, ids, `packed AS (${packed})`)}
  SELECT ${ids} AS ids, packed.ts AS packed, block.at, block.readings FROM packed LEFT JOIN LATERAL (
    SELECT at, readings FROM ${edgeChunksThere(place, ids, { time, order, most: "$2" })}
    UNION ALL
    SELECT ${time}, readings FROM ${batchesThere(place)}
    ORDER BY at ${order} LIMIT $2
  ) AS block ON true`;

/** Blocks of the first query; the next one asks for four times as many, for a channel that is in few of its device's blocks. */
const blocksAtFirst = 4;

const edges = {
  first: { time: "first_ts", order: "ASC", isBeyond: (a: number, b: number) => a < b },
  last: { time: "last_ts", order: "DESC", isBeyond: (a: number, b: number) => a > b },
} as const;

/** SQL that gives the time of the first or last packed reading of channels as `ts`, from SQL of their ids; and its name as a prepared statement. */
export interface PackedEdge {
  name: string;
  text: (ids: string, place?: Place) => string;
  /**
   * The beginning of that reading's hour, where its time is found only by reading the hour: at a thousand readings a second that is a quarter of a second,
   * which is spared where an unpacked reading is beyond the hour.
   */
  hour?: (ids: string, place?: Place) => string;
}

interface EdgeRow {
  ids: number[] | null;
  packed: number | null;
  at: number | null;
  readings: Buffer;
}

interface Edge {
  edge: keyof typeof edges;
  packed: PackedEdge;
}

/** The one that is further out; null is no time. */
const further = (edge: keyof typeof edges, a: number | null, b: number | null): number | null =>
  a === null || (b !== null && edges[edge].isBeyond(b, a)) ? b : a;

const edgeAt = async (
  client: Runner,
  { edge, packed }: Edge,
  { name, ids, value }: ChannelSource,
  place?: Place,
): Promise<number | null> => {
  const { isBeyond } = edges[edge];
  const { hour, text } = packed;
  const statement = {
    ...nameOf(`${packed.name}-of-${name}`, place),
    text: edgeBlocks(ids, (hour ?? text)(ids, place), edges[edge], place),
  };
  for (let limit = blocksAtFirst; ; limit *= 4) {
    const { rows } = await client.query<EdgeRow>({ ...statement, values: [value, limit] });
    const known = rows[0]?.packed ?? null;
    const wanted = new Set(rows[0]?.ids);
    let best = hour ? null : known;
    const isLeft = (at: number | null): boolean => {
      const least = further(edge, best, known);
      return at !== null && (least === null || isBeyond(at, least));
    };
    let isDone = rows.length < limit;
    for (const { at, readings } of rows) {
      isDone ||= !isLeft(at);
      if (!isLeft(at)) break;
      for (const each of readableOf(readings, wanted).times) best = further(edge, best, each);
    }
    if (!isDone) continue;
    if (!hour || known === null || (best !== null && best >= known + hourLength)) return best;
    const exactly = {
      ...nameOf(`${packed.name}-exactly-of-${name}`, place),
      text: `SELECT ts FROM (${text(ids, place)}) AS packed`,
    };
    const found = await client.query<{ ts: number | null }>({ ...exactly, values: [value] });
    return further(edge, best, found.rows[0]?.ts ?? null);
  }
};

/**
 * Time of the first or last reading of channels, epoch milliseconds; null when there is none. Decodes only the blocks next to the edge, and reads each
 * time one snapshot.
 */
export const edgeOf = async (
  client: Runner,
  source: ChannelSource,
  edge: keyof typeof edges,
  packed: PackedEdge,
): Promise<number | null> => {
  const found = await askPlaces(client, source, (channels, place) => edgeAt(client, { edge, packed }, channels, place));
  return found.reduce((best, each) => further(edge, best, each), null);
};

/**
 * Readings of these channels in the range that are not in packed hours yet, by channel, in the order of time and value, equal ones once; channels
 * without any are left out. For a consistent view of hot and packed readings, call it in the snapshot that reads the packed ones.
 */
export const hotReadings = async (
  client: Runner,
  channelIds: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, Run>> => {
  const [from, to] = [whole(range.from), whole(range.to)];
  const endOfHour = whole((Math.floor(to / hourLength) + 1) * hourLength);
  const found = await askPlaces(client, theChannels(channelIds), async ({ value }, place) => {
    const statement = { ...nameOf("hot-blocks", place), text: hotBlocks(place), values: [value, from, to, endOfHour] };
    return (await client.query<{ readings: string }>(statement)).rows;
  });
  const wanted = new Set(channelIds);
  return runsOf(found.flat().map(({ readings }) => readableOf(bytesOf(readings), wanted, range)));
};
