import { ECDH } from "node:crypto";
import type { Input } from "@telltale/contract/call/call";
import { maxPushBrowsers, type PushBrowser, type push } from "@telltale/contract/domains/people/push";
import { pushServiceOf } from "../../notify/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";

type Needs = Pick<World, "db" | "clock">;

const sessionOf = (db: Database, { tokenHash }: Caller) =>
  db.selectFrom("sign_ins").select("sign_in_id").where("token_hash", "=", Buffer.from(tokenHash, "hex"));

/** The browsers that get the account's alerts, the newest first. */
export const browsersOf = async (db: Database, caller: Caller): Promise<PushBrowser[]> => {
  const session = await sessionOf(db, caller).executeTakeFirst();
  const rows = await db
    .selectFrom("push_subscriptions")
    .select(["push_id", "user_agent", "created_time", "sent_time", "sign_in_id"])
    .where("account_id", "=", caller.accountId)
    .orderBy("push_id", "desc")
    .execute();
  return rows.map((row) => ({
    pushId: row.push_id,
    userAgent: row.user_agent,
    createdTime: row.created_time,
    sentTime: row.sent_time,
    isCurrent: row.sign_in_id !== null && row.sign_in_id === session?.sign_in_id,
  }));
};

/** Ends the subscriptions of other users in this browser, which is now the caller's. */
const endOthers = (db: Database, endpoint: string, { userId }: Caller) =>
  db
    .deleteFrom("push_subscriptions as p")
    .using("accounts as a")
    .whereRef("a.account_id", "=", "p.account_id")
    .where("p.endpoint", "=", endpoint)
    .where("a.user_id", "!=", userId)
    .execute();

/** Ends the account's earlier subscription in this browser: it has another address now. */
const endEarlier = (db: Database, endpoint: string, caller: Caller) =>
  db
    .deleteFrom("push_subscriptions")
    .where("account_id", "=", caller.accountId)
    .where("endpoint", "!=", endpoint)
    .where("sign_in_id", "=", sessionOf(db, caller))
    .execute();

/** A browser's public key, if it is a point of the curve: anything else could never be encrypted for. */
const publicKeyOf = (text: string): Buffer => {
  const key = Buffer.from(text, "base64url");
  try {
    ECDH.convertKey(key, "prime256v1");
  } catch {
    throw invalid("The browser's subscription is incomplete: switch its pushes off and on again");
  }
  return key;
};

const lockAccount = (db: Database, { accountId }: Caller) =>
  db.selectFrom("accounts").select("account_id").where("account_id", "=", accountId).forNoKeyUpdate().execute();

const countOthers = async (db: Database, accountId: number, endpoint: string): Promise<number> => {
  const others = db.selectFrom("push_subscriptions").where("account_id", "=", accountId);
  const { count } = await others
    .where("endpoint", "!=", endpoint)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

const unknownService =
  "This browser's push service is not one that this server knows. Its operator can add it with PUSH_SERVICES";

/** Subscribes the caller's browser; again changes its keys. Returns its id. */
export const subscribe = async (
  { db, clock }: Needs,
  { endpoint, p256dh, auth }: Input<typeof push.subscribe>,
  { caller, services }: { caller: Caller; services: readonly string[] },
): Promise<number> => {
  if (!pushServiceOf(new URL(endpoint), services)) throw invalid(unknownService);
  const keys = { public_key: publicKeyOf(p256dh), auth_secret: Buffer.from(auth, "base64url") };
  const { accountId, plantId, userId, userAgent } = caller;
  return db.transaction().execute(async (trx) => {
    const now = clock.date();
    await lockAccount(trx, caller);
    await endOthers(trx, endpoint, caller);
    await endEarlier(trx, endpoint, caller);
    if ((await countOthers(trx, accountId, endpoint)) >= maxPushBrowsers)
      throw conflict(`At most ${maxPushBrowsers} browsers get your alerts. Remove one first`);
    const session = await sessionOf(trx, caller).executeTakeFirst();
    const browser = { ...keys, sign_in_id: session?.sign_in_id ?? null, user_agent: userAgent };
    const { push_id } = await trx
      .insertInto("push_subscriptions")
      .values({ ...browser, account_id: accountId, endpoint, created_time: now })
      .onConflict((same) => same.columns(["account_id", "endpoint"]).doUpdateSet(browser))
      .returning("push_id")
      .executeTakeFirstOrThrow();
    await audit(trx, { plantId, userId, action: "push.add", detail: { target: userAgent }, now });
    return push_id;
  });
};

/** Ties the browser's subscriptions to this session. Returns whether this account has one. */
export const resume = (db: Database, endpoint: string, caller: Caller): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await endOthers(trx, endpoint, caller);
    const rows = await trx
      .updateTable("push_subscriptions")
      .set({ sign_in_id: sessionOf(trx, caller) })
      .where("endpoint", "=", endpoint)
      .returning("account_id")
      .execute();
    return rows.some(({ account_id }) => account_id === caller.accountId);
  });

/** Ends the subscription of one of the account's browsers. */
export const removeBrowser = ({ db, clock }: Needs, pushId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { plantId, userId, accountId } = caller;
    const removed = await trx
      .deleteFrom("push_subscriptions")
      .where("push_id", "=", pushId)
      .where("account_id", "=", accountId)
      .returning("user_agent")
      .executeTakeFirst();
    if (!removed) throw notFound();
    const detail = { target: removed.user_agent };
    await audit(trx, { plantId, userId, action: "push.delete", detail, now: clock.date() });
  });
