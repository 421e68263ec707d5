import { createOfflineWatch, type OfflineWatch } from "../jobs/offline-watch.ts";
import { createPackingJob, type PackingJob } from "../jobs/packing.ts";
import type { World } from "../world.ts";
import { makeUpForMissedNotices } from "./missed-notices.ts";
import { keepPartitions } from "./partitions.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createTelemetryMetrics } from "./telemetry-metrics.ts";
import { createWriter, type Writer } from "./writer.ts";

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
  const stopMakingUp = makeUpForMissedNotices({ ...world, registry });
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
