import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { clientOf } from "./people.ts";
import { preparedData, type RunningServer, startServer } from "./server-process.ts";

/**
 * Resolves when the demonstration's history is written, packed, and in data packages. Until then the server works for half a minute, and each server
 * with a copy of the data would do that work again.
 */
const untilHistoryIsSettled = async (server: RunningServer): Promise<void> => {
  await expect.poll(() => server.output(), { timeout: 120_000 }).toContain("past is complete");
  const owner = await clientOf(server);
  // A month is pending as long as some of its readings are not packed.
  const isSettled = async (): Promise<boolean> => {
    let packages = 0;
    for (const { deviceId } of await owner(downloads.devices, {})) {
      if ((await owner(downloads.pending, { deviceId })).length > 0) return false;
      packages += (await owner(downloads.packages, { deviceId })).length;
    }
    return packages > 0;
  };
  await expect.poll(isSettled, { intervals: [1_000], timeout: 300_000 }).toBe(true);
};

/**
 * Removes the files that PostgreSQL has made ready for later entries of its write-ahead log: several hundred megabytes after a long history, to be
 * copied for each server. After a clean stop the log starts at the oldest file; the next one stays too, in case the last entry continues there.
 */
const removeSpareLog = async (dataDir: string): Promise<void> => {
  const folder = join(dataDir, "postgres/pg_wal");
  const files = (await readdir(folder)).filter((name) => /^[\dA-F]{24}$/.test(name)).sort();
  for (const name of files.slice(2)) await rm(join(folder, name));
};

const prepare = async (folder: string, demo: boolean): Promise<void> => {
  const dataDir = preparedData(folder, demo);
  await mkdir(dataDir);
  const server = await startServer({ demo, dataDir });
  if (demo) await untilHistoryIsSettled(server);
  await server.terminate();
  await removeSpareLog(dataDir);
};

/**
 * Creates a data directory with the demonstration and one without in this folder, from which the data of each server of a run is copied. Writing the
 * demonstration's history is slow, and a run starts dozens of servers.
 */
export const prepareIn = async (folder: string): Promise<void> => {
  // PostgreSQL may run as another user.
  await chmod(folder, 0o711);
  await Promise.all([prepare(folder, true), prepare(folder, false)]);
};
