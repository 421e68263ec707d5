import type { Database } from "./schema/schema.ts";

/** Something that was done and by whom. `detail` says to what; never a password, a secret or a token. */
export interface AuditEntry {
  /** The plant it concerns; null for what concerns none. */
  plantId: number | null;
  /** Null for somebody who is no user: a contact who answers. */
  userId: number | null;
  /** Domain and verb, as `profile.update`. */
  action: string;
  detail?: Record<string, unknown>;
  now: Date;
}

/** Adds a line to the audit log, in the transaction of what it tells about. */
export const audit = async (db: Database, { plantId, userId, action, detail = {}, now }: AuditEntry): Promise<void> => {
  const entry = { plant_id: plantId, user_id: userId, action, detail: JSON.stringify(detail), created_time: now };
  await db.insertInto("audit_log").values(entry).execute();
};
