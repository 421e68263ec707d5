import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Notes of the demonstration about itself; they concern no plant and are on nobody's screen. */
const notes = { toWrite: "demonstration.pastToWrite", written: "demonstration.pastWritten" } as const;

const note = (db: Database, action: string, now: Date): Promise<void> =>
  audit(db, { plantId: null, userId: null, action, now });

/** The plants are made; what their devices measured before now has still to come. */
export const notePastToWrite = (db: Database, now: Date): Promise<void> => note(db, notes.toWrite, now);

/** The past is complete. */
export const notePastWritten = (db: Database, now: Date): Promise<void> => note(db, notes.written, now);

/**
 * Since when the past is to be written, if it is: a server that was stopped meanwhile writes it again, and what is there already stays as it is.
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
