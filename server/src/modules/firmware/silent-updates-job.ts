import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { chunksOf, patienceOf, silenceFailure } from "./report.rules.ts";
import { endUpdate, silentUpdates } from "./update-queries.ts";

const every = 30_000;

/** Ends updates of devices that never came back, and says what was the last that was heard. */
export const createFirmwareJob = (world: Pick<World, "db" | "clock" | "log" | "metrics">): PeriodicJob => {
  const { db, clock } = world;
  const work = (): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const now = clock.now();
      for (const update of await silentUpdates(trx, new Date(now - patienceOf(0)))) {
        const { heard_time, periodicity, step, size, chunk_size, chunks_sent: sent, firmware_version } = update;
        if (now - heard_time.getTime() < patienceOf(periodicity)) continue;
        const failure = silenceFailure(step, { sent, all: chunksOf(size, chunk_size) }, firmware_version);
        await endUpdate(trx, update, failure, clock.date());
      }
    });
  const failureMessage = "Silent firmware updates were not ended; tried again soon";
  return createPeriodicJob({ name: "firmware updates", every, work, failureMessage, world });
};
