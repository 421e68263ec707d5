import { audit } from "../../../platform/database/audit.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import type { Visitor } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import type { SignedIn } from "../records/queries.ts";
import { hashOf, newToken } from "./sessions.ts";
import { signIn, supportViewLength } from "./sign-in.ts";
import { auditOpened } from "./support-view-queries.ts";

interface LinkTo {
  accountId: number;
  userId: number;
  plantId: number;
  /** The operator who creates it; shown to the plant's owner. */
  madeBy: string;
}

/** Creates the single-use token of a support link, valid for 60 minutes. */
export const createSupportLink = (
  world: Pick<World, "db" | "clock">,
  { accountId, userId, plantId, madeBy }: LinkTo,
): Promise<string> =>
  world.db.transaction().execute(async (db) => {
    const token = newToken();
    const now = world.clock.date();
    await db
      .insertInto("support_links")
      .values({
        token_hash: hashOf(token),
        account_id: accountId,
        created_time: now,
        expires_time: new Date(now.getTime() + supportViewLength),
        made_by: madeBy,
      })
      .execute();
    await audit(db, { plantId, userId, action: "support.link", detail: { accountId, madeBy }, now });
    return token;
  });

/** Opens a support link, once: a read-only session that ends after 60 minutes. */
export const openSupportLink = (
  world: Pick<World, "db" | "clock" | "closed">,
  supportToken: string,
  visitor: Visitor,
): Promise<SignedIn> =>
  world.db.transaction().execute(async (db) => {
    const now = world.clock.date();
    const link = await db
      .updateTable("support_links as link")
      .from("accounts as a")
      .set({ used_time: now })
      .whereRef("a.account_id", "=", "link.account_id")
      .where("link.token_hash", "=", hashOf(supportToken))
      .where("link.used_time", "is", null)
      .where("link.expires_time", ">", now)
      .where("a.activate", "=", true)
      .returning(["a.account_id", "a.user_id", "a.plant_id", "link.made_by"])
      .executeTakeFirst();
    if (!link || world.closed.userIds.has(link.user_id))
      throw invalid("This support link has been used or is too old. Please ask for a new one");
    const { account_id: accountId, user_id: userId, plant_id: plantId, made_by: madeBy } = link;
    const endsTime = new Date(now.getTime() + supportViewLength);
    await auditOpened(db, { plantId, userId, accountId, endsTime, address: visitor.address, madeBy }, now);
    return signIn(db, now, visitor, { userId, accountId, isAdmin: true, ends: endsTime });
  });
