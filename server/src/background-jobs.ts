import { createAlertReportsJob, createEscalation, createSilenceEnds } from "./alarms/index.ts";
import { createBridgeExpiry } from "./bridges/index.ts";
import type { Config } from "./config.ts";
import {
  type BillingWorld,
  createOpenOrdersJob,
  createServiceEnds,
  createServiceReminders,
} from "./modules/billing/index.ts";
import { createDeletedDevicesJob } from "./modules/devices/index.ts";
import { createMonthlyPackagesJob } from "./modules/downloads/index.ts";
import { createFirmwareJob } from "./modules/firmware/index.ts";
import { createImportExpiry } from "./modules/imports/index.ts";
import { createRetentionJob } from "./modules/storage/index.ts";
import type { PeriodicJob } from "./platform/jobs/periodic.ts";
import type { Lifecycle } from "./platform/lifecycle.ts";
import { createDiskSampling } from "./platform/metrics/disk-forecast.ts";

/** A sample at each start, too: a server may be started more often than once an hour. */
const sampling = (world: BillingWorld, dataDir: string): PeriodicJob => {
  const job = createDiskSampling(world, dataDir);
  void job.run().catch((fault: unknown) => world.log.warn({ err: fault }, "Could not note how full the disk is"));
  return job;
};

/** Starts the jobs that run at intervals; the lifecycle stops them. */
export const startJobs = ({ READINGS_KEPT, DATA_DIR }: Config, world: BillingWorld, life: Lifecycle): void => {
  const jobs = {
    "monthly packages": createMonthlyPackagesJob(world),
    "deleted devices": createDeletedDevicesJob(world),
    "firmware updates": createFirmwareJob(world),
    ...(world.payments.kind === "none" ? {} : { "open orders": createOpenOrdersJob(world) }),
    "service reminders": createServiceReminders(world),
    "service ends": createServiceEnds(world),
    "bridge queue": createBridgeExpiry(world),
    "old imports": createImportExpiry(world),
    "alert reports": createAlertReportsJob(world),
    "silence ends": createSilenceEnds(world),
    escalation: createEscalation(world),
    "disk samples": sampling(world, DATA_DIR),
    retention: createRetentionJob(world, READINGS_KEPT ?? null),
  };
  for (const [name, job] of Object.entries(jobs)) {
    job.start();
    life.onStop(name, job.stop);
  }
};
