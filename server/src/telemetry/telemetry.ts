import type { PeriodicJob } from "../platform/jobs/periodic.ts";
import { createMerger, type Merger } from "../readings/index.ts";
import type { World } from "../world.ts";
import { createRefusals, type Refusals } from "./devices/refusals.ts";
import { createRegistry, type Registry } from "./devices/registry.ts";
import { resyncDevices } from "./devices/resync-devices.ts";
import { createAlarmTimers } from "./ingest/alarm-timers.ts";
import { createWriter, type Writer } from "./ingest/writer.ts";
import { createTelemetryMetrics } from "./metrics.ts";
import { createPackingJob, type PackingJob } from "./packing/packing-job.ts";
import { createOfflineWatch, type OfflineWatch } from "./presence/offline-watch.ts";

/** The running services between gateway and database. */
export interface Telemetry {
  registry: Registry;
  writer: Writer;
  refusals: Refusals;
  merger: Merger;
  packing: PackingJob;
  offlineWatch: OfflineWatch;
  alarmTimers: PeriodicJob;
  start(): Promise<void>;
  /** Writes what is queued, then stops. Stop the gateway before. */
  stop(): Promise<void>;
}

/** Creates registry, writer, refusals, packing and offline watch, and connects them to the bus. */
export const createTelemetry = (
  world: Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "closed" | "node">,
): Telemetry => {
  const registry = createRegistry(world);
  const writer = createWriter({ ...world, registry });
  const refusals = createRefusals(world);
  const merger = createMerger(world);
  createTelemetryMetrics(world, { writer, refusals, merger });
  const packing = createPackingJob({ ...world, writer, merger });
  const offlineWatch = createOfflineWatch({ ...world, registry, writer });
  const alarmTimers = createAlarmTimers({ ...world, registry, writer });
  // Subscribed after the registry, which marks the device stale: an empty submission reloads it at once and evaluates its newest readings by changed
  // limits.
  const unsubscribe = world.bus.on("deviceChange", ({ deviceId, ended }) => {
    const device = registry.inMemory({ deviceId });
    if (device?.isOnline && !ended)
      writer.submit({ devices: [device], channels: [], times: [], values: [], isHeard: false, done: () => undefined });
  });
  const stopResync = resyncDevices({ ...world, registry });
  return {
    registry,
    writer,
    refusals,
    merger,
    packing,
    offlineWatch,
    alarmTimers,
    start: async () => {
      // What a server before left unmerged, at once: devices are loaded faster afterwards.
      await merger
        .all()
        .catch((fault: unknown) => world.log.error({ err: fault }, "Could not merge readings; retrying soon"));
      merger.start();
      refusals.start();
      packing.start();
      offlineWatch.start();
      alarmTimers.start();
    },
    stop: async () => {
      unsubscribe();
      stopResync();
      const timersStopped = alarmTimers.stop();
      // First: a batch that waits for the database would block the others' work between batches.
      await writer.stop();
      await timersStopped;
      await packing.stop();
      await merger.stop();
      await offlineWatch.stop();
      await refusals.stop();
      registry.stop();
    },
  };
};
