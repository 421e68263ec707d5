import { occurrences } from "@telltale/contract/domains/alerting/maintenance";
import { sql } from "kysely";
import { insertNotificationsOf } from "../../notify/index.ts";
import { announceChange } from "../../platform/database/audit.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { announce, type ChangedAlert } from "../lifecycle.ts";
import { noteOnStanding } from "./queries.ts";
import { changedDevices, windowDevices } from "./windows.ts";

const every = 2_000;
/** Silences that are ended in one transaction. */
const portion = 200;
/** Beginnings older than this are not looked for after a start, or when another node has done the job, milliseconds: its screens know them. */
const longest = 600_000;

// Those raised since the first of the ends ($4) were not silenced any more, and people are notified of them already; who has confirmed one knows of it.
const notifyOfReturned = {
  name: "notify-of-returned",
  text: insertNotificationsOf(
    "(r.rule_key = ANY($1::text[]) OR r.device_id = ANY($3::int[])) AND r.cleared_time IS NULL AND r.accept_time IS NULL AND NOT EXISTS (SELECT FROM escalations x WHERE x.alert_id = r.alert_id AND x.started_time >= $4)",
    "to_timestamp($2::float8 / 1000)",
  ),
};

type Needs = Pick<World, "db" | "bus" | "clock" | "log" | "metrics" | "node">;

const lockDue = (trx: Database, now: Date) =>
  trx
    .selectFrom("silences")
    .select(["silence_id", "plant_id", "rule_key", "device_id", "plan", "start_time", "end_time"])
    .where("ended_time", "is", null)
    .where("end_time", "<=", now)
    .orderBy("end_time")
    .limit(portion)
    .forUpdate()
    .skipLocked()
    .execute();
type Due = Awaited<ReturnType<typeof lockDue>>;

/** Ends silences; maintenance windows that repeat get their next occurrence. */
const endOrRepeat = async (trx: Database, due: Due, now: Date): Promise<void> => {
  const ended: number[] = [];
  for (const { silence_id: id, plan, start_time } of due) {
    const [next] = plan ? occurrences(plan, now.getTime(), 1, start_time?.getTime()) : [];
    if (!next) ended.push(id);
    else
      await trx
        .updateTable("silences")
        .set({ start_time: next.start, end_time: next.end })
        .where("silence_id", "=", id)
        .execute();
  }
  await trx
    .updateTable("silences")
    .set(({ ref }) => ({ ended_time: ref("end_time"), version: sql<number>`version + 1` }))
    .where(sql<boolean>`silence_id = any(${ended}::int[])`)
    .execute();
};

/** Ends silences whose time has come, and notifies of their alerts that stand; returns their devices. */
const endDue = ({ db, clock }: Needs): Promise<{ count: number; changed: ChangedAlert[] }> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const due = await lockDue(trx, now);
    if (due.length === 0) return { count: 0, changed: [] };
    await endOrRepeat(trx, due, now);
    const ruleKeys = due.flatMap(({ rule_key }) => rule_key ?? []);
    const changed: ChangedAlert[] = [];
    const deviceIds: number[] = [];
    for (const { silence_id, plant_id, device_id } of due) {
      const ofWindow = device_id === null ? await windowDevices(trx, silence_id) : [];
      deviceIds.push(...ofWindow);
      changed.push(...changedDevices(plant_id, device_id === null ? ofWindow : [device_id]));
    }
    await noteOnStanding(trx, { ruleKeys, deviceIds }, { kind: "returned", accountId: null, note: "", now });
    for (const plantId of new Set(due.map(({ plant_id }) => plant_id)))
      await announceChange(trx, { plantId, record: "silence" });
    await runIn(trx).query({ ...notifyOfReturned, values: [ruleKeys, now.getTime(), deviceIds, due[0]?.end_time] });
    return { count: due.length, changed };
  });

/** Maintenance windows, as `s`, that have begun since then. */
const windowsBegun = (db: Database, since: number, now: number) =>
  db
    .selectFrom("silences as s")
    .where("s.ended_time", "is", null)
    .where("s.start_time", ">", new Date(since))
    .where("s.start_time", "<=", new Date(now));

/** Their devices. */
const begun = async (db: Database, since: number, now: number): Promise<ChangedAlert[]> => {
  const rows = await windowsBegun(db, since, now)
    .innerJoin("silence_devices as w", "w.silence_id", "s.silence_id")
    .select(["s.plant_id", "w.device_id"])
    .execute();
  return rows.map((row) => ({ plantId: row.plant_id, deviceId: row.device_id }));
};

/**
 * Notes at the alerts that stand when a maintenance window begins by itself that nobody is notified of them from then on; once, whoever looks, and however
 * often.
 */
const noteBegun = (db: Database, since: number, now: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    // Whoever looks at the same time waits here, and then sees what is noted already: of two who look at once both would note it.
    const found = await windowsBegun(trx, since, now)
      .select("s.silence_id")
      .orderBy("s.silence_id")
      .forUpdate()
      .execute();
    if (found.length === 0) return;
    await sql`
      insert into alert_events (alert_id, kind, account_id, note, created_time)
      select a.alert_id, 'silenced', null, s.reason, s.start_time
        from silences s join silence_devices w using (silence_id) join alerts a on a.device_id = w.device_id
       where s.silence_id = any(${found.map(({ silence_id }) => silence_id)}::int[])
         and a.created_time <= s.start_time and a.cleared_time is null
         and not exists (select from alert_events e where e.alert_id = a.alert_id and e.kind = 'silenced' and e.created_time >= s.start_time)`.execute(
      trx,
    );
  });

/** Creates the job that ends silences: people are notified once of what stands then. Open screens show windows that begin. */
export const createSilenceEnds = (needs: Needs): PeriodicJob => {
  let lookedUntil = needs.clock.now() - longest;
  return createPeriodicJob({
    every,
    name: "silence ends",
    failureMessage: "Could not end silences of alerts; retrying in two seconds",
    world: needs,
    work: async (isStopping) => {
      for (let ended = await endDue(needs); ended.count > 0 && !isStopping(); ended = await endDue(needs))
        announce(needs.bus, ended.changed);
      const now = needs.clock.now();
      const since = Math.max(lookedUntil, now - longest);
      await noteBegun(needs.db, since, now);
      const windows = await begun(needs.db, since, now);
      announce(needs.bus, windows);
      for (const plantId of new Set(windows.map((window) => window.plantId)))
        await announceChange(needs.db, { plantId, record: "maintenance" });
      lookedUntil = now;
    },
  });
};
