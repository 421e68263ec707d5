import type { Database } from "../../../platform/database/schema/schema.ts";
import { hashOf, newToken } from "../sign-in/sessions.ts";
import type { FlowSecrets } from "./provider.ts";

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
