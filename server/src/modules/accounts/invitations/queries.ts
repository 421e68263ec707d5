import { roleNames } from "@telltale/contract/permissions";
import { queueMail } from "../../../notify/index.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { invitationLetter } from "../mail/letters.ts";
import { newMailLink } from "../mail/links.ts";

/** What an invitation link carries. */
export interface Invited {
  accountId: number;
  /** Name of the inviter when the mail was written. */
  invitedBy: string;
}

/** An account that waits for its user's answer. */
export const invitedAccount = async (db: Database, accountId: number) => {
  const account = await db
    .selectFrom("accounts as a")
    .innerJoin("plants as p", "p.plant_id", "a.plant_id")
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .select(["a.account_id", "a.plant_id", "a.role_type", "p.name as plant_name"])
    .select(["u.user_id", "u.email", "u.password_hash"])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("identities as i").select("i.user_id").whereRef("i.user_id", "=", "u.user_id")).as(
        "has_identity",
      ),
    )
    .select(["a.invited_first_name", "a.invited_last_name", "a.invited_cell_number"])
    .where("a.account_id", "=", accountId)
    .where("a.removed_time", "is", null)
    .executeTakeFirst();
  if (!account) return undefined;
  const called = {
    first_name: account.invited_first_name,
    last_name: account.invited_last_name,
    cell_number: account.invited_cell_number,
  };
  // Who signs in through the provider has no password, and is known all the same.
  const isRegistered = account.password_hash !== null || Boolean(account.has_identity);
  return { ...account, called, isRegistered, roleName: roleNames[account.role_type] };
};

interface Invite extends Invited {
  publicUrl: string;
  now: Date;
}

/** Mails the link by which the account's user joins; earlier links stay valid until one is used. */
export const mailInvitation = async (db: Database, { publicUrl, now, ...invited }: Invite): Promise<void> => {
  const account = await invitedAccount(db, invited.accountId);
  if (!account) throw new Error(`There is no account ${invited.accountId} to invite to`);
  const { email, plant_id, plant_name, roleName } = account;
  const secret = await newMailLink(db, { purpose: "invitation", email, detail: invited, now });
  const { invitedBy } = invited;
  const letter = invitationLetter({ publicUrl, email, secret, plantName: plant_name, roleName, invitedBy });
  await queueMail(db, { recipient: email, letter, now, plantId: plant_id });
};
