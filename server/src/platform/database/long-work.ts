import type { PoolClient, QueryConfig } from "pg";

/** Longest that a background job's statement may take, milliseconds; calls have far less. */
const longest = 30 * 60_000;

/** Lets the statements of this transaction take as long as a background job may. */
export const allowLongWork = async (client: PoolClient): Promise<void> => {
  await client.query(`SET LOCAL statement_timeout = ${longest}`);
};

/** A statement whose answer is waited for as long; use it after `allowLongWork`. */
export const longQuery = (text: string, values: unknown[] = []): QueryConfig =>
  ({ text, values, query_timeout: longest }) as QueryConfig;
