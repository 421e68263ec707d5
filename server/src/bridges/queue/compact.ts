import type { Pool } from "pg";
import type { Runner } from "../../platform/database/runner.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { decodeBlock, encodeBlock, gathered } from "../../readings/index.ts";

/** Entries that are looked at together, and readings from which an entry is left as it is. */
const [atOnce, large] = [500, 2_000];

/** How much later than its first an entry of a list may be, milliseconds: all of them are given up at the age of the first. */
const longest = 3_600_000;

interface Row {
  entry_id: number;
  queued_ts: number;
  count: number;
  readings: Buffer;
}

const next = {
  name: "next-to-compact",
  text: `SELECT entry_id, queued_ts, count, readings FROM bridge_queue
          WHERE bridge_id = $1 AND entry_id > $2 AND readings IS NOT NULL ORDER BY entry_id LIMIT ${atOnce}`,
};
const take = "DELETE FROM bridge_queue WHERE bridge_id = $1 AND entry_id = ANY($2::int8[]) RETURNING entry_id";
const put = `INSERT INTO bridge_queue (bridge_id, entry_id, queued_ts, count, readings) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5)`;

/** Small entries that soon follow one another, in lists that become one entry each. A large one ends a list: what follows it must stay behind it. */
const listsOf = (rows: readonly Row[]): Row[][] => {
  const lists: Row[][] = [];
  let open: Row[] = [];
  let readings = 0;
  for (const row of rows) {
    if (readings + row.count > large || row.queued_ts - (open[0] ?? row).queued_ts > longest) {
      lists.push(open);
      open = [];
      readings = 0;
    }
    open.push(row);
    readings += row.count;
  }
  return [...lists, open].filter(({ length }) => length > 1);
};

class Taken extends Error {}

const join = async (run: Runner, bridgeId: number, rows: readonly Row[]): Promise<void> => {
  const [first] = rows;
  const block = gathered(rows.map(({ readings }) => decodeBlock(readings)));
  if (!first || !block) return;
  const ids = rows.map(({ entry_id }) => entry_id);
  const { rows: gone } = await run.query({ text: take, values: [bridgeId, ids] });
  // Another node publishes, because this one has lost its lock.
  if (gone.length !== rows.length) throw new Taken("The queue of a bridge is in use");
  const values = [bridgeId, first.entry_id, first.queued_ts, block.times.length, encodeBlock(block)];
  await run.query({ text: put, values });
};

/**
 * Joins the many small entries of a bridge whose broker is away, each of one commit, to few large ones: a backlog of days is then read and counted quickly.
 * The joined entry has the number of its first, and so its place before all later ones of its devices. `from`: where the last call ended; returns where
 * this one ends.
 */
export const compactQueue = async (pool: Pool, bridgeId: number, from: number): Promise<number> => {
  const slice = createTimeSlice();
  let at = from;
  for (;;) {
    const { rows } = await pool.query<Row>({ ...next, values: [bridgeId, at] });
    const last = rows.at(-1);
    // What is not full yet is left for the next call.
    if (!last || rows.length < atOnce) return at;
    for (const list of listsOf(rows)) {
      await inTransaction(pool, (client) => join(client, bridgeId, list));
      if (slice.isUsedUp()) await slice.next();
    }
    at = last.entry_id;
  }
};
