import { sql } from "kysely";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";

interface Accepted {
  userId: number;
  plantId: number;
  accountId: number;
  isBySso: boolean;
  now: Date;
}

/** Activates the account of an invitation. False when it was removed from the plant meanwhile. */
export const acceptInvitation = async (
  db: Database,
  { userId, plantId, accountId, isBySso, now }: Accepted,
): Promise<boolean> => {
  const joined = await db
    .updateTable("accounts")
    .set({ activate: true })
    .where("account_id", "=", accountId)
    .where("removed_time", "is", null)
    .executeTakeFirst();
  if (joined.numUpdatedRows === 0n) return false;
  const detail = { accountId, ...(isBySso ? { isBySso } : {}) };
  await audit(db, { plantId, userId, action: "user.join", detail, now });
  return true;
};

/** The user's accounts that wait for an answer; `isOpen` while the link of an invitation is valid. */
export const waitingAccounts = (db: Database, userId: number, now: Date) =>
  db
    .selectFrom("accounts as a")
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .select(["a.account_id", "a.plant_id"])
    .select(
      sql<boolean>`exists (select from mail_links l where l.purpose = 'invitation' and lower(l.email) = lower(u.email)
        and l.expires_time > ${now} and (l.detail->>'accountId')::int = a.account_id)`.as("is_open"),
    )
    .where("a.user_id", "=", userId)
    .where("a.activate", "=", false)
    .where("a.removed_time", "is", null)
    .execute();

/** Uses up the links of an invitation. */
export const endInvitationLinks = (db: Database, email: string, accountId: number) =>
  db
    .deleteFrom("mail_links")
    .where("purpose", "=", "invitation")
    .where(({ eb, fn }) => eb(fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .where(sql<boolean>`(detail->>'accountId')::int = ${accountId}`)
    .execute();
