import type { ClientBase } from "pg";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { World } from "../../world.ts";

const day = 86_400_000;
/** Days before and after today with a partition of their own; other readings go to the default partition. */
const kept = { before: 2, after: 3 } as const;

const nameOf = (dayNumber: number): string => `readings_d${dayNumber}`;

const existing = async (pool: World["pool"]): Promise<number[]> => {
  const { rows } = await pool.query<{ relname: string }>(
    "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'readings'::regclass",
  );
  return rows.flatMap((row) =>
    row.relname.startsWith("readings_d") ? [Number(row.relname.slice("readings_d".length))] : [],
  );
};

/** Creates a day's partition if it does not exist. */
export const createPartition = async (client: ClientBase, dayNumber: number): Promise<void> => {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${nameOf(dayNumber)} PARTITION OF readings FOR VALUES FROM (${dayNumber * day}) TO (${(dayNumber + 1) * day})
       WITH (autovacuum_vacuum_scale_factor = 0.3)`,
  );
  // Packing takes one hour at a time out of a day; rows lie in order of arrival, so this small index finds the hour.
  await client.query(
    `CREATE INDEX IF NOT EXISTS ${nameOf(dayNumber)}_ts ON ${nameOf(dayNumber)} USING brin (ts) WITH (pages_per_range = 32, autosummarize = on)`,
  );
};

/** Drops a day whose readings are all packed. */
const dropIfEmpty = (pool: World["pool"], dayNumber: number): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query("SET LOCAL lock_timeout = '2s'");
    await client.query(`LOCK TABLE ${nameOf(dayNumber)} IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query(`SELECT 1 FROM ${nameOf(dayNumber)} LIMIT 1`);
    if (rows.length === 0) await client.query(`DROP TABLE ${nameOf(dayNumber)}`);
  });

/** Creates the partitions around today and drops empty past ones. Idempotent. */
export const keepPartitions = async ({ pool, clock, log }: Pick<World, "pool" | "clock" | "log">): Promise<void> => {
  const today = Math.floor(clock.now() / day);
  const present = new Set(await existing(pool));
  for (let at = today - kept.before + 1; at <= today + kept.after; at++) {
    // A day that already has readings in the default partition stays there; packing empties it.
    if (!present.has(at))
      await inTransaction(pool, async (client) => {
        // The lock waits for long-running readers, and all later statements would queue behind it.
        await client.query("SET LOCAL lock_timeout = '2s'");
        await createPartition(client, at);
      }).catch((fault: unknown) =>
        log.warn(
          { err: fault, day: at },
          "Could not create a day's partition; its readings go to the default partition until the next try",
        ),
      );
  }
  for (const at of present)
    if (at < today - kept.before)
      await dropIfEmpty(pool, at).catch((fault: unknown) =>
        log.warn({ err: fault, day: at }, "Could not drop a day's empty partition; trying again at the next run"),
      );
};
