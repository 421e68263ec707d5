import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { chunksOf, silenceFailure, silenceLimitOf } from "./report.rules.ts";
import { endUpdate, silentUpdates } from "./update-queries.ts";

const every = 30_000;

/** Creates the job that ends updates of devices that have gone silent, with the last reported state as the reason. */
export const createFirmwareJob = (world: Pick<World, "db" | "clock" | "log" | "metrics" | "node">): PeriodicJob => {
  const { db, clock } = world;
  const work = (): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const now = clock.now();
      for (const update of await silentUpdates(trx, new Date(now - silenceLimitOf(0)))) {
        const { heard_time, periodicity, step, size, chunk_size, chunks_sent: sent, firmware_version } = update;
        if (now - heard_time.getTime() < silenceLimitOf(periodicity)) continue;
        const failure = silenceFailure(step, { sent, all: chunksOf(size, chunk_size) }, firmware_version);
        await endUpdate(trx, update, failure, clock.date());
      }
    });
  const failureMessage = "Could not end firmware updates of silent devices; trying again at the next run";
  return createPeriodicJob({ name: "firmware updates", every, work, failureMessage, world });
};
