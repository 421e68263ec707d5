import type { ClientBase } from "pg";
import { inSavepoint } from "../platform/database/transaction.ts";
import { isOfStorage } from "../readings/index.ts";

/** A row that PostgreSQL cannot give any more. */
export interface UnreadableRow {
  /** The table or partition, and the row's place there, which is the same for the whole transaction. */
  table: string;
  place: string;
  /** Whose readings it has, and of when. */
  what: string;
}

/** Tables of readings, and what a row of theirs has, in SQL. Nothing refers to their rows: a backup without some of them can be restored. */
const readingsIn: Readonly<Record<string, string>> = {
  batches:
    "format('%s readings of devices %s from %s', count, array_to_string(device_ids, ', '), to_timestamp(first_ts / 1000))",
  chunks: "format('%s readings of device %s from %s', count, device_id, to_timestamp(first_ts / 1000))",
  packed_hours: "format('%s readings of channel %s from %s', count, channel_id, to_timestamp(hour::bigint * 3600))",
};

/** A table as it is stored: itself, or its partitions. */
const storedTables = `
  SELECT c.oid::regclass::text AS name, (pg_relation_size(c.oid) / current_setting('block_size')::int)::int AS pages FROM pg_class c
   WHERE c.relkind = 'r' AND (c.oid = $1::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)) ORDER BY 1`;

/** Whether rows can be read with all that is kept outside of them. */
const canRead = async (client: ClientBase, table: string, condition: string): Promise<boolean> => {
  try {
    await inSavepoint(client, () => client.query(`SELECT sum(length(t::text)) FROM ${table} t WHERE ${condition}`));
    return true;
  } catch (fault) {
    if (!isOfStorage(fault)) throw fault;
    return false;
  }
};

const inPages = (from: number, to: number): string => `ctid >= '(${from},0)' AND ctid < '(${to},0)'`;

/** Pages of a table, from `from` to before `to`, with rows that cannot be read: halves of halves, as most have none. */
async function* unreadablePages(client: ClientBase, table: string, from: number, to: number): AsyncGenerator<number> {
  if (from >= to || (await canRead(client, table, inPages(from, to)))) return;
  if (to - from === 1) {
    yield from;
    return;
  }
  const middle = Math.floor((from + to) / 2);
  yield* unreadablePages(client, table, from, middle);
  yield* unreadablePages(client, table, middle, to);
}

/** The rows of a table of readings that cannot be read, in the snapshot of the client's transaction; none of another table, which must be whole. */
export const unreadableRows = async (client: ClientBase, name: string): Promise<UnreadableRow[]> => {
  const readings = readingsIn[name];
  if (!readings) return [];
  const found: UnreadableRow[] = [];
  const { rows: tables } = await client.query<{ name: string; pages: number }>(storedTables, [name]);
  for (const { name: table, pages } of tables)
    for await (const page of unreadablePages(client, table, 0, pages)) {
      const rowsOfPage = `SELECT ctid::text AS place, ${readings} AS what FROM ${table} WHERE ${inPages(page, page + 1)}`;
      for (const { place, what } of (await client.query<{ place: string; what: string }>(rowsOfPage)).rows)
        if (!(await canRead(client, table, `ctid = '${place}'`))) found.push({ table, place, what });
    }
  return found;
};

/** SQL condition: a row is none of these. */
export const noneOf = (rows: readonly UnreadableRow[]): string =>
  [...Map.groupBy(rows, ({ table }) => table)]
    .map(([table, those]) => {
      const places = those.map(({ place }) => `"${place}"`).join(",");
      return `NOT (tableoid = '${table}'::regclass AND ctid = ANY('{${places}}'::tid[]))`;
    })
    .join(" AND ") || "true";
