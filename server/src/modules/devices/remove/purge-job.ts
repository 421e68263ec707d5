import { setTimeout as pause } from "node:timers/promises";
import { deleteOfDevice } from "../../../alarms/index.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { soleJob } from "../../../platform/jobs/with-job-metrics.ts";
import { groupOf, inPlace, mergeNow, type Place, placeOf } from "../../../readings/index.ts";
import type { World } from "../../../world.ts";

export interface DeletedDevicesJob {
  start(): void;
  stop(): Promise<void>;
  /** Removes stored data of deleted devices; returns how many devices were removed completely. */
  run(): Promise<number>;
}

/** Interval of the job, milliseconds. */
const every = 20_000;

/** Time after a deletion by which readings in flight have been committed, milliseconds; only then is a removal final. */
const settling = 120_000;

/** Pause after each statement, milliseconds, which leaves the database to other work. */
const rest = 20;

/** $1: the device's group; $2: the device. */
const removeChunks = `
  DELETE FROM chunks c USING (SELECT chunk_id FROM chunks WHERE device_group = $1 AND device_id = $2 LIMIT 500) AS part
   WHERE c.device_group = $1 AND c.device_id = $2 AND c.chunk_id = part.chunk_id`;

/** Statements that each remove a part of a device's data, small enough not to block others. $1: its channels. */
const parts = (place?: Place): string[] => [
  `DELETE FROM packed_hours p USING (SELECT channel_id, hour FROM packed_hours WHERE channel_id = ANY($1)${inPlace(place)} LIMIT 500) AS part
    WHERE p.channel_id = part.channel_id AND p.hour = part.hour${inPlace(place, "p")}`,
  `DELETE FROM hour_summaries s USING (SELECT channel_id, hour FROM hour_summaries WHERE channel_id = ANY($1)${inPlace(place)} LIMIT 5000) AS part
    WHERE s.channel_id = part.channel_id AND s.hour = part.hour${inPlace(place, "s")}`,
];

/** The small remaining tables, removed with the device itself. Other references are removed by their foreign keys. */
const last = [
  "DELETE FROM latest WHERE channel_id IN (SELECT channel_id FROM channels WHERE device_id = $1)",
  "DELETE FROM settings_periods WHERE channel_id IN (SELECT channel_id FROM channels WHERE device_id = $1)",
  "DELETE FROM stored_months WHERE device_id = $1",
  "DELETE FROM device_refusals WHERE device_id = $1",
  "DELETE FROM arrivals WHERE device_id = $1",
  "DELETE FROM channels WHERE device_id = $1",
  "DELETE FROM devices WHERE device_id = $1",
];

interface Deleted {
  device_id: number;
  /** Deleted long enough ago that no more data can arrive. */
  is_settled: boolean;
  channels: number[];
}

const deletedDevices = `
  SELECT device_id, deleted_time + $2 * interval '1 millisecond' <= to_timestamp($1::float8 / 1000) AS is_settled,
         ARRAY(SELECT channel_id FROM channels WHERE channels.device_id = deleted_devices.device_id) AS channels
    FROM deleted_devices ORDER BY deleted_time, device_id LIMIT 100`;

type Needs = Pick<World, "pool" | "files" | "clock" | "log" | "metrics" | "node">;

/** Removes the large tables' rows; false when the job has to stop before the end. */
const removeParts = async (
  { pool, log, metrics }: Needs,
  device: Deleted,
  isStopping: () => boolean,
): Promise<boolean> => {
  // In the direction in which readings move.
  await mergeNow({ pool, log, metrics }, [device.device_id]);
  const place = [groupOf(device.device_id), device.device_id];
  const steps = [
    async () => (await pool.query(removeChunks, place)).rowCount ?? 0,
    ...parts(await placeOf(pool, device.channels[0] ?? 0)).map(
      (statement) => async () => (await pool.query(statement, [device.channels])).rowCount ?? 0,
    ),
    () => deleteOfDevice(pool, device.device_id, 1000),
  ];
  for (const removeSome of steps)
    for (;;) {
      if (isStopping()) return false;
      if ((await removeSome()) === 0) break;
      await pause(rest);
    }
  return true;
};

const removeLast = async ({ pool, files }: Needs, deviceId: number): Promise<void> => {
  await files.remove(`packages/${deviceId}`);
  await inTransaction(pool, async (client) => {
    for (const statement of last) await client.query(statement, [deviceId]);
  });
};

/**
 * Creates the job that removes data of deleted devices in small steps, so that ingest never waits for it. Its progress is in the database, so it
 * continues after a restart.
 */
export const createDeletedDevicesJob = (needs: Needs): DeletedDevicesJob => {
  const { pool, clock, log } = needs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;
  let stopping = false;
  const remove = async (device: Deleted): Promise<boolean> => {
    if (!(await removeParts(needs, device, () => stopping)) || !device.is_settled) return false;
    await removeLast(needs, device.device_id);
    log.info({ deviceId: device.device_id }, "Removed all stored data of a deleted device");
    return true;
  };
  const removeAll = async (): Promise<number> => {
    const { rows } = await pool.query<Deleted>(deletedDevices, [clock.now(), settling]);
    let count = 0;
    for (const device of rows) {
      if (stopping) break;
      if (await remove(device)) count += 1;
    }
    return count;
  };
  const once = soleJob(needs, "deleted devices", removeAll, 0);
  const run = (): Promise<number> => {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    run,
    start: () => {
      const report = (fault: unknown) =>
        log.error({ err: fault }, "Could not remove the stored data of a deleted device; trying again in 20 seconds");
      timer = setInterval(() => void run().catch(report), every);
      timer.unref();
    },
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await running?.catch(() => 0);
    },
  };
};
