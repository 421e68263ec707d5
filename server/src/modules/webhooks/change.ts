import { randomBytes, randomUUID } from "node:crypto";
import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { webhookFormatLabels, type webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { postToWebhook, refusalOfAddress, releaseWebhook, webhookSchemes } from "../../notify/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { plainReason } from "../../platform/log.ts";
import type { World } from "../../world.ts";
import { alarmsOf, lockedWebhook, setAlarms, type Webhook } from "./queries.ts";

/** `privateWebhooks`: whether they may have addresses of private networks. */
type Needs = Pick<World, "db" | "clock"> & { privateWebhooks: boolean };

/** Most webhooks of a plant. */
const most = 50;

const columnsOf = (input: Input<typeof webhooks.add>) => ({
  webhook_name: input.webhookName,
  format: input.format,
  url: input.url,
  is_enabled: input.enabled === 1,
  may_confirm: input.mayConfirm === 1,
});

const checkAddress = ({ url, enabled }: Input<typeof webhooks.add>, privateWebhooks: boolean): void => {
  const refused = enabled === 1 ? refusalOfAddress(new URL(url), webhookSchemes, privateWebhooks) : undefined;
  if (refused !== undefined) throw invalid(refused);
};

/** What the audit log tells. Of the address only the host: the rest of it is a secret of many systems. */
const described = (webhook: ReturnType<typeof columnsOf>, alarmIds: readonly number[]) => ({
  name: webhook.webhook_name,
  format: webhookFormatLabels[webhook.format],
  host: new URL(webhook.url).host,
  enabled: webhook.is_enabled,
  mayConfirm: webhook.may_confirm,
  alarmIds,
});

const written = (secret: Buffer): string => `whsec_${secret.toString("base64")}`;
const newSecret = (): Buffer => randomBytes(32);

const found = async (db: Database, webhookId: number, { plantId }: Caller): Promise<Webhook> => {
  const webhook = await lockedWebhook(db, plantId, webhookId);
  if (!webhook) throw notFound();
  return webhook;
};

const auditOf = ({ plantId, userId }: Caller, verb: string, detail: Record<string, unknown>, now: Date) => ({
  ...{ plantId, userId, now, detail },
  action: `webhook.${verb}`,
});

/** Adds a webhook. Returns its id and its secret, which is not readable afterwards. */
export const addWebhook = async (needs: Needs, input: Input<typeof webhooks.add>, caller: Caller) => {
  const { db, clock, privateWebhooks } = needs;
  checkAddress(input, privateWebhooks);
  return db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { plantId, accountId } = caller;
    await lockPlant(trx, plantId);
    const { count } = await trx
      .selectFrom("webhooks")
      .where("plant_id", "=", plantId)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= most) throw conflict(`A plant has at most ${most} webhooks. Delete one first`);
    const [secret, columns] = [newSecret(), columnsOf(input)];
    const { webhook_id: webhookId } = await trx
      .insertInto("webhooks")
      .values({ ...columns, plant_id: plantId, secret, created_by: accountId, created_time: now })
      .returning("webhook_id")
      .executeTakeFirstOrThrow();
    if (!(await setAlarms(trx, plantId, webhookId, input.alarmIds))) throw notFound();
    const detail = { target: input.webhookName, after: described(columns, input.alarmIds) };
    await audit(trx, auditOf(caller, "add", detail, now));
    return { webhookId, secret: written(secret) };
  });
};

/** Changes a webhook; refused when it has been changed since `version`. */
export const updateWebhook = async (
  { db, clock, privateWebhooks }: Needs,
  { webhookId, version, ...input }: Input<typeof webhooks.update>,
  caller: Caller,
): Promise<void> => {
  checkAddress(input, privateWebhooks);
  await db.transaction().execute(async (trx) => {
    const now = clock.date();
    const before = await found(trx, webhookId, caller);
    if (version !== undefined && version !== before.version) throw conflict(Message.changedMeanwhile);
    const alarmsBefore = await alarmsOf(trx, webhookId);
    if (!(await setAlarms(trx, caller.plantId, webhookId, input.alarmIds))) throw notFound();
    const columns = columnsOf(input);
    // Failures of another address, or from before it was switched off, say nothing about this one.
    const isSame = before.url === columns.url && before.is_enabled === columns.is_enabled;
    const health = isSame ? {} : { accepted_time: null, failing_since: null, fault: "", retry_time: null };
    const links = before.url === columns.url ? {} : { links_from: now };
    await trx
      .updateTable("webhooks")
      .set({ ...columns, ...health, ...links, version: before.version + 1 })
      .where("webhook_id", "=", webhookId)
      .execute();
    if (!isSame) await releaseWebhook(trx, before, now);
    const change = { before: described(before, alarmsBefore), after: described(columns, input.alarmIds) };
    await audit(trx, auditOf(caller, "edit", { target: input.webhookName, ...change }, now));
  });
};

/** Replaces a webhook's secret; the one before signs, too, for a day. Links of earlier messages end. Returns the new one. */
export const rotateSecret = ({ db, clock }: Pick<World, "db" | "clock">, webhookId: number, caller: Caller) =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const webhook = await found(trx, webhookId, caller);
    const secret = newSecret();
    await trx
      .updateTable("webhooks")
      .set({ secret, previous_secret: webhook.secret, replaced_time: now, links_from: now })
      .where("webhook_id", "=", webhookId)
      .execute();
    await audit(trx, auditOf(caller, "rotate", { target: webhook.webhook_name }, now));
    return { webhookId, secret: written(secret) };
  });

/** Deletes a webhook. */
export const removeWebhook = (
  { db, clock }: Pick<World, "db" | "clock">,
  webhookId: number,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const webhook = await found(trx, webhookId, caller);
    const before = described(webhook, await alarmsOf(trx, webhookId));
    await trx.deleteFrom("webhooks").where("webhook_id", "=", webhookId).execute();
    await audit(trx, auditOf(caller, "delete", { target: webhook.webhook_name, before }, clock.date()));
  });

/** Posts a test message; throws with the reason when it is not accepted. */
export const testWebhook = async (
  needs: Needs & Pick<World, "publicUrl">,
  webhookId: number,
  caller: Caller,
): Promise<void> => {
  const { db, clock, publicUrl } = needs;
  const webhook = await db.transaction().execute((trx) => found(trx, webhookId, caller));
  const letter = {
    subject: "Test of a webhook",
    paragraphs: [`Alerts of your plant that go to “${webhook.webhook_name}” arrive here.`],
    action: { label: "Open the console", url: `${publicUrl}/configureWebhooks` },
  };
  const notice = { letter, isTest: true, time: clock.date() };
  await postToWebhook(needs, { webhook, notice, id: `test_${randomUUID()}` }).catch((fault: unknown) => {
    throw conflict(`The test was not accepted: ${plainReason(fault)}`);
  });
};
