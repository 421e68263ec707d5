import type { Plan } from "@telltale/contract/domains/alerting/escalation";
import { AlertClass, type AlertPriority } from "@telltale/contract/domains/alerts";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { sql } from "kysely";
import { devicesInScope, type Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Whether a rule `a` reaches somebody: a verified contact, an active user to whom it is assigned, or an enabled webhook. */
const reaches = sql<boolean>`(
  exists (select from alarm_recipients r join contacts c using (contact_id) where r.alarm_id = a.alarm_id and c.status = ${ContactStatus.verified})
  or exists (select from account_alarms r join accounts o using (account_id) where r.alarm_id = a.alarm_id and o.activate and o.removed_time is null)
  or exists (select from alarm_webhooks r join webhooks w using (webhook_id) where r.alarm_id = a.alarm_id and w.is_enabled))`;

export interface RuleOfNobody {
  alarm_id: number;
  alarm_name: string;
  priority: AlertPriority;
  device_id: number;
  device_name: string;
  device_sn_id: string;
}

/** What raises alerts of which nobody is notified. */
export interface NotifyNobody {
  rules: RuleOfNobody[];
  /** Devices whose own limits and events have no recipient. */
  devices: string[];
}

/**
 * Rules that notify nobody, of devices in the account's scope that are not disabled: neither they nor their plans reach anybody. `plans`: those of the
 * plant that reach nobody. The only place that says which these are.
 */
export const rulesThatNotifyNobody = async (
  db: Database,
  scope: Scope,
  plans: readonly Pick<Plan, "planId" | "isDefault">[],
): Promise<NotifyNobody> => {
  if (plans.length === 0) return { rules: [], devices: [] };
  const hasDefault = plans.some(({ isDefault }) => isDefault);
  const planOf = sql`coalesce(a.plan_id, (select p.plan_id from plans p where p.plant_id = a.plant_id and p.is_default))`;
  const reachesByPlan = sql<boolean>`${planOf} <> all (${plans.map(({ planId }) => planId)}::int[])`;
  const enabled = devicesInScope(db, scope).where("devices.is_disabled", "=", false).select("devices.device_id");
  const rules = db
    .selectFrom("alarms as a")
    .innerJoin("devices as d", "d.device_id", "a.device_id")
    .where("a.plant_id", "=", scope.plantId)
    .where("a.is_enabled", "=", true)
    .where("a.alarm_class", "=", AlertClass.custom)
    .where("a.device_id", "in", enabled)
    .where(sql<boolean>`not (${reaches} or ${reachesByPlan})`)
    .orderBy("a.priority")
    .orderBy("a.alarm_name")
    .orderBy("a.alarm_id")
    .select(["a.alarm_id", "a.alarm_name", "a.priority", "d.device_id", "d.device_name", "d.device_sn_id"])
    .execute();
  const told = sql`select a.device_id from alarms a
    where a.plant_id = ${scope.plantId} and a.is_enabled and a.alarm_class in (${AlertClass.threshold}, ${AlertClass.notification})
      and (${reaches} or ${reachesByPlan})`;
  const devices = db
    .selectFrom("devices as d")
    .where(sql<boolean>`${hasDefault}`)
    .where("d.device_id", "in", enabled)
    .where(sql<boolean>`d.device_id <> all (array(${told}))`)
    .orderBy("d.device_name")
    .select("d.device_name")
    .execute();
  return { rules: await rules, devices: (await devices).map((row) => row.device_name) };
};
