import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import {
  type NamedTarget,
  type Plan,
  type plans,
  type Target,
  TargetKind,
} from "@telltale/contract/domains/alerting/escalation";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { ContactStatus, contactStatusLabels } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import { userNameIn } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { turnsOf } from "./ladder.ts";
import { onCallAt } from "./on-call.ts";
import { replanEscalations } from "./progress.ts";
import { rostersOf } from "./recipients.ts";

type Needs = Pick<World, "db" | "clock">;
type PlanFields = Input<typeof plans.add>;

const accountTargets = async (db: Database, plantId: number): Promise<NamedTarget[]> => {
  const rows = await db
    .selectFrom("accounts")
    .innerJoin("users", "users.user_id", "accounts.user_id")
    .where("accounts.plant_id", "=", plantId)
    .where("accounts.removed_time", "is", null)
    .select(["accounts.account_id", "accounts.activate", userNameIn("users").as("name")])
    .orderBy("name")
    .execute();
  return rows.map((row) => ({
    kind: TargetKind.account,
    id: row.account_id,
    name: row.name ?? "",
    problem: row.activate ? "" : "Has not joined yet",
  }));
};

const contactTargets = async (db: Database, plantId: number): Promise<NamedTarget[]> => {
  const rows = await db
    .selectFrom("contacts")
    .where("plant_id", "=", plantId)
    .select(["contact_id", "first_name", "last_name", "type", "status"])
    .orderBy("first_name")
    .orderBy("last_name")
    .orderBy("contact_id")
    .execute();
  return rows.map((row) => ({
    kind: TargetKind.contact,
    id: row.contact_id,
    name: `${`${row.first_name} ${row.last_name}`.trim()} (${contactTypeLabels[row.type]})`,
    problem: row.status === ContactStatus.verified ? "" : contactStatusLabels[row.status],
  }));
};

const rosterTargets = async (db: Database, plantId: number, now: Date): Promise<NamedTarget[]> =>
  [...(await rostersOf(db, plantId, now))].map(([id, roster]) => {
    const isGap = onCallAt(roster, now.getTime()).length === 0;
    return { kind: TargetKind.roster, id, name: roster.name, problem: isGap ? "Nobody is on call now" : "" };
  });

const webhookTargets = async (db: Database, plantId: number): Promise<NamedTarget[]> => {
  const webhooks = db.selectFrom("webhooks").select(["webhook_id", "webhook_name", "is_enabled"]);
  const rows = await webhooks.where("plant_id", "=", plantId).orderBy("webhook_name").orderBy("webhook_id").execute();
  return rows.map((row) => ({
    kind: TargetKind.webhook,
    id: row.webhook_id,
    name: row.webhook_name,
    problem: row.is_enabled ? "" : "Disabled",
  }));
};

/** Everybody, and every webhook, that a plan of the plant can notify. */
export const planTargets = async (db: Database, plantId: number, now: Date): Promise<NamedTarget[]> => [
  { kind: TargetKind.managers, id: 0, name: "Owner and admins", problem: "" },
  ...(await accountTargets(db, plantId)),
  ...(await contactTargets(db, plantId)),
  ...(await rosterTargets(db, plantId, now)),
  ...(await webhookTargets(db, plantId)),
];

const sameTarget = (one: Target) => (other: Target) => one.kind === other.kind && one.id === other.id;

const gone = { name: "No longer there", problem: "Removed" };

/** The plant's plans, the default first, then by name. */
export const plansOf = async (db: Database, plantId: number, now: Date): Promise<Plan[]> => {
  const rows = await db
    .selectFrom("plans")
    .selectAll()
    .select(sql<number>`(select count(*) from alarms a where a.plan_id = plans.plan_id)`.as("rules"))
    .where("plant_id", "=", plantId)
    .orderBy("is_default", "desc")
    .orderBy("plan_name")
    .orderBy("plan_id")
    .execute();
  const targets = await planTargets(db, plantId, now);
  const named = (target: Target): NamedTarget => targets.find(sameTarget(target)) ?? { ...target, ...gone };
  return rows.map((row) => ({
    planId: row.plan_id,
    planName: row.plan_name,
    steps: row.steps.map(({ after, to }) => ({ after, to: to.map(named) })),
    repeat: row.repeat_every === null ? null : { every: row.repeat_every, times: row.repeat_times },
    backToNormal: row.back_to_normal,
    backToNormalBySms: row.back_to_normal_by_sms,
    isDefault: row.is_default,
    rules: row.rules,
    version: row.version,
  }));
};

/** An alert, and the plan that its rule names; null for the default. */
interface Waiting {
  alert: { alert_id: number; plant_id: number; status: number; is_silent: boolean };
  planId: number | null;
}

/** Whom the plan of an alert notifies next, and when, unless somebody confirms it; null when nobody is left. */
export const nextStepOf = async (db: Database, { alert, planId }: Waiting, now: Date): Promise<AlertInfo["next"]> => {
  if (alert.status !== AlertStatus.triggered || alert.is_silent) return null;
  const { due_time: time, position = 0 } =
    (await db
      .selectFrom("escalations")
      .select(["due_time", "position"])
      .where("alert_id", "=", alert.alert_id)
      .executeTakeFirst()) ?? {};
  if (!time || time <= now) return null;
  const plans = await plansOf(db, alert.plant_id, now);
  const plan = plans.find((each) => each.planId === planId) ?? plans.find(({ isDefault }) => isDefault);
  if (!plan) return null;
  // A step that reaches nobody is followed by the next one at once.
  for (const { step } of turnsOf(plan).slice(position)) {
    const to = plan.steps[step]?.to.filter(({ problem }) => problem === "").map(({ name }) => name) ?? [];
    if (to.length > 0) return { time, to };
  }
  return null;
};

const columnsOf = ({ planName, steps, repeat, backToNormal, backToNormalBySms }: PlanFields) => ({
  plan_name: planName,
  steps: JSON.stringify(steps.map(({ after, to }) => ({ after, to: to.map(({ kind, id }) => ({ kind, id })) }))),
  repeat_every: repeat?.every ?? null,
  repeat_times: repeat?.times ?? 0,
  back_to_normal: backToNormal,
  back_to_normal_by_sms: backToNormalBySms,
});

/** Rejects people and rosters of other plants; 404. What a plan has `named` before may stay, although it is no longer there. */
const checkTargets = async (
  db: Database,
  plantId: number,
  { steps }: PlanFields,
  { now, named = [] }: { now: Date; named?: readonly Target[] },
): Promise<void> => {
  const targets = [...(await planTargets(db, plantId, now)), ...named];
  for (const { to } of steps) for (const target of to) if (!targets.some(sameTarget(target))) throw notFound();
};

/** The plan as recorded in the audit log: names instead of ids. */
const recorded = async (db: Database, plantId: number, planId: number, now: Date) => {
  const plan = (await plansOf(db, plantId, now)).find((each) => each.planId === planId);
  if (!plan) throw notFound();
  const { planId: _, version: __, rules: ___, steps, ...rest } = plan;
  return { ...rest, steps: steps.map(({ after, to }) => ({ after, to: to.map(({ name }) => name) })) };
};

const lockPlan = async (trx: Database, plantId: number, planId: number) => {
  const row = await trx
    .selectFrom("plans")
    .select(["version", "is_default", "steps"])
    .where("plan_id", "=", planId)
    .where("plant_id", "=", plantId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
};

/** Most plans of a plant. */
const mostPlans = 100;

/** Creates a plan; returns its id. */
export const addPlan = ({ db, clock }: Needs, fields: PlanFields, { plantId, userId }: Caller): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    await checkTargets(trx, plantId, fields, { now });
    await lockPlant(trx, plantId);
    const { count } = await trx
      .selectFrom("plans")
      .where("plant_id", "=", plantId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= mostPlans) throw conflict(`A plant has at most ${mostPlans} plans. Delete one first`);
    const { plan_id: planId } = await trx
      .insertInto("plans")
      .values({ ...columnsOf(fields), plant_id: plantId, created_time: now })
      .returning("plan_id")
      .executeTakeFirstOrThrow();
    const after = await recorded(trx, plantId, planId, now);
    await audit(trx, { plantId, userId, action: "plan.add", detail: { target: fields.planName, planId, after }, now });
    return planId;
  });

/** Updates a plan; alerts that wait to be confirmed go on by its new steps. */
export const updatePlan = (
  { db, clock }: Needs,
  { planId, version, ...fields }: Input<typeof plans.update>,
  { plantId, userId }: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockPlan(trx, plantId, planId);
    if (version !== undefined && version !== found.version) throw conflict(Message.changedMeanwhile);
    await checkTargets(trx, plantId, fields, { now, named: found.steps.flatMap(({ to }) => to) });
    const before = await recorded(trx, plantId, planId, now);
    await trx
      .updateTable("plans")
      .set({ ...columnsOf(fields), version: found.version + 1 })
      .where("plan_id", "=", planId)
      .execute();
    await replanEscalations(trx, plantId, now);
    const after = await recorded(trx, plantId, planId, now);
    const detail = { target: fields.planName, planId, before, after };
    await audit(trx, { plantId, userId, action: "plan.edit", detail, now });
  });

/** Makes a plan the plant's default. */
export const makeDefaultPlan = ({ db, clock }: Needs, planId: number, { plantId, userId }: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    // All of them: two at once would each leave a default of its own.
    await trx
      .selectFrom("plans")
      .select("plan_id")
      .where("plant_id", "=", plantId)
      .orderBy("plan_id")
      .forUpdate()
      .execute();
    if ((await lockPlan(trx, plantId, planId)).is_default) return;
    const before = await trx
      .updateTable("plans")
      .set({ is_default: false, version: sql<number>`version + 1` })
      .where("plant_id", "=", plantId)
      .where("is_default", "=", true)
      .returning("plan_name")
      .executeTakeFirst();
    const after = await trx
      .updateTable("plans")
      .set({ is_default: true, version: sql<number>`version + 1` })
      .where("plan_id", "=", planId)
      .returning("plan_name")
      .executeTakeFirstOrThrow();
    await replanEscalations(trx, plantId, now);
    const [was, is] = [{ planName: before?.plan_name }, { planName: after.plan_name }];
    const detail = { target: after.plan_name, planId, before: was, after: is };
    await audit(trx, { plantId, userId, action: "plan.default", detail, now });
  });

/** Deletes a plan; its rules follow the default then. */
export const removePlan = ({ db, clock }: Needs, planId: number, { plantId, userId }: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockPlan(trx, plantId, planId);
    if (found.is_default) throw invalid("This plan is the plant's default. Make another plan the default first");
    const before = await recorded(trx, plantId, planId, now);
    await trx
      .updateTable("alarms")
      .set({ plan_id: null, version: sql<number>`version + 1` })
      .where("plan_id", "=", planId)
      .execute();
    await trx.deleteFrom("plans").where("plan_id", "=", planId).execute();
    await replanEscalations(trx, plantId, now);
    await audit(trx, {
      plantId,
      userId,
      action: "plan.delete",
      detail: { target: before.planName, planId, before },
      now,
    });
  });
