import { rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Clock } from "../platform/clock.ts";
import { knownMigrations } from "../platform/database/migrate.ts";
import { StillServed, withoutServers } from "../platform/database/serving-lock.ts";
import { createFiles, type FilePath } from "../platform/files/files.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { BadBackup, type CheckedArchive, openArchive } from "./archive-reader.ts";
import { exchangeFiles } from "./exchange-files.ts";
import { load } from "./load.ts";
import { openLongConnection } from "./long-connection.ts";
import type { Manifest } from "./manifest.ts";

interface Needs {
  databaseUrl: string;
  dataDir: string;
  clock: Clock;
}

const checkSchema = async ({ migrations }: Manifest): Promise<void> => {
  const known = new Set(await knownMigrations());
  const unknown = migrations.find((name) => !known.has(name));
  if (unknown)
    throw new BadBackup(
      `The backup was made by a newer Telltale (${unknown}): restore it with that version or a later one`,
    );
};

const unpackFiles = async (archive: CheckedArchive, staging: string): Promise<void> => {
  await rm(staging, { recursive: true, force: true });
  const files = createFiles(staging);
  for (const { path, part } of archive.manifest.files) await files.write(path as FilePath, await archive.open(part));
};

/**
 * What was under way when the backup was made is over. Whoever was signed in signs in again: a session may have been ended since. What waited
 * to be sent has most likely been sent since, and is not sent twice.
 */
const endOldBusiness = async (client: pg.Client, now: Date): Promise<void> => {
  // A server that could not be reached meanwhile must not take this for the database it knew.
  await client.query("UPDATE serving SET run_id = gen_random_uuid()");
  await client.query("DELETE FROM sign_ins");
  await client.query("DELETE FROM support_links");
  await client.query(
    "UPDATE outbox SET status = 'failed', fault = 'It waited when the backup was made that was restored since' WHERE status IN ('waiting', 'sending')",
  );
  await client.query(
    "INSERT INTO audit_log (plant_id, user_id, action, detail, created_time) VALUES (NULL, NULL, 'backup.restore', '{}', $1)",
    [now],
  );
};

/** Database and files change together: the files are exchanged last, and back again when the commit fails. */
const replace = async (
  client: pg.Client,
  archive: CheckedArchive,
  { dataDir, clock }: Needs,
  staging: string,
): Promise<void> => {
  await client.query("BEGIN");
  await load(client, archive);
  await endOldBusiness(client, clock.date());
  const exchanged = await exchangeFiles(dataDir, staging);
  try {
    await client.query("COMMIT");
  } catch (fault) {
    await exchanged.undo();
    throw fault;
  }
  await exchanged.end();
  // Without it PostgreSQL knows nothing of the new tables' sizes and reads them in slow ways at first.
  await client.query("ANALYZE");
};

/**
 * Replaces database and kept files by those of a backup, wholly or not at all. Servers of this database stop for as long as it takes, and go on
 * with what is there then.
 */
export const restore = async (file: string, needs: Needs): Promise<Manifest> => {
  const archive = await openArchive(file);
  const staging = join(needs.dataDir, "restoring");
  try {
    await checkSchema(archive.manifest);
    await unpackFiles(archive, staging);
    const client = await openLongConnection(needs.databaseUrl, "restore");
    try {
      await withoutServers(client, () => replace(client, archive, needs, staging));
    } catch (fault) {
      if (fault instanceof StillServed)
        throw new OperatorError(`${fault.message}: end the servers that use this database, and try again`, {
          cause: fault,
        });
      throw fault;
    } finally {
      await client.end().catch(() => undefined);
    }
    return archive.manifest;
  } finally {
    archive.close();
    await rm(staging, { recursive: true, force: true });
  }
};
