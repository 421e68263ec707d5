import type { Page } from "@telltale/contract/call/paging";
import type { WebhookRow } from "@telltale/contract/domains/alerting/webhooks";
import { type Selectable, sql } from "kysely";
import { offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";

export type Webhook = Selectable<Schema["webhooks"]>;

const alarmIds = sql<number[]>`array(
  select aw.alarm_id from alarm_webhooks aw where aw.webhook_id = webhooks.webhook_id order by aw.alarm_id)`;

/** Support sees only the address's origin: the rest of it is a secret of many systems. */
const rowOf = (webhook: Webhook & { alarm_ids: number[] }, isSupport: boolean): WebhookRow => ({
  webhookId: webhook.webhook_id,
  webhookName: webhook.webhook_name,
  format: webhook.format,
  url: isSupport ? new URL(webhook.url).origin : webhook.url,
  enabled: webhook.is_enabled,
  mayConfirm: webhook.may_confirm,
  alarmIds: webhook.alarm_ids,
  acceptedTime: webhook.accepted_time,
  failingSince: webhook.failing_since,
  fault: webhook.fault,
  createdTime: webhook.created_time,
  version: webhook.version,
});

/** A page of the plant's webhooks, newest first. */
export const webhookPage = async (
  db: Database,
  { plantId, isAdmin }: Pick<Caller, "plantId" | "isAdmin">,
  page: PageRequest,
): Promise<Page<WebhookRow>> => {
  const ofPlant = db.selectFrom("webhooks").where("plant_id", "=", plantId);
  const { total } = await ofPlant.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await ofPlant
    .selectAll("webhooks")
    .select(alarmIds.as("alarm_ids"))
    .orderBy("webhook_id", "desc")
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  return pageOf(
    rows.map((row) => rowOf(row, isAdmin)),
    total,
    page,
  );
};

/** A webhook of the plant, locked until the transaction ends. */
export const lockedWebhook = (db: Database, plantId: number, webhookId: number): Promise<Webhook | undefined> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("plant_id", "=", plantId)
    .where("webhook_id", "=", webhookId)
    .forUpdate()
    .executeTakeFirst();

/** The rules whose alerts go to a webhook. */
export const alarmsOf = async (db: Database, webhookId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom("alarm_webhooks")
    .select("alarm_id")
    .where("webhook_id", "=", webhookId)
    .orderBy("alarm_id")
    .execute();
  return rows.map(({ alarm_id }) => alarm_id);
};

/** Sends the alerts of these rules to a webhook; false, and no change, when one is not of the plant. */
export const setAlarms = async (
  db: Database,
  plantId: number,
  webhookId: number,
  alarmIds: readonly number[],
): Promise<boolean> => {
  const wanted = [...new Set(alarmIds)];
  const found = await db
    .selectFrom("alarms")
    .select("alarm_id")
    .where("plant_id", "=", plantId)
    .where(sql<boolean>`alarm_id = any(${wanted}::int[])`)
    .orderBy("alarm_id")
    .forKeyShare()
    .execute();
  if (found.length !== wanted.length) return false;
  await db.deleteFrom("alarm_webhooks").where("webhook_id", "=", webhookId).execute();
  const rows = wanted.map((alarm_id) => ({ alarm_id, webhook_id: webhookId }));
  if (rows.length > 0) await db.insertInto("alarm_webhooks").values(rows).execute();
  return true;
};
