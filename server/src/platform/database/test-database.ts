import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The migrated template of every test database; without connections. */
    templateUrl: string;
  }
}

/** A test file's own database, with the schema and no rows. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const withDatabase = (url: string, name: string): string => {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
};

/** Runs one statement on the test run's PostgreSQL, outside of any test database. */
const command = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: withDatabase(url, "postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** An autovacuum cannot be terminated by this role; it ends soon. */
const isBeingVacuumed = (fault: unknown): boolean => (fault as { code?: string }).code === "42501";

const drop = async (url: string, name: string): Promise<void> => {
  try {
    await command(url, `drop database ${name} with (force)`);
  } catch (fault) {
    if (!isBeingVacuumed(fault)) throw fault;
    await sleep(100);
    await drop(url, name);
  }
};

const createFrom = async (template: string): Promise<TestDatabase> => {
  const templateUrl = inject("templateUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await command(templateUrl, `create database ${name} template ${template}`);
  return {
    url: withDatabase(templateUrl, name),
    drop: () => drop(templateUrl, name),
  };
};

/** Creates a database without a schema. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom("template0");

/** Clones the migrated template (some 50 ms); drop it in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createFrom(new URL(inject("templateUrl")).pathname.slice(1));
