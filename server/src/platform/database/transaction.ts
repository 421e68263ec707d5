import type { Pool, PoolClient } from "pg";

/** Runs `work` in one transaction and commits it. A fault rolls back and is thrown on; the connection is then dropped, since its state is not known. */
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
