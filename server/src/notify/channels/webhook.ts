import { createHmac } from "node:crypto";
import type { Selectable } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { plainReason } from "../../platform/log.ts";
import { alertLink } from "../letters/confirm-link.ts";
import { plainText } from "../letters/letter.ts";
import { alertOf, digestOf, letterOf } from "../letters/message.ts";
import { holdFailingWebhooks, releaseWebhook, webhookRetryTime } from "../outbox/failing-webhooks.ts";
import type { QueuedMessage } from "../outbox/queries.ts";
import type { FormattedMessage, NotificationChannel } from "./channel.ts";
import { post } from "./post.ts";
import { SendingRefused } from "./send-refused.ts";
import { type WebhookNotice, webhookRequest } from "./webhook-bodies.ts";

type Webhook = Selectable<Schema["webhooks"]>;

/** How long a replaced secret goes on signing, milliseconds. */
const oldSecretLife = 24 * 3_600_000;

/** `webhook-signature` of Standard Webhooks: one signature by each secret that is valid. */
const signaturesOf = (secrets: readonly Buffer[], id: string, seconds: number, body: string): string =>
  secrets
    .map((secret) => `v1,${createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64")}`)
    .join(" ");

const secretsOf = ({ secret, previous_secret, replaced_time }: Webhook, now: number): Buffer[] => {
  const isStillValid = previous_secret && replaced_time && replaced_time.getTime() + oldSecretLife > now;
  return isStillValid ? [secret, previous_secret] : [secret];
};

/** Throws unless the status says that the message was accepted. Nothing but a webhook that is gone for good is given up before two days. */
const checkStatus = (status: number): void => {
  if (status >= 200 && status < 300) return;
  const redirect = status >= 300 && status < 400 ? ", a redirect, which is not followed" : "";
  throw new SendingRefused(`The webhook answered ${status}${redirect}`, { isFinal: status === 410 });
};

interface Sending {
  webhook: Webhook;
  notice: WebhookNotice;
  /** The same for each retry, so that a receiver can detect duplicates. */
  id: string;
}

interface Needs {
  db: Database;
  clock: Clock;
  /** Whether webhooks may have addresses of private networks. */
  privateWebhooks?: boolean | undefined;
}

const recordAccepted = async ({ db, clock }: Needs, webhook: Webhook): Promise<void> => {
  const now = clock.date();
  await db
    .updateTable("webhooks")
    .set({ accepted_time: now, failing_since: null, fault: "", retry_time: null })
    .where("webhook_id", "=", webhook.webhook_id)
    .execute();
  if (webhook.failing_since !== null) await releaseWebhook(db, webhook, now);
};

const recordFault = async ({ db, clock }: Needs, webhook: Webhook, fault: unknown): Promise<void> => {
  const now = clock.date();
  await db
    .updateTable("webhooks")
    .set(({ fn, val }) => ({
      failing_since: fn.coalesce("failing_since", val(now)),
      fault: plainReason(fault).slice(0, 300),
      retry_time: webhookRetryTime(webhook.failing_since ?? now, now),
    }))
    .where("webhook_id", "=", webhook.webhook_id)
    .execute();
};

/** Posts a message to a webhook once and keeps the outcome at the webhook's row. Throws when it was not accepted. */
export const postToWebhook = async (needs: Needs, { webhook, notice, id }: Sending): Promise<void> => {
  const { url, body } = webhookRequest(webhook.format, webhook.url, notice);
  const text = JSON.stringify(body);
  const now = needs.clock.now();
  const seconds = Math.floor(now / 1000);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "user-agent": "Telltale",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signaturesOf(secretsOf(webhook, now), id, seconds, text),
  };
  try {
    checkStatus(await post({ url, body: text, headers }, needs.privateWebhooks ?? false));
  } catch (fault) {
    await recordFault(needs, webhook, fault);
    throw fault;
  }
  await recordAccepted(needs, webhook);
};

const webhookOf = (db: Database, { plant_id, recipient }: QueuedMessage): Promise<Webhook | undefined> =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("webhook_id", "=", Number(recipient))
    .where("plant_id", "=", plant_id ?? 0)
    .where("is_enabled", "=", true)
    .executeTakeFirst();

const noticeOf = async (
  db: Database,
  message: QueuedMessage,
  publicUrl: string,
  linksFrom: Date | null,
): Promise<WebhookNotice> => ({
  letter: letterOf(message, {
    publicUrl,
    // A link from before would be refused.
    link: linksFrom && message.created_time < linksFrom ? undefined : await alertLink(db, message, publicUrl),
  }),
  alert: alertOf(message),
  digest: digestOf(message),
  time: message.created_time,
});

/** Formats a webhook's message for people. */
export const formatWebhook = async (
  db: Database,
  message: QueuedMessage,
  publicUrl: string,
): Promise<FormattedMessage> => {
  const { letter } = await noticeOf(db, message, publicUrl, null);
  return { subject: letter.subject, text: plainText(letter), links: letter.action ? [letter.action.url] : [] };
};

/**
 * The channel of webhooks. A message is sent at least once: without `onHandOver`, one whose outcome is unknown is sent again, with the same id.
 */
export const webhookChannel = (needs: Needs, publicUrl: string): NotificationChannel => ({
  send: async (message) => {
    const webhook = await webhookOf(needs.db, message);
    if (!webhook) throw new SendingRefused("The webhook was deleted or switched off", { isFinal: true });
    const notice = await noticeOf(needs.db, message, publicUrl, webhook.links_from);
    const id = `msg_${message.message_id}_${message.created_time.getTime()}`;
    await postToWebhook(needs, { webhook, notice, id });
  },
  reasonOf: plainReason,
  // A round lasts as long as its slowest webhook: many at once, few of a plant, and turns are looked up anew after each.
  pace: { atOnce: 20, planned: 20, perPlant: 2 },
  holdBack: (now) => holdFailingWebhooks(needs.db, now),
});
