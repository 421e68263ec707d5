import type { Pool, PoolClient } from "pg";
import type { Runner, Statement } from "./runner.ts";

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
    // BEGIN and the first statement are one round trip.
    const [, result] = await Promise.all([client.query(begin), work(client)]);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (fault) {
    client.release(true);
    throw fault;
  }
};

/** Runs statements that do not need each other's answers in one transaction, which takes one round trip. An error of any of them rolls all back. */
export const inOneTrip = async (pool: Pool, statements: readonly Statement[]): Promise<void> => {
  const client = await pool.connect();
  const ended = await Promise.allSettled(
    ["BEGIN", ...statements, "COMMIT"].map((statement) => client.query(statement)),
  );
  // After an error COMMIT ends the transaction without a change. Without its answer the connection's state is unknown.
  client.release(ended.at(-1)?.status === "rejected");
  for (const each of ended) if (each.status === "rejected") throw each.reason;
};

/** Runs `work` as a part of the transaction of `run`. An error undoes that part only, and is rethrown; the transaction can go on. */
export const inSavepoint = async <T>(run: Runner, work: () => Promise<T>): Promise<T> => {
  const tell = (text: string) => run.query({ text, values: [] });
  await tell("SAVEPOINT part");
  try {
    const result = await work();
    await tell("RELEASE SAVEPOINT part");
    return result;
  } catch (fault) {
    // Where the connection is lost nothing can go on: the first fault tells why.
    await tell("ROLLBACK TO SAVEPOINT part").catch(() => undefined);
    throw fault;
  }
};
