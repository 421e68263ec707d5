import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** Advisory lock: one node migrates, the others wait. An arbitrary number that must be the same in every version. */
const lockNumber = 8_021_975;
const folder = join(import.meta.dirname, "migrations");

const applied = async (client: pg.Client): Promise<Set<string>> => {
  await client.query(
    "create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  return new Set(rows.map((row) => row.name));
};

/** Names of all migrations of this version, in order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

/** Applies those of `names` that are not yet applied, in the transaction of `client`. */
export const applyMigrations = async (client: pg.Client, names: readonly string[]): Promise<void> => {
  const done = await applied(client);
  for (const name of names) {
    if (done.has(name)) continue;
    await client.query(await readFile(join(folder, name), "utf8"));
    await client.query("insert into schema_migrations (name) values ($1)", [name]);
  }
};

const apply = async (client: pg.Client, name: string): Promise<void> => {
  try {
    await client.query("begin");
    await applyMigrations(client, [name]);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback").catch(() => undefined);
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

/**
 * Migrates the database at `url` to this version's schema: the files of `migrations/` in order of their names, each once and in its own transaction,
 * so that a failure leaves the last complete state. Safe to call from several nodes at once. Throws when a newer version has migrated the database.
 */
export const migrate = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, application_name: "telltale migrate" });
  client.on("error", () => undefined); // the query under way reports it
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockNumber]);
    const done = await applied(client);
    const names = await knownMigrations();
    const unknown = [...done].find((name) => !names.includes(name));
    if (unknown)
      throw new Error(
        `The database was brought to the schema of a newer Telltale (${unknown}): start that version, or restore a backup with this one`,
      );
    for (const name of names) if (!done.has(name)) await apply(client, name);
  } finally {
    await client.end().catch(() => undefined);
  }
};
