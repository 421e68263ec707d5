import { AlertPriority } from "@telltale/contract/domains/alerts";
import { type Selectable, sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";
import { plainReason } from "../../platform/log.ts";
import { alertLink } from "../letters/confirm-link.ts";
import { alertOf } from "../letters/message.ts";
import { pushNoticeOf } from "../letters/push-notice.ts";
import { type QueuedMessage, settle } from "../outbox/queries.ts";
import type { FormattedMessage, NotificationChannel } from "./channel.ts";
import { post } from "./post.ts";
import { pushServiceOf, vapidKeys } from "./push-services.ts";
import { SendingRefused } from "./send-refused.ts";

type Subscription = Selectable<Schema["push_subscriptions"]>;

interface Needs {
  db: Database;
  clock: Clock;
  /** Push services that the operator has named, besides the browsers' own. */
  pushServices?: readonly string[] | undefined;
}

/** How long a push service keeps a message for a browser that is away, seconds. */
const timeToLive = 12 * 3600;

/** The subscription of a message, of an account that is still one of the plant. */
const subscriptionOf = (db: Database, { plant_id, recipient }: QueuedMessage): Promise<Subscription | undefined> =>
  db
    .selectFrom("push_subscriptions as p")
    .innerJoin("accounts as a", "a.account_id", "p.account_id")
    .selectAll("p")
    .where("p.push_id", "=", Number(recipient))
    .where("a.plant_id", "=", plant_id ?? 0)
    .where("a.activate", "=", true)
    .where("a.removed_time", "is", null)
    .executeTakeFirst();

const noticeOf = async (db: Database, message: QueuedMessage, publicUrl: string) =>
  pushNoticeOf(message, { publicUrl, link: await alertLink(db, message, publicUrl) });

/** Formats a push for people. */
export const formatPush = async (
  db: Database,
  message: QueuedMessage,
  publicUrl: string,
): Promise<FormattedMessage> => {
  const { title, body, url } = await noticeOf(db, message, publicUrl);
  return { subject: title, text: body, links: [url] };
};

/** Whom push services write to about this server: its address, which has to be one of the internet. */
const contactOf = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? publicUrl : `mailto:telltale@${new URL(publicUrl).hostname}`;

/** The encrypted request of a message. */
const requestOf = async ({ db }: Needs, subscription: Subscription, message: QueuedMessage, publicUrl: string) => {
  // Loaded with the first push; not needed by servers that send none.
  const { default: webPush } = await import("web-push");
  const { endpoint, public_key, auth_secret } = subscription;
  const keys = { p256dh: public_key.toString("base64url"), auth: auth_secret.toString("base64url") };
  const isUrgent = alertOf(message)?.priority === AlertPriority.high;
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys },
    JSON.stringify(await noticeOf(db, message, publicUrl)),
    {
      vapidDetails: { subject: contactOf(publicUrl), ...(await vapidKeys(db)) },
      TTL: timeToLive,
      urgency: isUrgent ? "high" : "normal",
      // Of one alert, a browser that was away gets the newest message only.
      ...(message.alert_id === null ? {} : { topic: `alert-${message.alert_id}` }),
    },
  );
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { url: new URL(endpoint), body: body ?? "", headers: Object.fromEntries(texts) };
};

const later = [408, 429];

/** Records what the push service answered. Throws unless it accepted the message. */
const settleAnswer = async ({ db, clock }: Needs, { push_id }: Subscription, status: number): Promise<void> => {
  if (status >= 200 && status < 300) {
    const row = db.updateTable("push_subscriptions").set({ sent_time: clock.date() });
    await row.where("push_id", "=", push_id).execute();
    return;
  }
  const isGone = status === 404 || status === 410;
  if (isGone) await db.deleteFrom("push_subscriptions").where("push_id", "=", push_id).execute();
  const reason = isGone ? "The browser takes no pushes any more" : `The push service answered ${status}`;
  throw new SendingRefused(reason, { isFinal: status >= 300 && status < 500 && !later.includes(status) });
};

/**
 * The channel of pushes. A message whose outcome is unknown is sent again: the browser shows one notification for an alert. Messages to a browser that
 * has been signed out meanwhile are skipped.
 */
export const pushChannel = (needs: Needs, publicUrl: string): NotificationChannel => ({
  admit: async (message) => {
    const isThere = (await subscriptionOf(needs.db, message)) !== undefined;
    if (!isThere) await settle(needs.db, message, { status: "skipped", fault: "The browser has been signed out" });
    return isThere;
  },
  send: async (message) => {
    const subscription = await subscriptionOf(needs.db, message);
    if (!subscription) throw new SendingRefused("The browser has been signed out", { isFinal: true });
    const service = pushServiceOf(new URL(subscription.endpoint), needs.pushServices ?? []);
    if (!service) throw new SendingRefused("Its push service is not one of the known ones", { isFinal: true });
    const request = await requestOf(needs, subscription, message, publicUrl);
    await settleAnswer(needs, subscription, await post(request, service === "named"));
  },
  reasonOf: plainReason,
  pace: { atOnce: 20, planned: 20, perPlant: 10 },
});

/** Which sessions of a user have ended. */
interface EndedSessions {
  userId: number;
  signInIds: readonly number[];
  /** Others may go on; if not, whatever of them has expired ends, too. */
  isSome: boolean;
}

/** Ends the subscriptions of browsers that a user has signed out. Call in the transaction that ends the sessions, after them. */
export const endPushes = async (db: Database, { userId, signInIds, isSome }: EndedSessions): Promise<void> => {
  await db
    .deleteFrom("push_subscriptions as p")
    .using("accounts as a")
    .whereRef("a.account_id", "=", "p.account_id")
    .where("a.user_id", "=", userId)
    .where((is) =>
      is.or([
        ...(signInIds.length > 0 ? [is("p.sign_in_id", "in", signInIds)] : []),
        ...(isSome
          ? [sql<boolean>`false`]
          : [
              is.not(
                is.exists(
                  is.selectFrom("sign_ins as s").whereRef("s.sign_in_id", "=", "p.sign_in_id").select("s.sign_in_id"),
                ),
              ),
            ]),
      ]),
    )
    .execute();
};
