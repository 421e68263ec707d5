import { MessageKind } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { retryPeriod } from "./queries.ts";

/** Shortest and longest time between two tries of a failing webhook, milliseconds. */
const [shortest, longest] = [5_000, 3_600_000];

/** When a webhook that has just failed is tried again: after as long as it has been failing, so that each wait is twice the one before. */
export const webhookRetryTime = (failingSince: Date, now: Date): Date =>
  new Date(now.getTime() + Math.min(Math.max(now.getTime() - failingSince.getTime(), shortest), longest));

/**
 * Of each failing webhook, leaves at most one due message, and that only once the webhook is to be tried again. The others wait behind it, which is no try
 * of theirs; those that are too old by now are given up with the webhook's fault.
 */
export const holdFailingWebhooks = async (db: Database, now: Date): Promise<void> => {
  const tooOld = sql<boolean>`o.created_time < ${new Date(now.getTime() - retryPeriod)}`;
  await sql`
    update outbox o
       set status = case when ${tooOld} then 'failed' else 'waiting' end,
           fault = case when ${tooOld} then due.fault else o.fault end,
           next_time = greatest(due.retry_time, ${new Date(now.getTime() + 1_000)})
      from (
        select m.message_id, w.retry_time, w.fault, row_number() over (partition by w.webhook_id order by m.next_time, m.message_id) as turn
          from webhooks w
          join outbox m on m.kind = ${MessageKind.webhook} and coalesce(m.plant_id, 0) = w.plant_id and m.recipient = w.webhook_id::text
         where w.failing_since is not null and w.is_enabled
           and m.status in ('waiting', 'sending') and m.next_time <= ${now}) as due
     where o.message_id = due.message_id and o.status in ('waiting', 'sending') and o.next_time <= ${now}
       and (due.turn > 1 or due.retry_time > ${now})`.execute(db);
};

/** Makes everything due that waits for a webhook: it accepts messages again, or has another address. */
export const releaseWebhook = async (
  db: Database,
  { webhook_id, plant_id }: { webhook_id: number; plant_id: number },
  now: Date,
): Promise<void> => {
  await db
    .updateTable("outbox")
    .set({ next_time: now })
    .where("kind", "=", MessageKind.webhook)
    .where(sql<boolean>`coalesce(plant_id, 0) = ${plant_id}`)
    .where("recipient", "=", String(webhook_id))
    .where("status", "=", "waiting")
    .where("next_time", ">", now)
    .execute();
};
