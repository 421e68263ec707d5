import type { Pool } from "pg";

const write = `
  INSERT INTO readiness (checked_time) VALUES (now()) ON CONFLICT (is_only) DO UPDATE SET checked_time = excluded.checked_time`;

/** A check: throws when nothing can be committed. A database that is read-only or full still answers questions. */
export const checkWriting = async (pool: Pool): Promise<undefined> => {
  await pool.query(write);
};
