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

/** Nothing a test writes needs to outlive the machine, so it need not wait for the disk. */
const settings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

/** One PostgreSQL for the whole test run, its database migrated, for createTestDatabase to clone: the embedded one, or that of TEST_DATABASE_URL. */
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
