import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./transaction.ts";

/**
 * Runs `work`, which only reads, on one moment of the database, however many statements it takes. The first one looks into all the partitions
 * that the others need: from then on none of them is dropped.
 */
export const inSnapshot = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, work, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
