import type { Input } from "@telltale/contract/call/call";
import type { Invitation, registration } from "@telltale/contract/domains/people/registration";
import { invalid } from "../../../platform/http/api-error.ts";
import { createAttempts } from "../../../platform/limits/create-attempts.ts";
import type { World } from "../../../world.ts";
import { mailLinkDetail, takeMailLink } from "../mail/links.ts";
import { hashNewPassword, isPassword } from "../passwords/password.ts";
import { checkPasswordOf } from "../passwords/policy.ts";
import { acceptInvitation } from "./accept.ts";
import { type Invited, invitedAccount } from "./queries.ts";

type Needs = Pick<World, "db" | "clock" | "pool" | "node" | "passwords">;

/** Error for a link that was used or has expired. */
export const tooOld = "This invitation has been used or is too old. Please ask for a new one";

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
    isRegistered: account.isRegistered,
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
    await checkPasswordOf(world, email);
    const { link, account } = await find(world, email, accessToken);
    const { user_id, account_id, plant_id, password_hash, isRegistered } = account;
    if (isRegistered) {
      const key = email.toLowerCase();
      await byEmail.count(key);
      if (!(await isPassword(password_hash, password))) throw invalid("The password is not that of your account");
      await byEmail.forget(key);
    }
    const newHash = isRegistered ? undefined : await hashNewPassword(password);
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
      const joining = { userId: user_id, plantId: plant_id, accountId: account_id, isBySso: false, now: link.now };
      // Removed from the plant while the password was being checked.
      if (!(await acceptInvitation(trx, joining))) throw invalid(tooOld);
    });
  };
};
