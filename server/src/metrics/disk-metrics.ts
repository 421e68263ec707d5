import { statfs } from "node:fs/promises";
import { Gauge } from "prom-client";
import type { World } from "../world.ts";

/** What `/metrics` tells of the disk that holds DATA_DIR. */
export const createDiskMetrics = ({ metrics }: Pick<World, "metrics">, dataDir: string): void => {
  const space = new Gauge({
    name: "telltale_data_disk_size_bytes",
    help: "Size of the disk that holds DATA_DIR",
    registers: [metrics],
  });
  new Gauge({
    name: "telltale_data_disk_free_bytes",
    help: "Space on the disk that holds DATA_DIR, as far as it may be used",
    registers: [metrics],
    async collect() {
      const disk = await statfs(dataDir).catch(() => undefined);
      if (!disk) return;
      this.set(disk.bavail * disk.bsize);
      space.set(disk.blocks * disk.bsize);
    },
  });
};
