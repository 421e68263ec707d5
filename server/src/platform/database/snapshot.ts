import type { Pool, PoolClient } from "pg";
import { inTransaction } from "./transaction.ts";

/**
 * Runs read-only `work` on one snapshot of the database, across any number of statements. The first statement must touch all partitions that later
 * ones need: from then on they cannot be dropped.
 */
export const inSnapshot = <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, work, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
