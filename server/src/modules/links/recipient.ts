import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { MessageKind } from "@telltale/contract/notification-channels";
import { isAllowed, Role } from "@telltale/contract/permissions";
import { sql } from "kysely";
import type { Scope } from "../../access/index.ts";
import type { Author } from "../../alarms/index.ts";
import type { LinkMessage } from "../../notify/index.ts";
import type { World } from "../../world.ts";

/** Whom a message's link is for, with the rights of now and not of when the message was sent. */
export interface Recipient {
  name: string;
  author: Author;
  /** What of the plant it may see. */
  scope: Scope;
  mayConfirm: boolean;
}

type Needs = Pick<World, "db" | "closed">;

/** The plant's active account with the address of a mail, or with the browser of a push. */
const accountOf = async (
  { db, closed }: Needs,
  { plant_id, kind, recipient }: LinkMessage,
): Promise<Recipient | undefined> => {
  const isRecipient =
    kind === MessageKind.push
      ? sql<boolean>`exists (select from push_subscriptions p where p.account_id = a.account_id and p.push_id::text = ${recipient})`
      : sql<boolean>`lower(u.email) = ${recipient.toLowerCase()}`;
  const found = await db
    .selectFrom("accounts as a")
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .where("a.plant_id", "=", plant_id)
    .where("a.activate", "=", true)
    .where("a.removed_time", "is", null)
    .where(isRecipient)
    .select(["a.account_id", "a.user_id", "a.role_type", "a.dashboard_id", "u.email", "u.first_name", "u.last_name"])
    .executeTakeFirst();
  if (!found || closed.userIds.has(found.user_id)) return undefined;
  const { account_id: accountId, user_id: userId, role_type: roleType, dashboard_id: dashboardId } = found;
  return {
    name: `${found.first_name} ${found.last_name}`.trim() || found.email,
    author: { plantId: plant_id, userId, accountId },
    scope: { plantId: plant_id, roleType, dashboardId },
    mayConfirm: isAllowed("alerts.confirm", { roleType, isAdmin: false }),
  };
};

/** A recipient without an account. It sees what its messages tell: any alert of the plant that it was notified of. */
const guest = (plantId: number, name: string, mayConfirm: boolean): Recipient => ({
  name,
  author: { plantId, userId: null, accountId: null, name },
  scope: { plantId, roleType: Role.admin, dashboardId: null },
  mayConfirm,
});

/** The plant's verified contact with the address of a message. */
const contactOf = async ({ db }: Needs, { plant_id, kind, recipient }: LinkMessage): Promise<Recipient | undefined> => {
  const found = await db
    .selectFrom("contacts")
    .where("plant_id", "=", plant_id)
    .where(sql<boolean>`type = ${kind}`)
    .where("status", "=", ContactStatus.verified)
    .where(sql<boolean>`lower(contact_info) = ${recipient.toLowerCase()}`)
    .select(["first_name", "last_name", "may_confirm"])
    .executeTakeFirst();
  if (!found) return undefined;
  return guest(plant_id, `${found.first_name} ${found.last_name}`.trim(), found.may_confirm);
};

/** The webhook of a message: whoever reads its messages at its address of now. */
const webhookOf = async (
  { db }: Needs,
  { plant_id, recipient, created_time }: LinkMessage,
): Promise<Recipient | undefined> => {
  const found = await db
    .selectFrom("webhooks")
    .where("plant_id", "=", plant_id)
    .where("webhook_id", "=", Number(recipient))
    .where("is_enabled", "=", true)
    .where((has) => has.or([has("links_from", "is", null), has("links_from", "<=", created_time)]))
    .select(["webhook_name", "may_confirm"])
    .executeTakeFirst();
  return found && guest(plant_id, found.webhook_name, found.may_confirm);
};

const finders: Record<MessageKind, (needs: Needs, message: LinkMessage) => Promise<Recipient | undefined>> = {
  [MessageKind.mail]: async (needs, message) => (await accountOf(needs, message)) ?? contactOf(needs, message),
  [MessageKind.sms]: contactOf,
  [MessageKind.webhook]: webhookOf,
  [MessageKind.push]: accountOf,
};

/** The recipient of a message, as the plant knows it now; undefined for one that is no longer an account, a verified contact, a webhook or a subscribed browser. */
export const recipientOf = (needs: Needs, message: LinkMessage): Promise<Recipient | undefined> =>
  finders[message.kind](needs, message);
