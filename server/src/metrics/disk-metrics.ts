import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { Gauge } from "prom-client";
import type { World } from "../world.ts";

/** What `/metrics` tells of the disk that holds DATA_DIR. */
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
