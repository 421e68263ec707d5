import { sql } from "kysely";
import { isSilenced, joinRule, ownRecipientsOf, writeAlertMessages } from "../../notify/index.ts";
import { createSetBackWatch } from "../../platform/clock.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import { announce } from "../lifecycle.ts";
import { type DueAlert, type EscalationPlan, outcomeOf } from "./due.ts";
import { mendEscalations, recallEscalations } from "./progress.ts";
import { addressBook, directoryOf } from "./recipients.ts";

/** Short, so that thousands of steps that fall due at the same time are claimed within a second. */
const every = 400;
/** Alerts a statement. */
const portion = 1_000;
/** How often what an older server leaves is looked after, milliseconds. */
const mendEvery = 3_600_000;
/** Portions a run: rows that another transaction holds stay due, and are looked at again in the next run. */
const mostPortions = 20;

interface DueRow extends Omit<DueAlert, "plan" | "own"> {
  plantId: number;
  deviceId: number;
  planId: number | null;
}

const isAnyDue = async (db: Database, now: Date): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from escalations where due_time <= ${now}) as due`.execute(db);
  return rows[0]?.due ?? false;
};

/** Alerts whose plan has something to do, the longest due first. */
const dueAlerts = async (db: Database, now: Date): Promise<DueRow[]> => {
  const { rows } = await sql<DueRow>`
    select r.alert_id as "alertId", r.plant_id as "plantId", r.device_id as "deviceId", r.alarm_class as "alarmClass", r.status,
           r.cleared_time is not null as "isCleared", ${sql.raw(isSilenced(`'${now.toISOString()}'::timestamptz`))} as "isSilenced", coalesce(not a.is_enabled, false) as "isOff",
           (extract(epoch from e.started_time) * 1000)::float8 as started, e.position, e.due_time::text as due, e.was_over as "wasOver", coalesce(a.plan_id, p.plan_id) as "planId"
      from escalations e join alerts r using (alert_id) ${sql.raw(joinRule)} left join plans p on p.plant_id = r.plant_id and p.is_default
     where e.due_time <= ${now} order by e.due_time limit ${portion}`.execute(db);
  return rows;
};

const plansOf = async (db: Database, rows: readonly DueRow[]): Promise<Map<number, EscalationPlan>> => {
  const ids = [...new Set(rows.flatMap(({ planId }) => planId ?? []))];
  const plans = await db.selectFrom("plans").selectAll().where(sql<boolean>`plan_id = any(${ids}::int[])`).execute();
  return new Map(
    plans.map((plan) => [
      plan.plan_id,
      {
        steps: plan.steps,
        repeat: plan.repeat_every === null ? null : { every: plan.repeat_every, times: plan.repeat_times },
        backToNormal: plan.back_to_normal,
        backToNormalBySms: plan.back_to_normal_by_sms,
      },
    ]),
  );
};

type Needs = Pick<World, "db" | "bus" | "clock" | "log" | "metrics" | "node">;

/** What a run reads once for all its portions. */
interface Run {
  now: Date;
  /** By plant: who is told by a step of a plan. */
  books: Map<number, ReturnType<typeof addressBook>>;
}

/** Does what is due; returns how many alerts that were. */
const escalateDue = async ({ db, bus }: Needs, { now, books }: Run): Promise<number> => {
  const rows = await dueAlerts(db, now);
  if (rows.length === 0) return 0;
  const plans = await plansOf(db, rows);
  const own = await ownRecipientsOf(
    runIn(db),
    rows.map(({ alertId }) => alertId),
  );
  for (const { plantId } of rows)
    if (!books.has(plantId)) books.set(plantId, addressBook(await directoryOf(db, plantId, now), now.getTime()));
  const outcomes = rows.map(({ plantId, planId, ...row }) => {
    const alert = { ...row, plan: planId === null ? undefined : plans.get(planId), own: own.get(row.alertId) ?? [] };
    return outcomeOf(alert, now.getTime(), books.get(plantId) ?? (() => []));
  });
  const messages = outcomes.flatMap((outcome) => outcome.messages);
  await writeAlertMessages(
    runIn(db),
    outcomes.map(({ claim }) => claim),
    messages,
    now.getTime(),
  );
  const told = new Set(messages.map(({ alertId }) => alertId));
  announce(
    bus,
    rows.filter(({ alertId }) => told.has(alertId)),
  );
  return rows.length;
};

/** Creates the job that notifies of alerts by their plans: step by step until somebody confirms, and when they have cleared. */
export const createEscalation = (needs: Needs): PeriodicJob => {
  const { db, clock } = needs;
  let mendedAt = clock.steady();
  const watch = createSetBackWatch(clock);
  let isSetBack = false;
  const isToMend = () => clock.steady() - mendedAt >= mendEvery;
  return createPeriodicJob({
    every,
    name: "escalation",
    failureMessage: "Could not notify of alerts by their escalation plans; retrying",
    world: needs,
    isDue: async () => {
      isSetBack ||= watch();
      return isSetBack || isToMend() || (await isAnyDue(db, clock.date()));
    },
    work: async (isStopping) => {
      if (isSetBack) await recallEscalations(db, clock.date());
      isSetBack = false;
      if (isToMend()) {
        await mendEscalations(db, clock.date());
        mendedAt = clock.steady();
      }
      const run: Run = { now: clock.date(), books: new Map() };
      for (let done = 0; done < mostPortions && !isStopping(); done++)
        if ((await escalateDue(needs, run)) < portion) return;
    },
  });
};
