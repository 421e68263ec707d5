import { access } from "node:fs/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Clock } from "../platform/clock.ts";
import { type Files, keptFolders } from "../platform/files/files.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { findParts, isInParts, isOfStorage } from "../readings/index.ts";
import { type ArchiveWriter, createArchive } from "./archive-writer.ts";
import { migrationsOf, sequencesOf, type Table, tablesOf } from "./catalogue.ts";
import { openLongConnection } from "./long-connection.ts";
import { format, type Manifest, manifestPath } from "./manifest.ts";
import { noneOf, type UnreadableRow, unreadableRows } from "./unreadable-rows.ts";

const id = pg.escapeIdentifier;

interface Needs {
  databaseUrl: string;
  files: Files;
  clock: Clock;
}

/** The database could not give all rows of a table. */
class UnreadableTable extends Error {
  readonly table: string;
  constructor(table: string, cause: Error) {
    super(`The table ${table} cannot be read: ${cause.message}`, { cause });
    this.table = table;
  }
}

/** What cannot be read, by table. */
type LeftOut = Map<string, readonly UnreadableRow[]>;

/**
 * Starts a snapshot transaction. The tables are locked before the snapshot, only against being dropped: a month that is dropped meanwhile
 * would lose readings that the snapshot still has there.
 */
const beginSnapshot = async (client: pg.Client): Promise<Table[]> => {
  await findParts(client);
  if (isInParts())
    throw new OperatorError(
      "The database is in parts: back it up by the means of PostgreSQL and Citus on each of its servers, see docs/operate/cluster.md",
    );
  const seen = await tablesOf(client);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`LOCK TABLE ${seen.map(({ name }) => id(name)).join(", ")} IN ACCESS SHARE MODE`);
  return tablesOf(client);
};

const addFiles = async (archive: ArchiveWriter, files: Files): Promise<Manifest["files"]> => {
  const added: Manifest["files"] = [];
  for (const folder of keptFolders)
    for (const path of await files.list(folder)) {
      const content = await files.read(path);
      // Removed since the listing.
      if (!content) continue;
      const part = `files/${path}.zst`;
      added.push({ path, part, ...(await archive.add(part, content)) });
    }
  return added;
};

const addTable = async (
  archive: ArchiveWriter,
  client: pg.Client,
  { name, columns, partitions }: Table,
  leftOut: readonly UnreadableRow[] = [],
): Promise<Manifest["tables"][number]> => {
  const part = `tables/${name}.copy.zst`;
  const content = `SELECT ${columns.map(id).join(", ")} FROM ${id(name)} WHERE ${noneOf(leftOut)}`;
  const rows = client.query(copyTo(`COPY (${content}) TO STDOUT`));
  const measured = await archive.add(part, rows).catch((fault: unknown) => {
    throw isOfStorage(fault) ? new UnreadableTable(name, fault) : fault;
  });
  return { name, columns, rows: rows.rowCount, partitions, part, ...measured };
};

/** Writes the tables of the snapshot and the files, without rows that cannot be read. */
const fill = async (
  archive: ArchiveWriter,
  client: pg.Client,
  { tables, leftOut }: { tables: readonly Table[]; leftOut: LeftOut },
  { files, clock }: Needs,
): Promise<Manifest> => {
  const madeAt = clock.date().toISOString();
  const migrations = await migrationsOf(client);
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  // Files first: right after the snapshot, few can have been removed.
  const manifest: Manifest = {
    kind: "telltale-backup",
    format,
    madeAt,
    postgres: rows[0]?.version ?? 0,
    migrations,
    files: await addFiles(archive, files),
    tables: [],
    sequences: [],
    leftOut: [...leftOut.values()].flat().map(({ what }) => what),
  };
  for (const table of tables) manifest.tables.push(await addTable(archive, client, table, leftOut.get(table.name)));
  // Sequences are not part of a snapshot: read at the end, they are past every number in the tables.
  manifest.sequences = await sequencesOf(client);
  await client.query("COMMIT");
  return manifest;
};

const write = async (file: string, fillIt: (archive: ArchiveWriter) => Promise<Manifest>): Promise<Manifest> => {
  const archive = createArchive(file);
  try {
    const manifest = await fillIt(archive);
    await archive.finish(manifestPath, JSON.stringify(manifest, null, 2));
    return manifest;
  } catch (fault) {
    await archive.discard();
    throw fault;
  }
};

/** Writes the file, and begins it again where readings cannot be read: without them, from the same snapshot. Otherwise there would be no backup any more. */
const writeReadable = async (file: string, client: pg.Client, needs: Needs): Promise<Manifest> => {
  const tables = await beginSnapshot(client);
  const leftOut: LeftOut = new Map();
  await client.query("SAVEPOINT snapshot");
  for (;;)
    try {
      return await write(file, (archive) => fill(archive, client, { tables, leftOut }, needs));
    } catch (fault) {
      if (!(fault instanceof UnreadableTable) || leftOut.has(fault.table)) throw fault;
      await client.query("ROLLBACK TO SAVEPOINT snapshot");
      const unreadable = await unreadableRows(client, fault.table);
      if (unreadable.length === 0) throw fault;
      leftOut.set(fault.table, unreadable);
    }
};

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Writes a snapshot of database and kept files into one file, while the server keeps running. */
export const backUp = async (file: string, needs: Needs): Promise<Manifest> => {
  for (const taken of [file, `${file}.part`])
    if (await isThere(taken)) throw new OperatorError(`${taken} exists: remove it, or choose another name`);
  const client = await openLongConnection(needs.databaseUrl, "backup");
  try {
    if ((await migrationsOf(client)).length === 0)
      throw new OperatorError("The database contains no Telltale data: there is nothing to back up");
    return await writeReadable(file, client, needs);
  } finally {
    await client.end().catch(() => undefined);
  }
};
