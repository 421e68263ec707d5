import { statfs } from "node:fs/promises";
import { Gauge } from "prom-client";
import type { World } from "../../world.ts";
import { folderIdOf, knownFolderId } from "../files/folder-id.ts";
import { createPeriodicJob, type PeriodicJob } from "../jobs/periodic.ts";

const [hour, day] = [3_600_000, 86_400_000];

/** Interval of the samples, how long they are kept, and the least time between two from which a rate is taken; milliseconds. */
const every = hour;
const keptFor = 31 * day;
const leastSpan = hour;

/** Days before the disk is full from which on `/readyz` says so. */
const soon = 30;

/** What is known of the disk of DATA_DIR. */
export interface DiskForecast {
  freeBytes: number;
  sizeBytes: number;
  /** Bytes by which its free space shrank in the last day, reckoned to a day; null as long as nothing is known, negative when it grew. */
  bytesADay: number | null;
  /** Days until it is full at that rate; null when it does not fill. */
  daysLeft: number | null;
}

/**
 * $1: the folder's id; $2: a day ago, epoch milliseconds. The newest sample of at least a day ago, else the oldest. The id is in the column `host`, where
 * earlier versions write the host's name: two servers may be on hosts of one name, and a container has another name each time that it is made.
 */
const sampleBefore = `
  SELECT extract(epoch FROM taken_time)::float8 * 1000 AS taken, free_bytes::float8 AS free FROM disk_samples WHERE host = $1
   ORDER BY taken_time <= to_timestamp($2::float8 / 1000) DESC, abs(extract(epoch FROM taken_time) - $2::float8 / 1000) LIMIT 1`;

type Needs = Pick<World, "pool" | "clock">;

/** Size and free space of the disk of `dataDir`, and when it will be full at the rate of the last day. */
export const forecastDisk = async ({ pool, clock }: Needs, dataDir: string): Promise<DiskForecast> => {
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const now = clock.now();
  const folderId = await knownFolderId(dataDir);
  const { rows } = await pool.query<{ taken: number; free: number }>(sampleBefore, [folderId ?? null, now - day]);
  const [sample] = rows;
  const isKnown = sample !== undefined && now - sample.taken >= leastSpan;
  const bytesADay = isKnown ? ((sample.free - freeBytes) / (now - sample.taken)) * day : null;
  const daysLeft = bytesADay !== null && bytesADay > 0 ? freeBytes / bytesADay : null;
  return { freeBytes, sizeBytes: blocks * bsize, bytesADay, daysLeft };
};

/**
 * The warning for `/readyz`; undefined when the disk will not be full soon, or the database, which says so itself, is away. The text is public, so it
 * names no path.
 */
export const diskWarning = async (needs: Needs, dataDir: string): Promise<string | undefined> => {
  const daysLeft = (await forecastDisk(needs, dataDir).catch(() => undefined))?.daysLeft ?? Number.POSITIVE_INFINITY;
  if (daysLeft > soon) return undefined;
  const days = Math.floor(daysLeft);
  return `full in ${days === 1 ? "1 day" : `${days} days`} at the rate of the last day: add space, or keep readings for less time (READINGS_KEPT)`;
};

/** Creates the job that samples the disk of `dataDir` each hour, and registers the metric of when it will be full. */
export const createDiskSampling = (
  world: Pick<World, "pool" | "clock" | "log" | "metrics" | "node">,
  dataDir: string,
): PeriodicJob => {
  const { pool, clock, metrics } = world;
  new Gauge({
    name: "telltale_data_disk_full_seconds",
    help: "Seconds until the disk that holds DATA_DIR is full at the rate of the last day; absent when it does not fill",
    registers: [metrics],
    async collect() {
      this.reset();
      const forecast = await forecastDisk(world, dataDir).catch(() => undefined);
      if (forecast?.daysLeft === null || forecast === undefined) this.remove();
      else this.set((forecast.daysLeft * day) / 1000);
    },
  });
  return createPeriodicJob({
    name: "disk samples",
    isOfEveryNode: true,
    every,
    work: async () => {
      const { bavail, bsize } = await statfs(dataDir);
      const now = clock.date();
      await pool.query(
        "INSERT INTO disk_samples (host, taken_time, free_bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [await folderIdOf(dataDir), now, bavail * bsize],
      );
      await pool.query("DELETE FROM disk_samples WHERE taken_time < $1", [new Date(now.getTime() - keptFor)]);
    },
    failureMessage: "Could not note how full the disk is; trying again in an hour",
    world,
  });
};
