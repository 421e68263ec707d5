import type { Runner } from "../platform/database/runner.ts";
import { readableBlock } from "./block.ts";
import { eachRun, type Run, sorted } from "./gather.ts";
import { groupOf } from "./groups.ts";

/** Times in epoch milliseconds, both included. */
export interface Range {
  from: number;
  to: number;
}

const hourLength = 3_600_000;

const devicesOf = "SELECT channel_id, device_id FROM channels WHERE channel_id = ANY($1::int4[])";

/** One statement, so that a reading which is merged meanwhile is neither missed nor returned twice. */
const hotBlocks = `
  SELECT readings FROM chunks
   WHERE device_group = ANY($1::int2[]) AND device_id = ANY($2::int4[]) AND hour BETWEEN $4 AND $5 AND first_ts <= $7 AND last_ts >= $6
     AND (channel_id IS NULL OR channel_id = ANY($3::int4[])) AND damage IS NULL
  UNION ALL
  SELECT readings FROM batches
   WHERE device_group = ANY($1::int2[]) AND device_ids && $2::int4[] AND first_ts <= $7 AND last_ts >= $6 AND damage IS NULL`;

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

/**
 * Readings of these channels in the range that are not in packed hours yet, by channel, in the order of time and value, equal ones once; channels
 * without any are left out. For a consistent view of hot and packed readings, call it in the snapshot that reads the packed ones.
 */
export const hotReadings = async (
  run: Runner,
  channelIds: readonly number[],
  range: Range,
): Promise<ReadonlyMap<number, Run>> => {
  const { rows: channels } = await run.query<{ channel_id: number; device_id: number }>({
    text: devicesOf,
    values: [channelIds],
  });
  const devices = [...new Set(channels.map((row) => row.device_id))];
  const groups = [...new Set(devices.map(groupOf))];
  const hours = [within(range.from / hourLength), within(range.to / hourLength)];
  const { rows } = await run.query<{ readings: Buffer }>({
    text: hotBlocks,
    values: [groups, devices, channelIds, ...hours, whole(range.from), whole(range.to)],
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
