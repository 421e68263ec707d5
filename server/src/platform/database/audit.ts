import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "./schema/schema.ts";

/** Name of the API key that makes the call which is being answered. */
const keyInUse = new AsyncLocalStorage<string | undefined>();

/** Answers a call made by an API key of this name: every audit entry of it then tells so, though it is the member's. */
export const byKey = <T>(name: string | undefined, answer: () => Promise<T>): Promise<T> => keyInUse.run(name, answer);

/** An action and who performed it. `detail` describes it; never a password, a secret or a token. */
export interface AuditEntry {
  /** The affected plant; null for none. */
  plantId: number | null;
  /** Null for someone without a user, such as a contact who answers. */
  userId: number | null;
  /** Domain and verb, as `profile.update`. */
  action: string;
  detail?: Record<string, unknown>;
  now: Date;
}

/** Adds an entry to the audit log, in the transaction of the action. */
export const audit = async (db: Database, { plantId, userId, action, detail = {}, now }: AuditEntry): Promise<void> => {
  const apiKey = keyInUse.getStore();
  const told = JSON.stringify({ ...detail, ...(apiKey !== undefined && { apiKey }) });
  const entry = { plant_id: plantId, user_id: userId, action, detail: told, created_time: now };
  await db.insertInto("audit_log").values(entry).execute();
};
