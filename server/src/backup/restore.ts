import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import type { Clock } from "../platform/clock.ts";
import { knownMigrations } from "../platform/database/migrate.ts";
import { ServerNotStopped, whileServerStopped } from "../platform/database/serving-lock.ts";
import { createFiles, type FilePath } from "../platform/files/files.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { BadBackup, type CheckedArchive, openArchive } from "./archive-reader.ts";
import { exchangeFiles, settleExchange } from "./exchange-files.ts";
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
 * Ends activities that were in progress at the backup. Users have to sign in again: a session may have been ended since. Queued messages have most
 * likely been sent since, and are not sent twice.
 */
const endOpenActivities = async (client: pg.Client, now: Date): Promise<void> => {
  // A server that was unreachable meanwhile must not take this for the database it knew.
  await client.query("UPDATE serving SET run_id = gen_random_uuid()");
  await client.query("DELETE FROM sign_ins");
  await client.query("DELETE FROM support_links");
  await client.query("DELETE FROM sso_flows");
  await client.query(
    "UPDATE outbox SET status = 'failed', fault = 'Not sent: it was queued when the backup was made that has been restored since' WHERE status IN ('waiting', 'sending', 'held')",
  );
  await client.query("DELETE FROM outbox_folds");
  // What was confirmed since the backup waits again: people get time to confirm it before it escalates.
  await client.query(
    `UPDATE escalations SET started_time = started_time + ($1::timestamptz + interval '15 minutes' - due_time), due_time = $1::timestamptz + interval '15 minutes'
      WHERE due_time IS NOT NULL`,
    [now],
  );
  await client.query(
    "INSERT INTO audit_log (plant_id, user_id, action, detail, created_time) VALUES (NULL, NULL, 'backup.restore', '{}', $1)",
    [now],
  );
};

/** Gives the files another id: nodes that had others must not take them for this database's. */
const renameStore = async (client: pg.Client): Promise<string> => {
  const storeId = randomUUID();
  await client.query("DELETE FROM file_store");
  await client.query("INSERT INTO file_store (store_id) VALUES ($1)", [storeId]);
  return storeId;
};

const isAnswering = (client: pg.Client): Promise<boolean> =>
  client.query("SELECT 1").then(
    () => true,
    () => false,
  );

/**
 * Replaces database and files together: the files are exchanged just before the commit, and back again when it fails. Where this process is killed
 * in between, or the answer to COMMIT is lost, the next start (or restore) finds out what the database has, and takes the files that belong to it.
 */
const replace = async (
  client: pg.Client,
  archive: CheckedArchive,
  { dataDir, clock }: Needs,
  staging: string,
): Promise<void> => {
  await settleExchange(dataDir, client);
  await client.query("BEGIN");
  await load(client, archive);
  await endOpenActivities(client, clock.date());
  const exchanged = await exchangeFiles(dataDir, staging, await renameStore(client));
  try {
    await client.query("COMMIT");
  } catch (fault) {
    if (await isAnswering(client)) await exchanged.undo();
    throw fault;
  }
  await exchanged.end();
  // Without statistics PostgreSQL would choose slow plans for the new tables at first.
  await client.query("ANALYZE");
};

/**
 * Replaces database and kept files by a backup's, completely or not at all. The database's server stops meanwhile and restarts with the new content.
 */
export const restore = async (file: string, needs: Needs): Promise<Manifest> => {
  const archive = await openArchive(file);
  const staging = join(needs.dataDir, "restoring");
  try {
    await checkSchema(archive.manifest);
    await unpackFiles(archive, staging);
    const client = await openLongConnection(needs.databaseUrl, "restore");
    try {
      await whileServerStopped(client, () => replace(client, archive, needs, staging));
    } catch (fault) {
      if (fault instanceof ServerNotStopped)
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
