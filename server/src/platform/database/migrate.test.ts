import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownMigrations, migrate } from "./migrate.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let database: TestDatabase;
let client: pg.Client;
const folders: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

test("every migration is applied once, in the order of the names", async () => {
  const { rows } = await client.query<{ name: string }>("select name from schema_migrations order by applied_at, name");
  const names = rows.map((row) => row.name);
  expect(names.length).toBeGreaterThan(0);
  expect(names).toEqual([...names].sort());
});

test("several nodes may migrate at the same time, and again", async () => {
  const count = async () =>
    (await client.query<{ n: number }>("select count(*)::int as n from schema_migrations")).rows[0]?.n;
  const before = await count();
  await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
  expect(await count()).toBe(before);
});

test("a schema of a newer version is not touched, and the error says what to do", async () => {
  await client.query("insert into schema_migrations (name) values ('9999-future.sql')");
  await expect(migrate(database.url)).rejects.toThrow(
    "newer Telltale (9999-future.sql): start that version, or restore a backup with this one",
  );
  await client.query("delete from schema_migrations where name = '9999-future.sql'");
});

/** A later version: this one's migrations and one more. */
const laterVersion = async (name: string, text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-migrations-"));
  folders.push(folder);
  await cp(join(import.meta.dirname, "migrations"), folder, { recursive: true });
  await writeFile(join(folder, name), text);
  return folder;
};

const aNode = (schema: string | null, secondsAgo = 0) =>
  client.query(
    "insert into nodes (node_id, name, version, schema, heard_time) values (gen_random_uuid(), 'process 7 on a', '0', $1, now() - make_interval(secs => $2))",
    [schema, secondsAgo],
  );

test("a version may be started beside an earlier one when its migration says so; otherwise it says which nodes to stop", async () => {
  const last = (await knownMigrations()).at(-1) ?? "";
  await aNode(last);
  const [breaking, expanding] = [
    await laterVersion("9998-breaking.sql", "ALTER TABLE tries RENAME TO tried;"),
    await laterVersion(
      "9998-expanding.sql",
      `-- Readable by ${last} and later.\nALTER TABLE tries ADD COLUMN note text;`,
    ),
  ];
  await expect(migrate(database.url, breaking)).rejects.toThrow(
    "the running nodes (process 7 on a) cannot go on (9998-breaking.sql): stop them, then start this version",
  );
  await migrate(database.url, expanding);

  await migrate(database.url);
  expect((await client.query("select note from tries")).rows).toEqual([]);

  await client.query("delete from nodes");
  await aNode(null, 31);
  await aNode(last, 31);
  await client.query(
    "update schema_migrations set readable_since = '9997-between.sql' where name = '9998-expanding.sql'",
  );
  await expect(migrate(database.url), "an earlier version than the mark's").rejects.toThrow("9998-expanding.sql");
});

test("a node of a version that does not tell its migrations is not left with a changed database", async () => {
  await client.query(
    "delete from nodes; update schema_migrations set readable_since = null where name = '9998-expanding.sql'",
  );
  await aNode(null);
  const next = await laterVersion("9999-next.sql", "-- Readable by 0036-nodes-side-by-side.sql and later.\nSELECT 1;");
  await cp(join(import.meta.dirname, "migrations/0035-tries.sql"), join(next, "9998-expanding.sql"));
  await expect(migrate(database.url, next)).rejects.toThrow("process 7 on a");
});
