import type { World } from "../world.ts";
import { createRefusals, type Refusals } from "./devices/refusals.ts";
import { createRegistry, type Registry } from "./devices/registry.ts";
import { resyncDevices } from "./devices/resync-devices.ts";
import { createPackingJob, type PackingJob } from "./history/packing-job.ts";
import { keepPartitions } from "./history/partitions.ts";
import { createWriter, type Writer } from "./ingest/writer.ts";
import { createTelemetryMetrics } from "./metrics.ts";
import { createOfflineWatch, type OfflineWatch } from "./presence/offline-watch.ts";

/** The running services between gateway and database. */
export interface Telemetry {
  registry: Registry;
  writer: Writer;
  refusals: Refusals;
  packing: PackingJob;
  offlineWatch: OfflineWatch;
  start(): Promise<void>;
  /** Writes what is queued, then stops. Stop the gateway before. */
  stop(): Promise<void>;
}

const partitionsEvery = 3_600_000;

/** Creates registry, writer, refusals, packing and offline watch, and connects them to the bus. */
export const createTelemetry = (
  world: Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "closed">,
): Telemetry => {
  const registry = createRegistry(world);
  const writer = createWriter({ ...world, registry });
  const refusals = createRefusals(world);
  createTelemetryMetrics(world, { writer, refusals });
  const packing = createPackingJob({ ...world, writer });
  const offlineWatch = createOfflineWatch({ ...world, registry, writer });
  // Subscribed after the registry, which marks the device stale: an empty submission reloads it at once and evaluates its newest readings by changed
  // limits.
  const unsubscribe = world.bus.on("deviceChange", ({ deviceId, ended }) => {
    const device = registry.inMemory({ deviceId });
    if (device?.isOnline && !ended)
      writer.submit({ devices: [device], channels: [], times: [], values: [], done: () => undefined });
  });
  const stopResync = resyncDevices({ ...world, registry });
  let timer: NodeJS.Timeout | undefined;
  const maintainPartitions = () =>
    keepPartitions(world).catch((fault: unknown) =>
      world.log.error({ err: fault }, "Could not check the day partitions; trying again in an hour"),
    );
  return {
    registry,
    writer,
    refusals,
    packing,
    offlineWatch,
    start: async () => {
      await keepPartitions(world);
      timer = setInterval(() => void maintainPartitions(), partitionsEvery);
      timer.unref();
      refusals.start();
      packing.start();
      offlineWatch.start();
    },
    stop: async () => {
      clearInterval(timer);
      unsubscribe();
      stopResync();
      // First: a batch that waits for the database would block the others' work between batches.
      await writer.stop();
      await packing.stop();
      await offlineWatch.stop();
      await refusals.stop();
      registry.stop();
    },
  };
};
