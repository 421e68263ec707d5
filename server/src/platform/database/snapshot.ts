import type { Pool, PoolClient } from "pg";

/**
 * Runs read-only `work` on one snapshot of the database, across any number of statements. The first statement must touch all partitions that later
 * ones need: from then on they cannot be dropped.
 */
export const inSnapshot = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const result = await work(client);
    // Nobody waits for the end: there is nothing to write.
    client.query("COMMIT").then(
      () => client.release(),
      () => client.release(true),
    );
    return result;
  } catch (fault) {
    client.release(true);
    throw fault;
  }
};
