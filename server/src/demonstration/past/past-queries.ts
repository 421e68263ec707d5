import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Markers in the audit log about the demonstration's state; they belong to no plant and are shown nowhere. */
const notes = { toWrite: "demonstration.pastToWrite", written: "demonstration.pastWritten" } as const;

const note = (db: Database, action: string, now: Date): Promise<void> =>
  audit(db, { plantId: null, userId: null, action, now });

/** Records that the plants exist and the readings of their past are still to be written. */
export const recordPastPending = (db: Database, now: Date): Promise<void> => note(db, notes.toWrite, now);

/** Records that the past is complete. */
export const recordPastWritten = (db: Database, now: Date): Promise<void> => note(db, notes.written, now);

/**
 * When the demonstration was created, if its past is still to be written; undefined otherwise. A server that was stopped meanwhile writes it again;
 * readings that already exist stay unchanged.
 */
export const pastToWrite = async (db: Database): Promise<Date | undefined> => {
  const found = await db
    .selectFrom("audit_log")
    .select(["action", "created_time"])
    .where("plant_id", "is", null)
    .where("action", "in", Object.values(notes))
    .execute();
  if (found.some(({ action }) => action === notes.written)) return undefined;
  return found.find(({ action }) => action === notes.toWrite)?.created_time;
};
