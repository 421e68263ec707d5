import { createHash } from "node:crypto";
import { tooManyTries } from "../http/api-error.ts";
import type { AttemptNeeds, Attempts, Limit } from "./attempts.ts";

/** One statement, so that concurrent tries on several nodes never pass the limit together. Returns no row at the limit. $5: most. */
const counting = `
  INSERT INTO tries (name, key, count, until_ts) VALUES ($1, $2, 1, $4)
  ON CONFLICT (name, key) DO UPDATE
    SET count = CASE WHEN tries.until_ts <= $3 THEN 1 ELSE tries.count + 1 END,
        until_ts = CASE WHEN tries.until_ts <= $3 THEN excluded.until_ts ELSE tries.until_ts END
  WHERE tries.until_ts <= $3 OR tries.count < $5
  RETURNING count`;
const current = "SELECT count, until_ts FROM tries WHERE name = $1 AND key = $2 AND until_ts > $3";
const pardoning = "UPDATE tries SET count = count - 1 WHERE name = $1 AND key = $2 AND until_ts > $3 AND count > 0";
const forgetting = "DELETE FROM tries WHERE name = $1 AND key = $2";

/** A few at each try, so that invented keys don't fill the table. */
const removeOld = `
  DELETE FROM tries WHERE (name, key) IN (SELECT name, key FROM tries WHERE until_ts <= $1 LIMIT 20 FOR UPDATE SKIP LOCKED)`;

/** Keys may be any text, also what PostgreSQL can't hold; an e-mail that nobody has need not be kept either. */
const hashOf = (key: string): string => createHash("sha256").update(key).digest("base64url");

/** Tries counted in the database, for all nodes of a cluster. */
export const createSharedAttempts = (
  { pool, clock }: AttemptNeeds,
  name: string,
  { most, window }: Limit,
): Attempts => {
  const refuse = async (key: string, limit: number): Promise<void> => {
    const { rows } = await pool.query<{ count: number; until_ts: number }>(current, [name, hashOf(key), clock.now()]);
    const [found] = rows;
    if (found && found.count >= limit) throw tooManyTries(found.until_ts - clock.now());
  };
  return {
    check: (key) => refuse(key, most),
    count: async (key) => {
      const now = clock.now();
      await pool.query(removeOld, [now]);
      const { rows } = await pool.query(counting, [name, hashOf(key), now, now + window, most]);
      if (rows.length === 0) await refuse(key, 0);
    },
    pardon: async (key) => void (await pool.query(pardoning, [name, hashOf(key), clock.now()])),
    forget: async (key) => void (await pool.query(forgetting, [name, hashOf(key)])),
  };
};
