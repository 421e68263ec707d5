import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { root } from "../installed.ts";
import { OperatorError } from "../operator-error.ts";

/** Advisory lock: one node migrates, the others wait. An arbitrary number that must be the same in every version. */
const lockNumber = 8_021_975;
const ownFolder = join(root, "server/src/platform/database/migrations");

const applied = async (client: pg.Client): Promise<Set<string>> => {
  await client.query(
    "create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  return new Set(rows.map((row) => row.name));
};

/** Names of all migrations of this version, in order. */
export const knownMigrations = async (folder = ownFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();

/** A migration's line which says that servers that do not know it, but this earlier one, can go on. */
const mark = /^-- Readable by (\S+\.sql) and later\.$/m;

/** Applies those of `names` that are not yet applied, in the transaction of `client`. */
export const applyMigrations = async (
  client: pg.Client,
  names: readonly string[],
  folder = ownFolder,
): Promise<void> => {
  const done = await applied(client);
  for (const name of names) {
    if (done.has(name)) continue;
    const text = await readFile(join(folder, name), "utf8");
    await client.query(text);
    await client.query("insert into schema_migrations (name) values ($1)", [name]);
    const since = mark.exec(text)?.[1];
    if (since) await client.query("update schema_migrations set readable_since = $2 where name = $1", [name, since]);
  }
};

const apply = async (client: pg.Client, name: string, folder: string): Promise<void> => {
  try {
    await client.query("begin");
    await applyMigrations(client, [name], folder);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback").catch(() => undefined);
    throw new Error(`Migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
};

/** Throws when a newer version has migrated the database in a way that this one cannot work with. */
const checkReadable = async (client: pg.Client, done: ReadonlySet<string>, names: readonly string[]): Promise<void> => {
  const unknown = [...done].filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const last = names.at(-1) ?? "";
  const { rows } = await client.query<{ name: string }>(
    "select name from schema_migrations where name = any($1) and (readable_since is null or readable_since > $2) order by name",
    [unknown, last],
  );
  if (rows[0])
    throw new Error(
      `The database was brought to the schema of a newer Telltale (${rows[0].name}): start that version, or restore a backup with this one`,
    );
};

/** A running node has told within this time that it lives, seconds. */
const alive = 30;

/** Throws when running nodes cannot work with the database after the next migrations. */
const checkNodes = async (client: pg.Client, next: readonly string[], folder: string): Promise<void> => {
  const { rows: found } = await client.query<{ has: boolean }>("select to_regclass('nodes') is not null as has");
  if (!found[0]?.has) return;
  const { rows: nodes } = await client.query<{ name: string; schema: string | null }>(
    "select name, to_jsonb(nodes) ->> 'schema' as schema from nodes where heard_time > now() - make_interval(secs => $1)",
    [alive],
  );
  for (const name of next) {
    const since = mark.exec(await readFile(join(folder, name), "utf8"))?.[1];
    const unable = nodes.filter(({ schema }) => schema === null || schema < (since ?? name));
    if (unable.length > 0)
      throw new OperatorError(
        `This version changes the database so that the running nodes (${unable.map((node) => node.name).join(", ")}) cannot go on (${name}): stop them, then start this version`,
      );
  }
};

/**
 * Migrates the database at `url` to this version's schema: the files of `migrations/` in order of their names, each once and in its own transaction,
 * so that a failure leaves the last complete state. Safe to call from several nodes at once. Throws when a newer version has migrated the database in
 * a way that this one cannot work with, and when running nodes of an older version could not work with it afterwards.
 */
export const migrate = async (url: string, folder = ownFolder): Promise<void> => {
  const client = new pg.Client({ connectionString: url, application_name: "telltale migrate" });
  client.on("error", () => undefined); // the query under way reports it
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockNumber]);
    const done = await applied(client);
    const names = await knownMigrations(folder);
    await checkReadable(client, done, names);
    const next = names.filter((name) => !done.has(name));
    if (next.length > 0) await checkNodes(client, next, folder);
    for (const name of next) await apply(client, name, folder);
  } finally {
    await client.end().catch(() => undefined);
  }
};
