import { Role } from "@telltale/contract/permissions";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { hashOf, newToken } from "../sign-in/sessions.ts";
import type { FlowSecrets, Identity } from "./provider.ts";

/** The user of an identity; undefined for one that has not signed in before. */
export const userOfIdentity = async (
  db: Database,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<number | undefined> => {
  const found = await db
    .selectFrom("identities")
    .select("user_id")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return found?.user_id;
};

/** Ties a user to an identity for good. False when the user is another identity's, also of a concurrent sign-in. */
export const bindIdentity = async (
  db: Database,
  userId: number,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
  now: Date,
): Promise<boolean> => {
  await db
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, created_time: now })
    .onConflict((same) => same.doNothing())
    .execute();
  return (await userOfIdentity(db, { issuer, subject })) === userId;
};

/** Frees a user for another identity. False when there was none. */
export const dropIdentities = async (db: Database, userId: number): Promise<boolean> => {
  const dropped = await db.deleteFrom("identities").where("user_id", "=", userId).executeTakeFirst();
  return dropped.numDeletedRows > 0n;
};

/** Gives the user's accounts the role of their groups. An owner stays one: a plant without its owner could not be managed. Returns the changed accounts. */
export const followGroups = async (db: Database, userId: number, roleType: Role, now: Date): Promise<number[]> => {
  const changed = await db
    .selectFrom("accounts")
    .select(["account_id", "plant_id", "role_type", "dashboard_id", "version"])
    .where("user_id", "=", userId)
    .where("activate", "=", true)
    .where("role_type", "not in", [Role.owner, roleType])
    .forUpdate()
    .execute();
  for (const account of changed) {
    const { account_id: accountId, plant_id: plantId, role_type, dashboard_id, version } = account;
    await db
      .updateTable("accounts")
      .set({
        role_type: roleType,
        // Only viewers have a dashboard of their own.
        dashboard_id: roleType === Role.viewer ? dashboard_id : null,
        version: version + 1,
      })
      .where("account_id", "=", accountId)
      .execute();
    const detail = { accountId, before: { roleType: role_type }, after: { roleType } };
    await audit(db, { plantId, userId, action: "user.groups", detail, now });
  }
  return changed.map(({ account_id }) => account_id);
};

/** The names that the provider has, where the user has none. */
export const fillNames = async (db: Database, userId: number, { firstName, lastName }: Identity): Promise<void> => {
  await db
    .updateTable("users")
    .set({ first_name: firstName, last_name: lastName })
    .where("user_id", "=", userId)
    .where("first_name", "=", "")
    .where("last_name", "=", "")
    .execute();
};

/** How long a person may take at the provider, milliseconds. */
export const flowLife = 600_000;

/** Begins a sign-in at the provider; `browser` is the secret of the browser's cookie. */
export const beginFlow = async (db: Database, now: Date): Promise<FlowSecrets & { browser: string }> => {
  const [state, browser, nonce, codeVerifier] = [newToken(), newToken(), newToken(), newToken()];
  await db.deleteFrom("sso_flows").where("expires_time", "<=", now).execute();
  const flow = { state_hash: hashOf(state), browser_hash: hashOf(browser), nonce, code_verifier: codeVerifier };
  const expires_time = new Date(now.getTime() + flowLife);
  await db
    .insertInto("sso_flows")
    .values({ ...flow, expires_time })
    .execute();
  return { state, browser, nonce, codeVerifier };
};

interface Returned {
  state: string;
  /** From the cookie. */
  browser: string;
  now: Date;
}

/** Uses up a flow that this browser has begun: of two answers one counts. */
export const takeFlow = async (db: Database, { state, browser, now }: Returned): Promise<FlowSecrets | undefined> => {
  const flow = await db
    .deleteFrom("sso_flows")
    .where("state_hash", "=", hashOf(state))
    .where("browser_hash", "=", hashOf(browser))
    .where("expires_time", ">", now)
    .returning(["nonce", "code_verifier"])
    .executeTakeFirst();
  return flow && { state, nonce: flow.nonce, codeVerifier: flow.code_verifier };
};
