import type { Socket } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { anOwner } from "../../test/test-people.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { addSqlUser } from "./users.ts";

let world: TestWorld;
let access: TestSqlAccess;
let plantId: number;
const clients: pg.Client[] = [];
let number = 0;

beforeAll(async () => {
  world = await createTestWorld();
  access = await openTestSqlAccess(world);
  plantId = (await anOwner(world)).plantId;
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end().catch(() => undefined);
});
afterAll(() => access.close());

/** A session of a new SQL user. */
const entered = async () => {
  number += 1;
  const name = `limited_${number}_${Date.now() % 100_000}`;
  const password = await addSqlUser(world, access.place, { plantId, name, madeBy: "Olaf" });
  const client = await access.enter(name, password);
  clients.push(client);
  return { name, client };
};

test("a statement that takes too long is ended, also when the user lifts PostgreSQL's limit", async () => {
  const { client } = await entered();
  await client.query("SET statement_timeout = 0");
  await expect(client.query("SELECT pg_sleep(100)")).rejects.toThrow(/terminat/);
});

test("a statement that would fill the disk is refused", async () => {
  const { client } = await entered();
  await expect(client.query("SET temp_file_limit = -1")).rejects.toThrow("permission denied");
  expect((await client.query("SHOW temp_file_limit")).rows).toEqual([{ temp_file_limit: "1GB" }]);
});

test("a transaction that is left open is ended", async () => {
  const { client } = await entered();
  await client.query("SET idle_in_transaction_session_timeout = 0");
  const ended = new Promise((resolve) => client.once("end", resolve));
  await client.query("BEGIN");
  await ended;
});

test("a statement that takes all memory is ended, and the others go on", async () => {
  const [{ client }, other] = [await entered(), await entered()];
  const greedy =
    "SELECT count(*) FROM (SELECT repeat('x', 2000) || n AS t FROM generate_series(1, 3000000) AS n ORDER BY t) AS s";
  await client.query("SET work_mem = '8GB'");
  await expect(client.query(greedy)).rejects.toThrow(/terminat/);
  expect((await other.client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});

test("a statement whose client has left, so that nobody waits for it, is ended too", async () => {
  const { name, client } = await entered();
  await client.query("SET statement_timeout = 0; SET client_connection_check_interval = 0");
  const running = "SELECT FROM pg_stat_activity WHERE usename = $1 AND state = 'active'";
  const admin = new pg.Client({ connectionString: access.place.adminUrl });
  await admin.connect();
  const forgotten = client.query("SELECT pg_sleep(3600)").catch(() => undefined);
  await expect.poll(async () => (await admin.query(running, [name])).rowCount).toBe(1);
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  await forgotten;
  await expect.poll(async () => (await admin.query(running, [name])).rowCount, { timeout: 15_000 }).toBe(0);
  await admin.end();
});
