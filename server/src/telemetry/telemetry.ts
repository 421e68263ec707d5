import type { World } from "../world.ts";
import { createRefusals, type Refusals } from "./devices/refusals.ts";
import { createRegistry, type Registry } from "./devices/registry.ts";
import { resyncDevices } from "./devices/resync-devices.ts";
import { createPackingJob, type PackingJob } from "./history/packing-job.ts";
import { keepPartitions } from "./history/partitions.ts";
import { createWriter, type Writer } from "./ingest/writer.ts";
import { createTelemetryMetrics } from "./metrics.ts";
import { createOfflineWatch, type OfflineWatch } from "./presence/offline-watch.ts";

/** The living parts between gateway and database. */
export interface Telemetry {
  registry: Registry;
  writer: Writer;
  refusals: Refusals;
  packing: PackingJob;
  offlineWatch: OfflineWatch;
  start(): Promise<void>;
  /** Writes what waits, then rests. The gateway is stopped before. */
  stop(): Promise<void>;
}

const partitionsEvery = 3_600_000;

export const createTelemetry = (
  world: Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "closed">,
): Telemetry => {
  const registry = createRegistry(world);
  const writer = createWriter({ ...world, registry });
  const refusals = createRefusals(world);
  createTelemetryMetrics(world, { writer, refusals });
  const packing = createPackingJob({ ...world, writer });
  const offlineWatch = createOfflineWatch({ ...world, registry, writer });
  // After the registry, which marks the device: it is loaded again at once, and what its limits say now is said at once.
  const unsubscribe = world.bus.on("deviceChange", ({ deviceId, ended }) => {
    const device = registry.inMemory({ deviceId });
    if (device?.isOnline && !ended)
      writer.submit({ devices: [device], channels: [], times: [], values: [], done: () => undefined });
  });
  const stopMakingUp = resyncDevices({ ...world, registry });
  let timer: NodeJS.Timeout | undefined;
  const tendPartitions = () =>
    keepPartitions(world).catch((fault: unknown) =>
      world.log.error({ err: fault }, "Day partitions were not tended; tried again in an hour"),
    );
  return {
    registry,
    writer,
    refusals,
    packing,
    offlineWatch,
    start: async () => {
      await keepPartitions(world);
      timer = setInterval(() => void tendPartitions(), partitionsEvery);
      timer.unref();
      refusals.start();
      packing.start();
      offlineWatch.start();
    },
    stop: async () => {
      clearInterval(timer);
      unsubscribe();
      stopMakingUp();
      // First, or a batch that waits for the database would hold up whoever works between two batches.
      await writer.stop();
      await packing.stop();
      await offlineWatch.stop();
      await refusals.stop();
      registry.stop();
    },
  };
};
