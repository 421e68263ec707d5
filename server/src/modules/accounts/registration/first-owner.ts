import type { Input } from "@telltale/contract/call/call";
import type { accounts } from "@telltale/contract/domains/people/accounts";
import type { ExpressionBuilder } from "kysely";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";
import { invalid } from "../../../platform/http/api-error.ts";
import type { Visitor } from "../../../platform/http/caller.ts";
import { createNetworkTries } from "../../../platform/limits/network.ts";
import { lockFirstStart } from "../../../platform/node/first-start.ts";
import type { World } from "../../../world.ts";
import { hashNewPassword } from "../passwords/password.ts";
import { createPlant, createUser } from "../records/create.ts";
import type { SignedIn } from "../records/queries.ts";
import { hashOf, newToken } from "../sign-in/sessions.ts";
import { signIn } from "../sign-in/sign-in.ts";

/** Lifetime of the link, milliseconds. Each start prints a new one. */
const linkLife = 24 * 3_600_000;

const hasUsers = async (db: Database): Promise<boolean> =>
  (await db.selectFrom("users").select("user_id").limit(1).executeTakeFirst()) !== undefined;

/** Nodes of a cluster that start within this time print one link between them, milliseconds. */
const sameStart = 60_000;

const hasNewLink = async (db: Database, since: Date): Promise<boolean> =>
  (await db.selectFrom("owner_links").select("created_time").where("created_time", ">", since).executeTakeFirst()) !==
  undefined;

/**
 * Creates the secret of a link that creates the first owner, and invalidates earlier ones. Undefined when there are users, or when another node of the
 * cluster has just created one.
 */
export const createOwnerLink = ({
  db,
  clock,
  node,
}: Pick<World, "db" | "clock" | "node">): Promise<string | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    const now = clock.date();
    const isOfOtherNode = node.isOfCluster && (await hasNewLink(trx, new Date(now.getTime() - sameStart)));
    if (isOfOtherNode || (await hasUsers(trx))) return undefined;
    const secret = newToken();
    await trx.deleteFrom("owner_links").execute();
    const link = { token_hash: hashOf(secret), created_time: now, expires_time: new Date(now.getTime() + linkLife) };
    await trx.insertInto("owner_links").values(link).execute();
    return secret;
  });

const tooOld = "This link has been used or is too old. Start the server again for a new one";

const isLink = (secret: string, now: Date) => (eb: ExpressionBuilder<Schema, "owner_links">) =>
  eb.and([eb("token_hash", "=", hashOf(secret)), eb("expires_time", ">", now)]);

/** Checks the link before the expensive hashing of the password. */
const findLink = async (db: Database, secret: string, now: Date): Promise<void> => {
  const link = db.selectFrom("owner_links").select("created_time").where(isLink(secret, now));
  if (!(await link.executeTakeFirst())) throw invalid(tooOld);
};

/** Uses up the link; of two concurrent uses one succeeds. */
const takeLink = async (db: Database, secret: string, now: Date): Promise<void> => {
  const taken = db.deleteFrom("owner_links").where(isLink(secret, now)).returning("created_time");
  const link = await taken.executeTakeFirst();
  if (!link || (await hasUsers(db))) throw invalid(tooOld);
};

const limit = { most: 20, window: 300_000 };

/** Creates the call that creates the first owner with a plant and signs in. (decisions §6) */
export const createFirstOwnerSetup = (world: Pick<World, "db" | "pool" | "clock" | "node">) => {
  const { db, clock } = world;
  const byAddress = createNetworkTries(world, "first owner", limit);
  return async (input: Input<typeof accounts.createFirstOwner>, visitor: Visitor): Promise<SignedIn> => {
    await byAddress.count(visitor.address);
    const now = clock.date();
    await findLink(db, input.secret, now);
    const passwordHash = await hashNewPassword(input.password);
    return db.transaction().execute(async (trx) => {
      await takeLink(trx, input.secret, now);
      const userId = await createUser(trx, { email: input.email, passwordHash }, now);
      const plant = { userId, plantName: input.plantName, timeZoneId: input.timeZoneId };
      const accountId = await createPlant(trx, plant, now);
      return signIn(trx, now, visitor, { userId, accountId });
    });
  };
};
