import { Code, Message } from "@telltale/contract/call/codes";
import type { Database } from "../../platform/database/schema/schema.ts";
import { ApiError, invalid, notAllowed, notFound } from "../../platform/http/api-error.ts";
import type { Visitor } from "../../platform/http/caller.ts";
import { type AttemptNeeds, countAll, pardonAll } from "../../platform/limits/attempts.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import { networkOf, siteOf } from "../../platform/limits/network.rules.ts";
import { createNetworkTries } from "../../platform/limits/network.ts";
import type { World } from "../../world.ts";
import { isPassword } from "./passwords/password.ts";
import { checkPasswordOf } from "./passwords/policy.ts";
import { activeAccounts, type SignedIn, userByEmail } from "./records/queries.ts";
import { secondFactorState, useCode, wrongCode } from "./second-factor/queries.ts";
import { forgetExpired } from "./sign-in/sessions.ts";
import { signIn } from "./sign-in/sign-in.ts";

export interface Credentials {
  email: string;
  password: string;
  code?: string | undefined;
  accountId?: number | undefined;
}

/**
 * Failed tries per window, in milliseconds. An address may stand for a whole plant, so it gets more. Anyone can try wrong passwords for an e-mail:
 * its owner can still sign in from another network, until the total shows that the tries come from several places; one network alone reaches some 130
 * an hour. Of a million codes three are valid at any time: without the longer window, an attacker with the password would hit one within some months.
 */
const limits = {
  address: { most: 50, window: 300_000 },
  emailThere: { most: 10, window: 300_000 },
  email: { most: 200, window: 3_600_000 },
  code: { most: 20, window: 3_600_000 },
};

const demonstrationOff =
  "This user belongs to the demonstration, which is off on this server. Please sign in as another user";

const wrongPassword = "The e-mail address or the password is not right";

/** The requested account, or the one used last. */
const chooseAccount = async (db: Database, userId: number, wanted: number | undefined): Promise<number> => {
  const accounts = await activeAccounts(db, userId);
  if (accounts.length === 0) throw notAllowed("This account is inactive. Please ask your administrator to activate it");
  const chosen = wanted === undefined ? accounts[0] : accounts.find((account) => account.account_id === wanted);
  if (!chosen) throw notFound();
  return chosen.account_id;
};

/** Checks the password again under a lock: a concurrent password change waits for running sign-ins and then ends their sessions. */
const lockUser = async (db: Database, userId: number, passwordHash: string): Promise<void> => {
  const user = db.selectFrom("users").select("user_id").where("user_id", "=", userId);
  const same = await user.where("password_hash", "=", passwordHash).forShare().executeTakeFirst();
  if (!same) throw invalid(wrongPassword);
};

type CodeCheck = "right" | "code needed" | "code wrong";

interface CodeAttempt {
  userId: number;
  code: string | undefined;
  now: Date;
}

/** Checks the second factor of a user whose password was right. */
const checkCode = async (db: Database, { userId, code, now }: CodeAttempt): Promise<CodeCheck> => {
  if (!(await secondFactorState(db, userId)).isOn) return "right";
  if (code === undefined) return "code needed";
  return (await useCode(db, userId, code, now)) ? "right" : "code wrong";
};

/** Limits failed sign-ins by address, by e-mail per network and in total, and codes by user. */
const createLoginTries = (world: AttemptNeeds) => {
  const byAddress = createNetworkTries(world, "sign-ins", limits.address);
  const byEmailThere = createAttempts(world, "sign-ins by e-mail and network", limits.emailThere);
  const byEmail = createAttempts(world, "sign-ins by e-mail", limits.email);
  const byCode = createAttempts(world, "sign-in codes", limits.code);
  return async (email: string, { address }: Visitor) => {
    const key = email.toLowerCase();
    const there = `${key} ${siteOf(address) ?? networkOf(address)}`;
    await byCode.check(key);
    const counted = [
      [byAddress, address],
      [byEmailThere, there],
      [byEmail, key],
    ] as const;
    await countAll(counted);
    /**
     * Handles a sign-in with a correct password. A missing code is not a failed try, but earlier failures are forgotten only after a correct code.
     */
    const applyResult = async (result: CodeCheck): Promise<void> => {
      if (result === "code wrong") throw invalid(wrongCode);
      await pardonAll(counted);
      if (result === "code needed") throw new ApiError(Code.codeNeeded, Message.codeNeeded);
      await byEmailThere.forget(there);
      await byEmail.forget(key);
      await byCode.forget(key);
    };
    return { countCode: () => byCode.count(key), applyResult };
  };
};

/** Creates the sign-in with e-mail, password and, if enabled, second factor, with limits on failed tries. (decisions §5) */
export const createLogin = (world: Pick<World, "db" | "pool" | "clock" | "node" | "closed" | "passwords">) => {
  const { db, clock, closed } = world;
  const countTry = createLoginTries(world);
  return async ({ email, password, code, accountId }: Credentials, visitor: Visitor): Promise<SignedIn> => {
    const { countCode, applyResult } = await countTry(email, visitor);
    await checkPasswordOf(world, email);
    const user = await userByEmail(db, email);
    const hash = user?.password_hash;
    if (!(await isPassword(hash, password)) || !user || !hash) throw invalid(wrongPassword);
    const { user_id: userId } = user;
    if (closed.userIds.has(userId)) throw notAllowed(demonstrationOff);
    const now = clock.date();
    if (code !== undefined && (await secondFactorState(db, userId)).isOn) await countCode();
    // Tries are counted outside the transaction: they may need a database connection of their own.
    let result: CodeCheck | undefined;
    try {
      return await db.transaction().execute(async (trx) => {
        await lockUser(trx, userId, hash);
        result = await checkCode(trx, { userId, code, now });
        if (result !== "right") throw invalid(wrongCode);
        const chosen = await chooseAccount(trx, userId, accountId);
        await forgetExpired(trx, userId, now);
        return signIn(trx, now, visitor, { userId, accountId: chosen });
      });
    } finally {
      // Throws its own answer when the code was not right.
      if (result) await applyResult(result);
    }
  };
};
