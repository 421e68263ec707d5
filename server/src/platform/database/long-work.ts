import type { PoolClient, QueryConfig } from "pg";
import { createTimeSlice, type TimeSlice } from "../time-slice.ts";
import type { Runner } from "./runner.ts";

/** A query with its own client timeout, milliseconds; the driver supports the field, its types lack it. */
export interface TimedQuery extends QueryConfig {
  values: unknown[];
  query_timeout: number;
}

/** Statement timeout of background jobs, milliseconds; calls have a much shorter one. */
const longest = 30 * 60_000;

/** How long the transaction of a background job may wait for the server, which calculates between its statements; milliseconds. */
const longestIdle = 5_000;

/** Raises the timeouts of this transaction to those of background jobs. No device's readings may wait for its locks. */
export const allowLongWork = async (client: PoolClient): Promise<void> => {
  await client.query(
    `SET LOCAL statement_timeout = ${longest}; SET LOCAL idle_in_transaction_session_timeout = ${longestIdle}`,
  );
};

/**
 * Raises the timeout of this transaction's statements only: readings may wait for its locks, so that a node which stands still has to lose it as soon as
 * any other transaction.
 */
export const allowLongStatements = async (client: PoolClient): Promise<void> => {
  await client.query(`SET LOCAL statement_timeout = ${longest}`);
};

/** A query with the matching client timeout; use after one of the two. */
export const longQuery = (text: string, values: unknown[] = []): TimedQuery => ({
  text,
  values,
  query_timeout: longest,
});

/** How often a calculation within a transaction lets the database hear of it, milliseconds; well below `idleLimitOfNodes`. */
const signOfLifeEvery = 250;

/**
 * Time slices of a calculation within the transaction of `run`. A busy machine may need seconds for it; without a statement meanwhile the database would
 * take the server for one that stands still, and end the transaction.
 */
export const createSliceWithin = (run: Runner): TimeSlice => {
  const slice = createTimeSlice();
  let last = performance.now();
  return {
    isUsedUp: slice.isUsedUp,
    next: async () => {
      await slice.next();
      if (performance.now() - last < signOfLifeEvery) return;
      await run.query({ text: "SELECT 1", values: [] });
      last = performance.now();
    },
  };
};
