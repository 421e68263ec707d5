import type { Runner } from "../platform/database/runner.ts";
import { readableBlock } from "./block.ts";
import { eachRun, type Run, sorted } from "./gather.ts";
import { groupIn } from "./groups.ts";

/** Times in epoch milliseconds, both included. */
export interface Range {
  from: number;
  to: number;
}

const hourLength = 3_600_000;

/** The devices and device groups of the channels $1: looked up by the statement that needs them, which spares a round trip. */
const places = `
  WITH place AS MATERIALIZED (
    SELECT array_agg(DISTINCT device_id) AS devices, array_agg(DISTINCT ${groupIn("device_id")}) AS groups FROM channels WHERE channel_id = ANY($1::int4[]))`;
const chunksThere = `chunks
   WHERE device_group = ANY((SELECT groups FROM place)::int2[]) AND device_id = ANY((SELECT devices FROM place)::int4[])
     AND (channel_id IS NULL OR channel_id = ANY($1::int4[])) AND damage IS NULL`;
const batchesThere = `batches
   WHERE device_group = ANY((SELECT groups FROM place)::int2[]) AND device_ids && (SELECT devices FROM place)::int4[] AND damage IS NULL`;

/** One statement, so that a reading which is merged meanwhile is neither missed nor returned twice. */
const hotBlocks = `${places}
  SELECT readings FROM ${chunksThere} AND hour BETWEEN $2 AND $3 AND first_ts <= $5 AND last_ts >= $4
  UNION ALL
  SELECT readings FROM ${batchesThere} AND first_ts <= $5 AND last_ts >= $4`;

/** Limits that PostgreSQL's types hold. */
const hourLimit = 2_147_483_647;
const within = (hour: number): number => Math.max(-hourLimit, Math.min(hourLimit, Math.floor(hour)));
const whole = (ts: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ts));

const inRange = ({ times, values, statuses }: Run, { from, to }: Range): Run | undefined => {
  let isWhole = true;
  for (const time of times) if (time < from || time > to) isWhole = false;
  if (isWhole) return { times, values, statuses };
  const kept = Array.from(times.keys()).filter((at) => (times[at] ?? 0) >= from && (times[at] ?? 0) <= to);
  if (kept.length === 0) return undefined;
  return {
    times: Float64Array.from(kept, (at) => times[at] ?? 0),
    values: Float64Array.from(kept, (at) => values[at] ?? 0),
    statuses: Uint8Array.from(kept, (at) => statuses[at] ?? 0),
  };
};

/** Blocks of the channels' devices by their first or last time, $2 of those nearest to the edge; and the packed time, which is on each row. */
const edgeBlocks = (
  packed: string,
  time: "first_ts" | "last_ts",
  order: "ASC" | "DESC",
): string => `${places}, packed AS (${packed})
  SELECT packed.ts AS packed, block.at, block.readings FROM packed LEFT JOIN LATERAL (
    SELECT ${time} AS at, readings FROM ${chunksThere}
    UNION ALL
    SELECT ${time}, readings FROM ${batchesThere}
    ORDER BY at ${order} LIMIT $2
  ) AS block ON true`;

/** Blocks of the first query; the next one asks for four times as many, for a channel that is in few of its device's blocks. */
const blocksAtFirst = 4;

const edges = {
  first: { time: "first_ts", order: "ASC", isBeyond: (a: number, b: number) => a < b },
  last: { time: "last_ts", order: "DESC", isBeyond: (a: number, b: number) => a > b },
} as const;

/**
 * Time of the first or last reading of these channels, epoch milliseconds; null when there is none. `packed` is SQL that gives, for the channels $1,
 * that of their packed readings as `ts`. Decodes only the blocks next to the edge, and reads each time one snapshot.
 */
export const edgeOf = async (
  run: Runner,
  channelIds: readonly number[],
  edge: keyof typeof edges,
  packed: string,
): Promise<number | null> => {
  const { time, order, isBeyond } = edges[edge];
  const text = edgeBlocks(packed, time, order);
  const wanted = new Set(channelIds);
  for (let limit = blocksAtFirst; ; limit *= 4) {
    const { rows } = await run.query<{ packed: number | null; at: number | null; readings: Buffer }>({
      text,
      values: [channelIds, limit],
    });
    let best = rows[0]?.packed ?? null;
    for (const { at, readings } of rows) {
      if (at === null || (best !== null && !isBeyond(at, best))) return best;
      eachRun(readableBlock(readings), (channelId, { times }) => {
        if (!wanted.has(channelId)) return;
        for (const each of times) if (best === null || isBeyond(each, best)) best = each;
      });
    }
    if (rows.length < limit) return best;
  }
};

/**
 * Readings of these channels in the range that are not in packed hours yet, by channel, in the order of time and value, equal ones once; channels
 * without any are left out. For a consistent view of hot and packed readings, call it in the snapshot that reads the packed ones.
 */
export const hotReadings = async (
  run: Runner,
  channelIds: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, Run>> => {
  const hours = [within(range.from / hourLength), within(range.to / hourLength)];
  const { rows } = await run.query<{ readings: Buffer }>({
    text: hotBlocks,
    values: [channelIds, ...hours, whole(range.from), whole(range.to)],
  });
  const runs = new Map(channelIds.map((channelId) => [channelId, [] as Run[]]));
  for (const { readings } of rows)
    eachRun(readableBlock(readings), (channelId, whole) => {
      const part = runs.has(channelId) ? inRange(whole, range) : undefined;
      if (part) runs.get(channelId)?.push(part);
    });
  return new Map(
    Array.from(runs).flatMap(([channelId, found]) => (found.length > 0 ? [[channelId, sorted(found)] as const] : [])),
  );
};
