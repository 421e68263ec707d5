import type { Runner } from "../platform/database/runner.ts";
import { readableBlock } from "./block.ts";
import { type Newest, newestOf } from "./gather.ts";
import { groupOf } from "./groups.ts";

const devicesOf = "SELECT DISTINCT device_id FROM channels WHERE channel_id = ANY($1::int4[])";

/** One statement, so that a reading which is merged meanwhile is not missed. Batches in the order of their commits. */
const newestAndUnmerged = `
  SELECT channel_id, ts, value, status, received_ts, NULL::bytea AS readings, 0::bigint AS batch_id FROM latest WHERE channel_id = ANY($1::int4[])
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, received_ts, readings, batch_id FROM batches
   WHERE device_group = ANY($2::int2[]) AND device_ids && $3::int4[] AND damage IS NULL
   ORDER BY batch_id`;

interface Row {
  channel_id: number | null;
  ts: number;
  value: number;
  status: number;
  received_ts: number;
  readings: Buffer | null;
}

/** The newest readings of these channels by device time, committed up to now; channels without any are left out. */
export const newestReadings = async (
  run: Runner,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, Newest>> => {
  const { rows: found } = await run.query<{ device_id: number }>({ text: devicesOf, values: [channelIds] });
  const devices = found.map((row) => row.device_id);
  const groups = [...new Set(devices.map(groupOf))];
  const { rows } = await run.query<Row>({ text: newestAndUnmerged, values: [channelIds, groups, devices] });
  const newest = new Map<number, Newest>();
  for (const { channel_id, ts, value, status, received_ts } of rows)
    if (channel_id !== null) newest.set(channel_id, { ts, value, status, received: received_ts });
  const blocks = rows.flatMap(({ readings, received_ts }) =>
    readings ? [{ block: readableBlock(readings), received: received_ts }] : [],
  );
  for (const [channelId, unmerged] of newestOf(blocks, new Set(channelIds)))
    if (unmerged.ts > (newest.get(channelId)?.ts ?? Number.NEGATIVE_INFINITY)) newest.set(channelId, unmerged);
  return newest;
};
