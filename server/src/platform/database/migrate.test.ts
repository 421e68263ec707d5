import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
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
