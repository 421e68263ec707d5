import pg from "pg";
import { withDatabase } from "../platform/database/test-commands.ts";
import { asSuperuser } from "./test-sql-users.ts";

/** Readings that come in a row. */
export type ReadingsTable = "batches" | "chunks" | "packed_hours";

const outside = `
  SELECT c.reltoastrelid::regclass::text AS name FROM pg_class c
   WHERE c.reltoastrelid <> 0 AND (c.oid = $1::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass))`;

/** Deletes what PostgreSQL keeps outside of the rows of a table, as a damaged disk might. In a database in parts it is elsewhere. */
export const loseParts = async (url: string, table: ReadingsTable): Promise<void> => {
  const client = new pg.Client(withDatabase(asSuperuser(url), new URL(url).pathname.slice(1)));
  await client.connect();
  let lost = 0;
  for (const { name } of (await client.query<{ name: string }>(outside, [table])).rows) {
    const kindOf = (kind: string) => `UPDATE pg_class SET relkind = '${kind}' WHERE oid = '${name}'::regclass`;
    // PostgreSQL refuses to delete from a relation of this kind.
    await client.query(kindOf("r"));
    lost += (await client.query(`DELETE FROM ${name}`)).rowCount ?? 0;
    await client.query(kindOf("t"));
    // Until then deleted parts can still be read.
    await client.query(`VACUUM ${name}`);
  }
  await client.end();
  if (lost === 0) throw new Error(`No row of ${table} is so large that a part of it is kept outside`);
};

/** So many readings, and so various, that they are kept outside of their row. */
export const manyFrom = (from: number): [ts: number, value: number][] =>
  Array.from({ length: 2_000 }, (_, at) => [from + at, Math.sin(at) * 1e6]);
