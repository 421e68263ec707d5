import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { connect } from "../server/src/platform/database/connect.ts";
import { migrate } from "../server/src/platform/database/migrate.ts";
import { openDatabase } from "../server/src/platform/database/open.ts";
import type { Database } from "../server/src/platform/database/schema/schema.ts";
import { createLog } from "../server/src/platform/log.ts";

/** An embedded PostgreSQL, set up as `npm start` has it, in a directory of its own; the schema is not in it yet. */
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

/** Filling tables with years of readings takes longer than a call may, milliseconds. */
const patient = { connect: 5_000, statement: 600_000, answer: 600_000 };

/** Connected to the database at `url`, with patience. */
export const withPool = async <T>(url: string, work: (pool: Pool, db: Database) => Promise<T>): Promise<T> => {
  const connected = connect(url, createLog("error"), { limits: patient });
  try {
    return await work(connected.pool, connected.db);
  } finally {
    await connected.close();
  }
};

/** The same with the schema, connected. */
export const withDatabase = <T>(work: (pool: Pool, db: Database) => Promise<T>): Promise<T> =>
  withDatabaseUrl(async (url) => {
    await migrate(url);
    return withPool(url, work);
  });
