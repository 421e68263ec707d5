import type { StatsFs } from "node:fs";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Gauge } from "prom-client";
import type { World } from "../../world.ts";

/** Registers the metrics of the disk that holds DATA_DIR. */
export const createDiskMetrics = ({ metrics }: Pick<World, "metrics">, dataDir: string): void => {
  const gauge = (name: string, help: string, read: (disk: StatsFs) => number): void => {
    new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        const disk = await statfs(dataDir).catch(() => undefined);
        if (disk) this.set(read(disk));
      },
    });
  };
  gauge("telltale_data_disk_size_bytes", "Size of the disk that holds DATA_DIR", (disk) => disk.blocks * disk.bsize);
  gauge(
    "telltale_data_disk_free_bytes",
    "Space on the disk that holds DATA_DIR, as far as it may be used",
    (disk) => disk.bavail * disk.bsize,
  );
};

const megabyte = 1024 * 1024;
/** Free space in megabytes: below the first a warning, below the second not ready, since the database's next files may not fit. */
const [low, tooLow] = [1024, 64];

const probe = async (dataDir: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, ".writable");
  try {
    await writeFile(file, "");
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
};

/** Readiness check: throws when DATA_DIR is not writable; returns a warning when its disk is nearly full. The text is public, so it names no path. */
export const checkDisk = async (dataDir: string): Promise<string | undefined> => {
  await probe(dataDir).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`Nothing can be written to DATA_DIR (${cause.code}): look at its disk and its owner`, { cause });
  });
  const { bavail, bsize } = await statfs(dataDir);
  const free = Math.floor((bavail * bsize) / megabyte);
  if (free < tooLow) throw new Error(`Only ${free} MB are free for DATA_DIR: make room on its disk`);
  return free < low ? `low: ${free} MB are free for DATA_DIR` : undefined;
};
