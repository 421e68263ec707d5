import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open.ts";

const log = {
  info: () => undefined,
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
};

/** Tests need no durability, so writes do not wait for the disk. */
const settings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

/** Starts one PostgreSQL for the whole test run with a migrated template for createTestDatabase: the embedded one, or that of TEST_DATABASE_URL. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-test-"));
  const database = await openDatabase({ dataDir, log, settings, databaseUrl: process.env.TEST_DATABASE_URL });
  await migrate(database.url);
  provide("templateUrl", database.url);
  return async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
};
