import type { Input } from "@telltale/contract/call/call";
import type { Invitation, registration } from "@telltale/contract/domains/people/registration";
import { audit } from "../../../platform/database/audit.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import { createAttempts } from "../../../platform/limits/create-attempts.ts";
import type { World } from "../../../world.ts";
import { mailLinkDetail, takeMailLink } from "../mail/links.ts";
import { hashNewPassword, isPassword } from "../passwords/password.ts";
import { type Invited, invitedAccount } from "./queries.ts";

type Needs = Pick<World, "db" | "clock" | "pool" | "node">;

const tooOld = "This invitation has been used or is too old. Please ask for a new one";

const find = async ({ db, clock }: Needs, email: string, secret: string) => {
  const link = { purpose: "invitation" as const, email, secret, now: clock.date() };
  const invited = await mailLinkDetail<Invited>(db, link);
  const account = invited && (await invitedAccount(db, invited.accountId));
  if (!invited || !account) throw invalid(tooOld);
  return { link, invited, account };
};

/** What the link invites to. */
export const invitation = async (
  world: Needs,
  { email, accessToken }: Input<typeof registration.invitation>,
): Promise<Invitation> => {
  const { invited, account } = await find(world, email, accessToken);
  return {
    plantName: account.plant_name,
    roleName: account.roleName,
    invitedBy: invited.invitedBy,
    isRegistered: account.password_hash !== null,
  };
};

const limit = { most: 10, window: 300_000 };

/**
 * Creates the call that joins by the link: an existing user confirms with the password, a new one sets one. Wrong passwords are limited as at
 * sign-in.
 */
export const createJoin = (world: Needs) => {
  const byEmail = createAttempts(world, "joining", limit);
  return async ({ email, password, accessToken }: Input<typeof registration.join>): Promise<void> => {
    const { link, account } = await find(world, email, accessToken);
    const { user_id, account_id, plant_id, password_hash } = account;
    if (password_hash !== null) {
      const key = email.toLowerCase();
      await byEmail.count(key);
      if (!(await isPassword(password_hash, password))) throw invalid("The password is not that of your account");
      await byEmail.forget(key);
    }
    const newHash = password_hash === null ? await hashNewPassword(password) : undefined;
    await world.db.transaction().execute(async (trx) => {
      if (!(await takeMailLink(trx, link))) throw invalid(tooOld);
      if (newHash) {
        await trx
          .updateTable("users")
          .set({ password_hash: newHash, ...account.called })
          .where("user_id", "=", user_id)
          .where("password_hash", "is", null)
          .execute();
      }
      const joined = await trx
        .updateTable("accounts")
        .set({ activate: true })
        .where("account_id", "=", account_id)
        .where("removed_time", "is", null)
        .executeTakeFirst();
      // Removed from the plant while the password was being checked.
      if (joined.numUpdatedRows === 0n) throw invalid(tooOld);
      const detail = { accountId: account_id };
      await audit(trx, { plantId: plant_id, userId: user_id, action: "user.join", detail, now: link.now });
    });
  };
};
