import type { Pool } from "pg";
import { Registry } from "prom-client";
import { createLog } from "../platform/log.ts";
import { groupOf, hotReadings, insertionsOf, isInParts, mergeNow } from "../readings/index.ts";
import { devicesToPack, packHours } from "../telemetry/packing/packing.ts";
import type { World } from "../world.ts";

const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Stores readings of a channel as a commit does, but evaluates nothing. Times are epoch milliseconds. */
export const writeReadings = async (
  { pool, clock }: Pick<World, "pool" | "clock">,
  channelId: number,
  readings: readonly (readonly [ts: number, value: number, status?: number])[],
): Promise<void> => {
  if (readings.length === 0) return;
  const { rows } = await pool.query<{ device_id: number }>("SELECT device_id FROM channels WHERE channel_id = $1", [
    channelId,
  ]);
  const deviceId = rows[0]?.device_id ?? 0;
  const block = {
    deviceIds: [deviceId],
    channelIds: [channelId],
    counts: [readings.length],
    times: Float64Array.from(readings, ([ts]) => ts),
    values: Float64Array.from(readings, ([, value]) => value),
    statuses: Uint8Array.from(readings, ([, , status]) => status ?? 1),
    shown: new Uint8Array(1),
  };
  for (const statement of insertionsOf([{ group: groupOf(deviceId), block }], clock.now())) await pool.query(statement);
};

/** Readings of a channel that are not packed yet, in the order of time and value. */
export const unpackedReadings = async (
  pool: Pool,
  channelId: number,
): Promise<{ ts: number; value: number; status: number }[]> => {
  const run = (await hotReadings(pool, [channelId], everything)).get(channelId);
  return Array.from(run?.times ?? [], (ts, at) => ({
    ts,
    value: run?.values[at] ?? 0,
    status: run?.statuses[at] ?? 0,
  }));
};

/** SQL, for rows of a device's channels in `packed_hours` and `hour_summaries`: what they need besides in a database in parts. */
export const partOf = (deviceId: number) => {
  const group = groupOf(deviceId);
  return isInParts()
    ? { column: "device_group, ", value: `${group}, `, condition: ` AND device_group = ${group}` }
    : { column: "", value: "", condition: "" };
};

const waitsHere = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
/** The last ten digits of Citus' number of a session are its process. */
const waitsOnServers = "SELECT (waiting_gpid % 10000000000)::int FROM citus_lock_waits";

/** How many sessions wait for locks; in a database in parts also for those on its servers. */
export const lockWaits = async (pool: Pool): Promise<number> => {
  const sessions = isInParts() ? `${waitsHere} UNION ${waitsOnServers}` : waitsHere;
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM (${sessions}) AS waits`);
  return rows[0]?.count ?? 0;
};

/** Packs all readings of the hours [from, to) since the epoch. */
export const packRange = async (pool: Pool, from: number, to: number, now = 0): Promise<void> => {
  const { rows } = await pool.query<{ device_id: number }>(
    "SELECT DISTINCT unnest(device_ids) AS device_id FROM batches",
  );
  await mergeNow(
    { pool, log: createLog("silent"), metrics: new Registry() },
    rows.map((row) => row.device_id),
  );
  for (const { deviceId, hours } of (await devicesToPack(pool, to)).devices)
    if (hours.some((hour) => hour >= from)) await packHours(pool, { deviceId, from, to }, now);
};
