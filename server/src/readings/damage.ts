import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { Counter, type Registry } from "prom-client";
import type { Clock } from "../platform/clock.ts";
import type { Runner } from "../platform/database/runner.ts";
import { inSavepoint, inTransaction } from "../platform/database/transaction.ts";
import { insertionsOf } from "./batches.ts";
import { type Block, Damaged, decodeBlock } from "./block.ts";
import { gathered } from "./gather.ts";
import { askServers } from "./parts.ts";
import { isOfStorage, placesOf, Unreadable } from "./places.ts";

/** A table with coded readings: its statements. $1: device group, $2: id, $3: why. */
const batches = {
  name: "batch",
  ids: "SELECT batch_id AS id FROM batches WHERE device_group = $1 AND damage IS NULL ORDER BY batch_id",
  readings: "SELECT readings FROM batches WHERE device_group = $1 AND batch_id = $2",
  mark: "UPDATE batches SET damage = $3 WHERE device_group = $1 AND batch_id = $2 AND damage IS NULL RETURNING device_ids, first_ts, last_ts, count",
  marked: (condition: string) =>
    `SELECT device_group, batch_id AS id FROM batches WHERE damage IS NOT NULL AND ${condition} ORDER BY batch_id`,
};
const chunks: typeof batches = {
  name: "chunk",
  ids: "SELECT chunk_id AS id FROM chunks WHERE device_group = $1 AND damage IS NULL ORDER BY chunk_id",
  readings: "SELECT readings FROM chunks WHERE device_group = $1 AND chunk_id = $2",
  mark: "UPDATE chunks SET damage = $3 WHERE device_group = $1 AND chunk_id = $2 AND damage IS NULL RETURNING ARRAY[device_id] AS device_ids, first_ts, last_ts, count",
  marked: (condition) =>
    `SELECT device_group, chunk_id AS id FROM chunks WHERE damage IS NOT NULL AND ${condition} ORDER BY chunk_id`,
};

/** A disk that does not answer once may do so later, milliseconds. */
const secondTry = 1_000;

/** How often marked rows are looked at again, milliseconds: what a disk did not give for a while comes back with it. */
const lookAgainEvery = 600_000;

/**
 * Whether a fault says that stored readings cannot be read. Only then are a group's rows searched, one at a time, which takes seconds: a lost connection or a
 * lock that was waited for too long says nothing of the rows, and devices would wait meanwhile.
 */
export const isDamage = (fault: unknown): fault is Error => fault instanceof Damaged || isOfStorage(fault);

/** The readings of a row; none when another has taken it meanwhile. */
const readRow = async (run: Runner, table: typeof batches, group: number, id: number): Promise<Block | undefined> => {
  const { rows } = await run.query<{ readings: Buffer }>({ text: table.readings, values: [group, id] });
  return rows[0] && decodeBlock(rows[0].readings);
};

const whyUnreadable = async (
  pool: Pool,
  table: typeof batches,
  group: number,
  id: number,
): Promise<string | undefined> => {
  try {
    await readRow(pool, table, group, id).catch(async (fault: unknown) => {
      if (!isOfStorage(fault)) throw fault;
      await sleep(secondTry);
      return readRow(pool, table, group, id);
    });
    return undefined;
  } catch (fault) {
    if (!isDamage(fault)) throw fault;
    return fault.message;
  }
};

/** What marking needs: it is logged and counted. */
export interface Marking {
  pool: Pool;
  log: Logger;
  metrics: Registry;
}

const counterName = "telltale_damaged_rows_total";

/** The counter of rows that were marked, created once per registry. */
export const damagedRows = (metrics: Registry): Counter => {
  const known = metrics.getSingleMetric(counterName);
  if (known instanceof Counter) return known;
  return new Counter({
    name: counterName,
    help: "Rows of readings left out because they are damaged",
    registers: [metrics],
  });
};

interface Marked {
  device_ids: number[];
  first_ts: number;
  last_ts: number;
  count: number;
}

/**
 * Finds rows of a device group whose readings cannot be read, marks, logs and counts them, so that merging, packing and reading leave them out and go on
 * with the others. Returns how many were found; one that another has just marked is one of them. Reads every row: call it when one could not be read.
 */
export const markDamaged = async ({ pool, log, metrics }: Marking, group: number): Promise<number> => {
  let found = 0;
  for (const table of [batches, chunks]) {
    const { rows } = await pool.query<{ id: number }>(table.ids, [group]);
    for (const { id } of rows) {
      const damage = await whyUnreadable(pool, table, group, id);
      if (damage === undefined) continue;
      found += 1;
      const [marked] = (await pool.query<Marked>(table.mark, [group, id, damage])).rows;
      if (!marked) continue;
      damagedRows(metrics).inc();
      log.error(
        { [table.name]: id, group, ...marked, damage },
        "Stored readings are damaged and are left out until they can be read again; a backup from before may have them",
      );
    }
  }
  return found;
};

/** A group in which nothing was found is not searched again sooner, milliseconds: what calls could not read is elsewhere, as in a packed hour. */
const fruitless = 300_000;

/** How a group was searched last; times by `performance.now()`. */
interface Searched {
  running?: Promise<number>;
  foundAt: number;
  failedAt: number;
}

const searches = new WeakMap<Pool, Map<number, Searched>>();

const isRecent = (at: number): boolean => performance.now() - at < fruitless;

/** Searches a group for damaged rows, once for all calls that could not read it at the same time. Returns false when the last search was in vain. */
const searchOnce = async (needs: Marking, group: number): Promise<boolean> => {
  const groups = searches.get(needs.pool) ?? new Map<number, Searched>();
  searches.set(needs.pool, groups);
  const last = groups.get(group) ?? { foundAt: Number.NEGATIVE_INFINITY, failedAt: Number.NEGATIVE_INFINITY };
  groups.set(group, last);
  if (last.running) return (await last.running) >= 0;
  if (isRecent(last.failedAt)) return false;
  last.running = markDamaged(needs, group);
  try {
    if ((await last.running) > 0) last.foundAt = performance.now();
    // After a find it may be a call that failed before the row was marked.
    else if (!isRecent(last.foundAt)) last.failedAt = performance.now();
  } finally {
    delete last.running;
  }
  return true;
};

/**
 * Marks what could not be read if that is the fault, and returns whether the question should be asked again: it is answered without the marked rows then,
 * also where another call has marked them meanwhile.
 */
export const markUnreadable = async (needs: Marking, fault: unknown): Promise<boolean> => {
  if (!(fault instanceof Unreadable)) return false;
  let isSearched = false;
  for (const { group } of await placesOf(needs.pool, fault.source))
    if (await searchOnce(needs, group)) isSearched = true;
  return isSearched;
};

/** Asks for readings, and once more without those that could not be read: for answers that nobody can ask for again, as in the middle of a file. */
export const askReadable = async <T>(needs: Marking, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (fault) {
    if (!(await markUnreadable(needs, fault))) throw fault;
    return ask();
  }
};

/** Ids of a group's batches that cannot be read now, looked for within a transaction, which can go on afterwards. */
export const unreadableBatches = async (run: Runner, group: number): Promise<number[]> => {
  const { rows } = await run.query<{ id: number }>({ text: batches.ids, values: [group] });
  const found: number[] = [];
  for (const { id } of rows)
    try {
      await inSavepoint(run, () => readRow(run, batches, group, id));
    } catch (fault) {
      if (!isDamage(fault)) throw fault;
      found.push(id);
    }
  return found;
};

const devicesLeft = `
  SELECT device_id FROM devices WHERE device_id = ANY($1::int4[]) AND device_id NOT IN (SELECT device_id FROM deleted_devices)`;

const takeMarked = `
  DELETE FROM batches WHERE device_group = $1 AND batch_id = $2 AND damage IS NOT NULL RETURNING received_ts`;

/** Without the devices that have been deleted meanwhile: what refers to nothing could never be merged, and its group neither. */
const readmitBatch = async (pool: Pool, group: number, id: number, block: Block): Promise<void> => {
  const { rows: left } = await pool.query<{ device_id: number }>(devicesLeft, [Array.from(block.deviceIds)]);
  const kept = gathered([block], new Set(left.map((row) => row.device_id)));
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ received_ts: number }>(takeMarked, [group, id]);
    if (!rows[0] || !kept) return;
    for (const insertion of insertionsOf([{ group, block: kept }], rows[0].received_ts)) await client.query(insertion);
  });
};

/** The chunks of a deleted device go with it, marked or not. */
const readmitChunk = async (pool: Pool, group: number, id: number): Promise<void> => {
  await pool.query("UPDATE chunks SET damage = NULL WHERE device_group = $1 AND chunk_id = $2", [group, id]);
};

const readmitRows = async ({ pool, log }: Pick<Marking, "pool" | "log">, table: typeof batches): Promise<void> => {
  const { rows, faults } = await askServers(
    async (condition) => (await pool.query<{ device_group: number; id: number }>(table.marked(condition))).rows,
  );
  for (const { device_group: group, id } of rows) {
    const block = await readRow(pool, table, group, id).catch((fault: unknown) => {
      if (!isDamage(fault)) throw fault;
    });
    if (!block) continue;
    await (table === batches ? readmitBatch(pool, group, id, block) : readmitChunk(pool, group, id));
    log.warn({ [table.name]: id, group }, "Stored readings that were left out can be read again, and are shown again");
  }
  if (faults.length > 0) throw faults[0];
};

/**
 * Creates a function that looks at marked rows again when it is time, the first time at once. A disk or its network that fails for some seconds must not cost
 * the readings that it could not give meanwhile.
 */
export const createReadmission = ({
  pool,
  log,
  clock,
}: Pick<Marking, "pool" | "log"> & { clock: Clock }): (() => Promise<void>) => {
  let looked = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.steady() - looked < lookAgainEvery) return;
    looked = clock.steady();
    for (const table of [batches, chunks]) await readmitRows({ pool, log }, table);
  };
};
