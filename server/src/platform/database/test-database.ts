import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { command as commandOn, withDatabase } from "./test-commands.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated template of every test database; without connections. */
    templateUrl: string;
    /** Workers of the Citus cluster on which the tests run; empty on an ordinary PostgreSQL. */
    workerUrls: readonly string[];
  }
}

/** A test file's own database, with the schema and no rows. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Runs one statement on the test run's PostgreSQL, outside of any test database. */
const command = (url: string, sql: string): Promise<void> => commandOn(withDatabase(url, "postgres"), sql);

/** An autovacuum cannot be terminated by this role; it ends soon. A worker of Citus ends the coordinator's sessions as soon. */
const isInUse = (fault: unknown): boolean => ["42501", "55006"].includes((fault as { code?: string }).code ?? "");

const drop = async (url: string, name: string): Promise<void> => {
  try {
    await command(url, `drop database ${name} with (force)`);
  } catch (fault) {
    if (!isInUse(fault)) throw fault;
    await sleep(100);
    await drop(url, name);
  }
};

const createFrom = async (template: string): Promise<TestDatabase> => {
  const templateUrl = inject("templateUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const servers = [templateUrl, ...inject("workerUrls")];
  for (const url of servers) await command(url, `create database ${name} template ${template}`);
  // Of a setting of the database that is not copied with it.
  if (servers.length > 1)
    await command(templateUrl, `alter database ${name} set citus.max_adaptive_executor_pool_size = 1`);
  return {
    url: withDatabase(templateUrl, name),
    drop: async () => {
      for (const url of servers) await drop(url, name);
    },
  };
};

/** Creates a database without a schema. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom("template0");

/** Clones the migrated template (some 50 ms); drop it in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createFrom(new URL(inject("templateUrl")).pathname.slice(1));
