import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { applyMigrations, knownMigrations } from "../platform/database/migrate.ts";
import { BadBackup, type CheckedArchive } from "./archive-reader.ts";
import { dropsOf, foreignKeysOf, tablesOf } from "./catalogue.ts";
import type { Manifest } from "./manifest.ts";

const id = pg.escapeIdentifier;

const run = async (client: pg.Client, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await client.query(statement);
};

/** Creates an empty schema in the backup's version. */
const makeSchema = async (client: pg.Client, manifest: Manifest): Promise<void> => {
  await run(client, await dropsOf(client));
  await applyMigrations(client, manifest.migrations);
};

const loadTable = async (
  client: pg.Client,
  archive: CheckedArchive,
  { name, columns, rows, partitions, part }: Manifest["tables"][number],
): Promise<void> => {
  for (const { name: own, bounds, options } of partitions) {
    const stored = options.length > 0 ? ` WITH (${options.join(", ")})` : "";
    await client.query(`CREATE TABLE IF NOT EXISTS ${id(own)} PARTITION OF ${id(name)} ${bounds}${stored}`);
  }
  const into = client.query(copyFrom(`COPY ${id(name)} (${columns.map(id).join(", ")}) FROM STDIN`));
  await pipeline(await archive.open(part), into);
  if (into.rowCount !== rows) throw new BadBackup(`${name} has ${into.rowCount} rows and should have ${rows}`);
};

/**
 * Loads all rows with triggers and foreign keys disabled: they would do their work twice, or fail on the order of tables. All keys are checked at the
 * end.
 */
const loadRows = async (client: pg.Client, archive: CheckedArchive): Promise<void> => {
  const tables = (await tablesOf(client)).map(({ name }) => id(name));
  const keys = await foreignKeysOf(client);
  await run(
    client,
    keys.map(({ drop }) => drop),
  );
  await run(
    client,
    tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
  );
  // Rows inserted by migrations are also in the backup.
  await client.query(`TRUNCATE ${tables.join(", ")}`);
  for (const table of archive.manifest.tables) await loadTable(client, archive, table);
  for (const { name, value } of archive.manifest.sequences)
    await client.query("SELECT setval(quote_ident($1)::regclass, $2)", [name, value]);
  await run(
    client,
    tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
  );
  await run(
    client,
    keys.map(({ add }) => add),
  );
};

/** Replaces the database's content by the backup's and migrates it to this version's schema, in the transaction of `client`. */
export const load = async (client: pg.Client, archive: CheckedArchive): Promise<void> => {
  await makeSchema(client, archive.manifest);
  await loadRows(client, archive);
  await applyMigrations(client, await knownMigrations());
};
