import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { connect } from "../server/src/platform/database/connect.ts";
import { migrate } from "../server/src/platform/database/migrate.ts";
import { openDatabase } from "../server/src/platform/database/open.ts";
import type { Database } from "../server/src/platform/database/schema/schema.ts";
import { createLog } from "../server/src/platform/log.ts";

/** Runs `work` with an embedded PostgreSQL configured as by `npm start`, in a temporary directory, without the schema. */
export const withDatabaseUrl = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-bench-"));
  const database = await openDatabase({ dataDir, log: createLog("error") });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Long timeouts: filling tables with years of readings takes longer than a normal call may, milliseconds. */
const patient = { connect: 5_000, statement: 600_000, answer: 600_000 };

/** Connects to the database at `url` with long timeouts. */
export const withPool = async <T>(url: string, work: (pool: Pool, db: Database) => Promise<T>): Promise<T> => {
  const connected = connect(url, createLog("error"), { limits: patient });
  try {
    return await work(connected.pool, connected.db);
  } finally {
    await connected.close();
  }
};

/** Runs `work` with a connected database that has the schema. */
export const withDatabase = <T>(work: (pool: Pool, db: Database) => Promise<T>): Promise<T> =>
  withDatabaseUrl(async (url) => {
    await migrate(url);
    return withPool(url, work);
  });
