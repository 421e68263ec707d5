import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** URL of the embedded PostgreSQL of a data directory, for direct queries. */
export const databaseUrl = async (dataDir: string, host = join(dataDir, "postgres"), port = 5432): Promise<string> => {
  const password = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim();
  return `postgres://telltale:${password}@localhost:${port}/telltale?host=${encodeURIComponent(host)}`;
};

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Runs queries in the database of a running server. */
export const inDatabase = async <T>(dataDir: string, look: (client: pg.Client) => Promise<T>): Promise<T> =>
  inDatabaseAt(await databaseUrl(dataDir), look);

/** The same by the address of a database. */
export const inDatabaseAt = async <T>(url: string, look: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  // A connection that is lost, as PostgreSQL is killed, fails its query; without a listener it would end this process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await look(client);
  } finally {
    await client.end();
  }
};
