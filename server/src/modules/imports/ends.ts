import { sql } from "kysely";
import { notify } from "../../platform/bus/device-notices.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import { raiseVersions } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import { endImport, progressOf } from "./queries.ts";

/** Whoever evaluates readings of an import's devices, and consoles that show them, learn of newest readings that have moved on. */
const makeKnown = async (db: Database, plantId: number, deviceIds: readonly number[]): Promise<void> => {
  await raiseVersions(runIn(db), deviceIds);
  for (const deviceId of deviceIds) await notify(db, { plantId, deviceId });
};

/** Ends an import whose file was read to its end; again with the same answer. */
export const end = ({ db, clock }: Pick<World, "db" | "clock">, { plantId }: Caller, importId: number) =>
  db.transaction().execute(async (trx) => {
    const ended = await endImport(trx, plantId, importId, clock.date());
    if (!ended) throw notFound();
    await makeKnown(trx, plantId, ended.device_ids);
    return progressOf(ended);
  });

/** How long an import is kept after its end or its newest portion, milliseconds. Until then an interrupted one goes on where it stopped. */
const kept = 30 * 86_400_000;

/** Interval of the job, milliseconds. */
const hourly = 3_600_000;

/** Removes one import that is over or was given up; false when there is none. Its readings stay. */
const removeOne = ({ db, clock }: Pick<World, "db" | "clock">): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const old = trx
      .selectFrom("imports")
      .select("import_id")
      .where(sql<Date>`coalesce(ended_time, stored_time, created_time)`, "<", new Date(clock.now() - kept))
      .orderBy("import_id")
      .limit(1)
      .forUpdate()
      .skipLocked();
    const removed = await trx
      .deleteFrom("imports")
      .where("import_id", "=", old)
      .returning(["plant_id", "device_ids", "ended_time"])
      .executeTakeFirst();
    if (removed?.ended_time === null) await makeKnown(trx, removed.plant_id, removed.device_ids);
    return removed !== undefined;
  });

/** Creates the job that removes what is noted of imports 30 days after their end, or after the newest portion of one that was given up. */
export const createImportExpiry = (world: Pick<World, "db" | "clock" | "log" | "metrics" | "node">): PeriodicJob =>
  createPeriodicJob({
    ...{ every: hourly, name: "old imports", world },
    work: async (isStopping) => {
      for (let isMore = true; isMore && !isStopping(); ) isMore = await removeOne(world);
    },
    failureMessage: "Could not remove old imports; trying again in an hour",
  });
