import type { Visitor } from "../http/caller.ts";
import { invalid } from "../http/refusal.ts";
import type { Database, World } from "../world.ts";
import type { SignedIn } from "./queries.ts";
import { signIn, supportViewLength } from "./sign-in.ts";
import { hashOf, newToken } from "./token.ts";

interface AuditedAccount {
  account_id: number;
  user_id: number;
  plant_id: number;
}

const audit = (db: Database, { account_id, user_id, plant_id }: AuditedAccount, action: string, now: Date, more = {}) =>
  db
    .insertInto("audit_log")
    .values({
      plant_id,
      user_id,
      action,
      detail: JSON.stringify({ accountId: account_id, ...more }),
      created_time: now,
    })
    .execute();

/** Makes the single-use token of a support link; it may be opened within the next 60 minutes. */
export const createSupportLink = (world: Pick<World, "db" | "clock">, account: AuditedAccount): Promise<string> =>
  world.db.transaction().execute(async (db) => {
    const token = newToken();
    const now = world.clock.date();
    await db
      .insertInto("support_links")
      .values({
        token_hash: hashOf(token),
        account_id: account.account_id,
        created_time: now,
        expires_time: new Date(now.getTime() + supportViewLength),
      })
      .execute();
    await audit(db, account, "support.link", now);
    return token;
  });

/** Opens a support link, once: a read-only sign-in that ends after 60 minutes. */
export const openSupportLink = (
  world: Pick<World, "db" | "clock">,
  supportToken: string,
  visitor: Visitor,
): Promise<SignedIn> =>
  world.db.transaction().execute(async (db) => {
    const now = world.clock.date();
    const account = await db
      .updateTable("support_links as link")
      .from("accounts as a")
      .set({ used_time: now })
      .whereRef("a.account_id", "=", "link.account_id")
      .where("link.token_hash", "=", hashOf(supportToken))
      .where("link.used_time", "is", null)
      .where("link.expires_time", ">", now)
      .where("a.activate", "=", true)
      .returning(["a.account_id", "a.user_id", "a.plant_id"])
      .executeTakeFirst();
    if (!account) throw invalid("This support link has been used or is too old. Please ask for a new one");
    await audit(db, account, "support.open", now, { address: visitor.address });
    const ends = new Date(now.getTime() + supportViewLength);
    return signIn(db, now, visitor, { userId: account.user_id, accountId: account.account_id, isAdmin: true, ends });
  });
