import { sql } from "kysely";
import { insertNotificationsOf } from "../../notify/index.ts";
import { runIn } from "../../platform/database/runner.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { announce, type ChangedAlert } from "../lifecycle.ts";
import { noteOnStanding } from "./queries.ts";

const every = 2_000;
/** Silences that are ended in one transaction. */
const portion = 200;

const notifyOfReturned = {
  name: "notify-of-returned",
  text: insertNotificationsOf(
    "r.rule_key = ANY($1::text[]) AND r.cleared_time IS NULL",
    "to_timestamp($2::float8 / 1000)",
  ),
};

type Needs = Pick<World, "db" | "bus" | "clock" | "log" | "metrics" | "node">;

/** Ends silences whose time has come, and notifies of their alerts that stand; returns the devices, and whether more may be due. */
const endDue = ({ db, clock }: Needs): Promise<ChangedAlert[]> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { rows } = await sql<{ rule_key: string; plant_id: number; device_id: number }>`
      update silences set ended_time = end_time, version = version + 1
       where silence_id in (select silence_id from silences where ended_time is null and end_time <= ${now}
                             order by end_time limit ${portion} for update skip locked)
      returning rule_key, plant_id, device_id`.execute(trx);
    if (rows.length === 0) return [];
    const keys = rows.map((row) => row.rule_key);
    await noteOnStanding(trx, keys, { kind: "returned", accountId: null, note: "", now });
    await runIn(trx).query({ ...notifyOfReturned, values: [keys, now.getTime()] });
    return rows.map((row) => ({ plantId: row.plant_id, deviceId: row.device_id }));
  });

/** Creates the job that ends silences: people are notified once of what stands then. */
export const createSilenceEnds = (needs: Needs): PeriodicJob =>
  createPeriodicJob({
    every,
    name: "silence ends",
    failureMessage: "Could not end silences of alerts; retrying in two seconds",
    world: needs,
    work: async (isStopping) => {
      for (let ended = await endDue(needs); ended.length > 0 && !isStopping(); ended = await endDue(needs))
        announce(needs.bus, ended);
    },
  });
