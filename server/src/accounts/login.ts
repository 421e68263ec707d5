import type { Visitor } from "../http/caller.ts";
import { invalid, notAllowed, notFound } from "../http/refusal.ts";
import { createTries } from "../http/tries.ts";
import type { Database, World } from "../world.ts";
import { isPassword } from "./password.ts";
import { activeAccounts, type SignedIn, userByEmail } from "./queries.ts";
import { signIn } from "./sign-in.ts";
import { idleLimit } from "./sign-ins.ts";

export interface Credentials {
  email: string;
  password: string;
  accountId?: number | undefined;
}

/** Failed tries within the window, in milliseconds. An address may stand for a whole plant, so it gets more. */
const limits = { address: { most: 50, window: 300_000 }, email: { most: 10, window: 300_000 } };

/** The account asked for, or the one used last. */
const chooseAccount = async (db: Database, userId: number, wanted: number | undefined): Promise<number> => {
  const accounts = await activeAccounts(db, userId);
  if (accounts.length === 0) throw notAllowed("This account is inactive. Please ask your administrator to activate it");
  const chosen = wanted === undefined ? accounts[0] : accounts.find((account) => account.account_id === wanted);
  if (!chosen) throw notFound();
  return chosen.account_id;
};

const forgetExpired = (db: Database, userId: number, now: number) =>
  db
    .deleteFrom("sign_ins")
    .where("user_id", "=", userId)
    .where("used_time", "<", new Date(now - idleLimit))
    .execute();

/** Signing in with e-mail and password, limited in failed tries by address and by e-mail. (decisions §5) */
export const createLogin = ({ db, clock }: Pick<World, "db" | "clock">) => {
  const byAddress = createTries(clock, limits.address);
  const byEmail = createTries(clock, limits.email);
  return async ({ email, password, accountId }: Credentials, visitor: Visitor): Promise<SignedIn> => {
    const key = email.toLowerCase();
    byAddress.check(visitor.address);
    byEmail.check(key);
    byAddress.failed(visitor.address);
    byEmail.failed(key);
    const user = await userByEmail(db, email);
    if (!(await isPassword(user?.password_hash, password)) || !user) {
      throw invalid("The e-mail address or the password is not right");
    }
    byAddress.pardon(visitor.address);
    byEmail.forget(key);
    const chosen = await chooseAccount(db, user.user_id, accountId);
    await forgetExpired(db, user.user_id, clock.now());
    return signIn(db, clock.date(), visitor, { userId: user.user_id, accountId: chosen });
  };
};
