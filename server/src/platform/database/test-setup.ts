import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { distributeReadings } from "../../telemetry/packing/distribute.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open.ts";
import { command, withDatabase } from "./test-commands.ts";

const log = {
  info: () => undefined,
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
};

/** Tests need no durability, so writes do not wait for the disk. */
const settings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "200" };

/**
 * Prepares the template of a database in parts on the servers of a Citus cluster: TEST_CITUS names the coordinator and its workers, each as the address
 * of a superuser's database `postgres`, with commas between.
 */
const prepareParts = async ([coordinator = "", ...workers]: readonly string[]): Promise<string> => {
  const [template, ...others] = await Promise.all(
    [coordinator, ...workers].map(async (url) => {
      await command(url, "drop database if exists telltale_template with (force)");
      await command(url, "create database telltale_template");
      const own = withDatabase(url, "telltale_template");
      await command(own, "create extension citus");
      return own;
    }),
  );
  if (!template) throw new Error("TEST_CITUS is empty");
  await migrate(template);
  const client = new pg.Client({ connectionString: template });
  await client.connect();
  const place = (url: string) => [new URL(url).hostname, Number(new URL(url).port)];
  await client.query("select citus_set_coordinator_host($1, $2)", place(template));
  for (const other of others) await client.query("select citus_add_node($1, $2)", place(other));
  await distributeReadings(client);
  await client.end();
  for (const url of [coordinator, ...workers])
    await command(
      url,
      "alter database telltale_template allow_connections false; select pg_terminate_backend(pid) from pg_stat_activity where datname = 'telltale_template'",
    );
  return template;
};

/** Starts one PostgreSQL for the whole test run with a migrated template for createTestDatabase: the embedded one, or that of TEST_DATABASE_URL. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const servers = process.env.TEST_CITUS?.split(",") ?? [];
  provide("workerUrls", servers.slice(1));
  if (servers.length > 0) {
    provide("templateUrl", await prepareParts(servers));
    return async () => undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-test-"));
  const database = await openDatabase({ dataDir, log, settings, databaseUrl: process.env.TEST_DATABASE_URL });
  await migrate(database.url);
  provide("templateUrl", database.url);
  return async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
};
