import type { Pool, PoolClient } from "pg";

/**
 * Runs read-only `work` on one snapshot of the database, across any number of statements. The first statement must touch all partitions that later
 * ones need: from then on they cannot be dropped.
 */
export const inSnapshot = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    // BEGIN and the first statement are one round trip.
    const [, result] = await Promise.all([
      client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
      work(client),
    ]);
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
