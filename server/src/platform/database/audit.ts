import { AsyncLocalStorage } from "node:async_hooks";
import { type ChangedRecord, changedRecords } from "@telltale/contract/live";
import { sql } from "kysely";
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

/** Records of a kind have changed: open consoles that show such records fetch them again. */
export interface RecordChange {
  /** Null for every plant. */
  plantId: number | null;
  record: ChangedRecord;
  /** The only user who sees them; absent where all of the plant may. */
  userId?: number;
}

/** PostgreSQL notification channel for changes of records, which every server listens to. */
export const recordChannel = "telltale_record_change";

/** Tells the consoles of every server that records have changed, when the transaction commits. */
export const announceChange = async (db: Database, change: RecordChange): Promise<void> => {
  await sql`select pg_notify(${recordChannel}, ${JSON.stringify(change)})`.execute(db);
};

/** Records that are their user's alone. */
const personal: readonly ChangedRecord[] = ["watchlist"];

/** Adds an entry to the audit log, in the transaction of the action, and tells open consoles of it. */
export const audit = async (db: Database, { plantId, userId, action, detail = {}, now }: AuditEntry): Promise<void> => {
  const apiKey = keyInUse.getStore();
  const told = JSON.stringify({ ...detail, ...(apiKey !== undefined && { apiKey }) });
  const entry = { plant_id: plantId, user_id: userId, action, detail: told, created_time: now };
  await db.insertInto("audit_log").values(entry).execute();
  const record = changedRecords.find((each) => action.startsWith(`${each}.`));
  if (record === undefined || plantId === null) return;
  await announceChange(db, { plantId, record, ...(userId !== null && personal.includes(record) && { userId }) });
};
