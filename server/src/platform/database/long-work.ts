import type { PoolClient, QueryConfig } from "pg";

/** A query with its own client timeout, milliseconds; the driver supports the field, its types lack it. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/** Statement timeout of background jobs, milliseconds; calls have a much shorter one. */
const longest = 30 * 60_000;

/** Raises the statement timeout of this transaction to that of background jobs. */
export const allowLongWork = async (client: PoolClient): Promise<void> => {
  await client.query(`SET LOCAL statement_timeout = ${longest}`);
};

/** A query with the matching client timeout; use after `allowLongWork`. */
export const longQuery = (text: string, values: unknown[] = []): TimedQuery => ({
  text,
  values,
  query_timeout: longest,
});
