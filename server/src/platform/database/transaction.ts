import type { Pool, PoolClient } from "pg";

/**
 * Runs `work` in a transaction and commits it. On error the transaction is rolled back and the connection closed, since its state is unknown; the
 * error is rethrown.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  begin = "BEGIN",
): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (fault) {
    client.release(true);
    throw fault;
  }
};
