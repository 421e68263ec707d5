import type { Database } from "./schema/schema.ts";

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
  const entry = { plant_id: plantId, user_id: userId, action, detail: JSON.stringify(detail), created_time: now };
  await db.insertInto("audit_log").values(entry).execute();
};
