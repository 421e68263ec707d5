import { setTimeout as pause } from "node:timers/promises";
import { deleteOfDevice } from "../../../alarms/index.ts";
import { inTransaction } from "../../../platform/database/transaction.ts";
import { withJobMetrics } from "../../../platform/jobs/with-job-metrics.ts";
import type { World } from "../../../world.ts";

export interface DeletedDevicesJob {
  start(): void;
  stop(): Promise<void>;
  /** Removes what is stored of deleted devices; gives how many devices are gone for good. */
  run(): Promise<number>;
}

/** How often the job looks, milliseconds. */
const every = 20_000;

/** Readings that were under way when the device was deleted are committed within this time, milliseconds: only then is anything final. */
const settling = 120_000;

/** A short rest after each statement leaves the database to those who wait for it, milliseconds. */
const rest = 20;

/**
 * What is stored of a device, by the statements that remove a part of it each, small enough to hold nobody up. $1 are its channels.
 * Readings come before the packed hours: packing moves them from there to here.
 */
const parts = [
  `DELETE FROM readings r USING (SELECT channel_id, ts, value FROM readings WHERE channel_id = ANY($1) LIMIT 5000) AS part
    WHERE r.channel_id = part.channel_id AND r.ts = part.ts AND r.value = part.value`,
  `DELETE FROM packed_hours p USING (SELECT channel_id, hour FROM packed_hours WHERE channel_id = ANY($1) LIMIT 500) AS part
    WHERE p.channel_id = part.channel_id AND p.hour = part.hour`,
];

/** What is little, removed with the device itself. Whatever else refers to the device or a channel goes by its foreign key. */
const last = [
  "DELETE FROM latest WHERE channel_id IN (SELECT channel_id FROM channels WHERE device_id = $1)",
  "DELETE FROM settings_periods WHERE channel_id IN (SELECT channel_id FROM channels WHERE device_id = $1)",
  "DELETE FROM device_refusals WHERE device_id = $1",
  "DELETE FROM arrivals WHERE device_id = $1",
  "DELETE FROM channels WHERE device_id = $1",
  "DELETE FROM devices WHERE device_id = $1",
];

interface Deleted {
  device_id: number;
  /** It has been deleted long enough that nothing of it comes any more. */
  is_settled: boolean;
  channels: number[];
}

const deletedDevices = `
  SELECT device_id, deleted_time + $2 * interval '1 millisecond' <= to_timestamp($1::float8 / 1000) AS is_settled,
         ARRAY(SELECT channel_id FROM channels WHERE channels.device_id = deleted_devices.device_id) AS channels
    FROM deleted_devices ORDER BY deleted_time, device_id LIMIT 100`;

type Needs = Pick<World, "pool" | "files" | "clock" | "log" | "metrics">;

/** Whether everything that is much is gone; false when the job is to stop before. */
const removeParts = async ({ pool }: Needs, device: Deleted, isStopping: () => boolean): Promise<boolean> => {
  const steps = [
    ...parts.map((statement) => async () => (await pool.query(statement, [device.channels])).rowCount ?? 0),
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
 * Removes what is stored of deleted devices, a little at a time, so that ingest never waits for it. What is still to do stands in the database:
 * after a restart it goes on.
 */
export const createDeletedDevicesJob = (needs: Needs): DeletedDevicesJob => {
  const { pool, clock, log } = needs;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;
  let stopping = false;
  const remove = async (device: Deleted): Promise<boolean> => {
    if (!(await removeParts(needs, device, () => stopping)) || !device.is_settled) return false;
    await removeLast(needs, device.device_id);
    log.info({ deviceId: device.device_id }, "All that was stored of a deleted device is removed");
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
  const once = withJobMetrics(needs, "deleted devices", removeAll);
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
        log.error({ err: fault }, "What is stored of a deleted device was not removed; tried again soon");
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
