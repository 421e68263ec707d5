import { MessageKind } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import { userNameIn } from "../../access/index.ts";

/**
 * Name of the recipient of a message `o` of the outbox, as its plant knows it: of a user who has joined the plant, a contact, a webhook or the user of a browser; null for any
 * other. What users of other plants are called is nothing that a plant may learn from an address.
 */
export const recipientName = sql<string | null>`coalesce(
  (select nullif(trim(concat_ws(' ', u.first_name, u.last_name)), '') from users u join accounts a on a.user_id = u.user_id
    where o.kind = ${MessageKind.mail} and a.plant_id = o.plant_id and a.activate and lower(u.email) = lower(o.recipient) limit 1),
  (select nullif(trim(concat_ws(' ', c.first_name, c.last_name)), '') from contacts c
    where c.plant_id = o.plant_id and c.type = o.kind and lower(c.contact_info) = lower(o.recipient) limit 1),
  (select w.webhook_name from webhooks w
    where o.kind = ${MessageKind.webhook} and w.plant_id = o.plant_id and w.webhook_id::text = o.recipient),
  (select ${userNameIn("u")} from push_subscriptions p join accounts a using (account_id) join users u using (user_id)
    where o.kind = ${MessageKind.push} and a.plant_id = o.plant_id and p.push_id::text = o.recipient),
  case when o.kind = ${MessageKind.push} then 'A browser that was signed out' end)`;
