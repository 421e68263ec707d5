import type { PoolClient, QueryConfig } from "pg";

/** A statement with its own longest wait for the answer, milliseconds; the driver knows the field, its types do not. */
export interface TimedQuery extends QueryConfig {
  query_timeout: number;
}

/** Longest that a background job's statement may take, milliseconds; calls have far less. */
const longest = 30 * 60_000;

/** Lets the statements of this transaction take as long as a background job may. */
export const allowLongWork = async (client: PoolClient): Promise<void> => {
  await client.query(`SET LOCAL statement_timeout = ${longest}`);
};

/** A statement whose answer is waited for as long; use it after `allowLongWork`. */
export const longQuery = (text: string, values: unknown[] = []): TimedQuery => ({
  text,
  values,
  query_timeout: longest,
});
