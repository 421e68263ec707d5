import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { decodeBlock } from "./block.ts";
import { isOfStorage, placesOf, Unreadable } from "./places.ts";

/** A table with coded readings: its statements. $1: device group, $2: id, $3: why. */
const batches = {
  name: "batch",
  ids: "SELECT batch_id AS id FROM batches WHERE device_group = $1 AND damage IS NULL ORDER BY batch_id",
  readings: "SELECT readings FROM batches WHERE device_group = $1 AND batch_id = $2",
  mark: "UPDATE batches SET damage = $3 WHERE device_group = $1 AND batch_id = $2 RETURNING device_ids, first_ts, last_ts, count",
};
const chunks: typeof batches = {
  name: "chunk",
  ids: "SELECT chunk_id AS id FROM chunks WHERE device_group = $1 AND damage IS NULL ORDER BY chunk_id",
  readings: "SELECT readings FROM chunks WHERE device_group = $1 AND chunk_id = $2",
  mark: "UPDATE chunks SET damage = $3 WHERE device_group = $1 AND chunk_id = $2 RETURNING ARRAY[device_id] AS device_ids, first_ts, last_ts, count",
};

/** A disk that does not answer once may do so later, milliseconds. */
const secondTry = 1_000;

const readOnce = (pool: Pool, table: typeof batches, group: number, id: number) =>
  pool.query<{ readings: Buffer }>(table.readings, [group, id]);

const whyUnreadable = async (
  pool: Pool,
  table: typeof batches,
  group: number,
  id: number,
): Promise<string | undefined> => {
  let bytes: Buffer | undefined;
  try {
    const found = await readOnce(pool, table, group, id).catch(async (fault: unknown) => {
      if (!isOfStorage(fault)) throw fault;
      await sleep(secondTry);
      return readOnce(pool, table, group, id);
    });
    bytes = found.rows[0]?.readings;
  } catch (fault) {
    if (!isOfStorage(fault)) throw fault;
    return (fault as Error).message;
  }
  try {
    if (bytes) decodeBlock(bytes);
    return undefined;
  } catch (fault) {
    return (fault as Error).message;
  }
};

interface Needs {
  pool: Pool;
  log: Logger;
}

interface Marked {
  device_ids: number[];
  first_ts: number;
  last_ts: number;
  count: number;
}

/**
 * Finds rows of a device group whose readings cannot be read, marks and logs them, so that merging, packing and reading leave them out and go on with
 * the others. Returns how many were found. Reads every row: call it when one could not be read.
 */
export const markDamaged = async ({ pool, log }: Needs, group: number): Promise<number> => {
  let found = 0;
  for (const table of [batches, chunks]) {
    const { rows } = await pool.query<{ id: number }>(table.ids, [group]);
    for (const { id } of rows) {
      const damage = await whyUnreadable(pool, table, group, id);
      if (damage === undefined) continue;
      const [marked] = (await pool.query<Marked>(table.mark, [group, id, damage])).rows;
      found += 1;
      log.error(
        { [table.name]: id, group, ...marked, damage },
        "Stored readings are damaged and are left out; restore the database from a backup to get them back",
      );
    }
  }
  return found;
};

/**
 * Marks what could not be read if that is the fault, and returns whether it is: the same question is answered without it then, also where another call has
 * marked it meanwhile.
 */
export const markUnreadable = async (needs: Needs, fault: unknown): Promise<boolean> => {
  if (!(fault instanceof Unreadable)) return false;
  for (const { group } of await placesOf(needs.pool, fault.source)) await markDamaged(needs, group);
  return true;
};
