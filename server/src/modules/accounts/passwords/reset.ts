import type { Input } from "@telltale/contract/call/call";
import type { passwords } from "@telltale/contract/domains/people/registration";
import { queueMail } from "../../../notify/index.ts";
import { audit } from "../../../platform/database/audit.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";
import { passwordChangedLetter, resetLetter } from "../mail/letters.ts";
import { endMailLinks, lockMailLinks, mailLinkDetail, newMailLink, takeMailLink } from "../mail/links.ts";
import { userByEmail } from "../records/queries.ts";
import { endSignIns } from "../sign-in/sessions.ts";
import { hashNewPassword } from "./password.ts";
import { checkPasswordOf } from "./policy.ts";

type Needs = Pick<World, "db" | "bus" | "clock" | "publicUrl" | "closed" | "passwords">;

/** Mails a link to set a new password, if the address has a user with a password. */
export const askReset = ({ db, clock, publicUrl, closed }: Needs, email: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const user = await userByEmail(trx, email);
    if (!user?.password_hash || closed.userIds.has(user.user_id)) return;
    const now = clock.date();
    await lockMailLinks(trx, user.email);
    await endMailLinks(trx, "reset", user.email);
    const secret = await newMailLink(trx, { purpose: "reset", email: user.email, now });
    await queueMail(trx, { recipient: user.email, letter: resetLetter({ publicUrl, email: user.email, secret }), now });
  });

const tooOld = "This link has been used or is too old. Please ask for a new one";

/** Sets a new password, ends all sessions of the user, and mails a notice. */
export const resetPassword = async (
  { db, bus, clock, publicUrl, closed, passwords: policy }: Needs,
  { email, newPwd, accessToken }: Input<typeof passwords.reset>,
): Promise<void> => {
  await checkPasswordOf({ db, passwords: policy }, email);
  const now = clock.date();
  const link = { purpose: "reset" as const, email, secret: accessToken, now };
  // Checked before the expensive hashing; whether the link is still valid is decided when it is used up.
  if (!(await mailLinkDetail(db, link))) throw invalid(tooOld);
  const password_hash = await hashNewPassword(newPwd);
  const ended = await db.transaction().execute(async (trx) => {
    const isLink = (await takeMailLink(trx, link)) !== undefined;
    const user = isLink ? await userByEmail(trx, email) : undefined;
    if (!user || closed.userIds.has(user.user_id)) throw invalid(tooOld);
    const { user_id } = user;
    await endMailLinks(trx, "reset", user.email);
    await trx.updateTable("users").set({ password_hash }).where("user_id", "=", user_id).execute();
    await audit(trx, { plantId: null, userId: user_id, action: "password.reset", now });
    await queueMail(trx, { recipient: user.email, letter: passwordChangedLetter({ publicUrl }), now });
    return endSignIns(trx, { userId: user_id }, now);
  });
  for (const tokenHash of ended) bus.emit("signOut", { tokenHash });
};
