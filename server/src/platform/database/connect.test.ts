import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connected, connect } from "./connect.ts";
import { allowLongWork, createSliceWithin } from "./long-work.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
/** A node that stands still in the middle of its transactions, and another one. */
let still: Connected;
let other: Connected;

beforeAll(async () => {
  database = await createTestDatabase();
  still = connect(database.url, log, { idleLimit: 700 });
  other = connect(database.url, log);
  await other.pool.query(
    "CREATE TABLE counters (id int PRIMARY KEY, value int); INSERT INTO counters VALUES (1, 0), (2, 0), (3, 0)",
  );
});
afterAll(async () => {
  await Promise.all([still.close(), other.close()]);
  await database.drop();
});

/** Changes a row in a transaction that is not ended. */
const standStill = async (id: number, prepare?: typeof allowLongWork) => {
  const client = await still.pool.connect();
  await client.query("BEGIN");
  await prepare?.(client);
  await client.query("UPDATE counters SET value = 7 WHERE id = $1", [id]);
  return client;
};
const add = (id: number) =>
  other.pool.query("UPDATE counters SET value = value + 1 WHERE id = $1 RETURNING value", [id]);

test("rows that a node has changed when it stands still are soon free for the others, as they were", async () => {
  const client = await standStill(1);
  expect((await add(1)).rows).toEqual([{ value: 1 }]);
  await expect(client.query("COMMIT")).rejects.toThrow();
  client.release(true);
});

test("a background job may calculate longer between its statements", async () => {
  const client = await standStill(2, allowLongWork);
  const added = add(2);
  await client.query("SELECT pg_sleep(0.01)");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await client.query("COMMIT");
  client.release();
  expect((await added).rows).toEqual([{ value: 8 }]);
});

test("a calculation that takes long on a busy machine does not cost its transaction", async () => {
  const client = await standStill(3);
  const slice = createSliceWithin(client);
  for (const end = performance.now() + 1_500; performance.now() < end; ) if (slice.isUsedUp()) await slice.next();
  await client.query("COMMIT");
  client.release();
  expect((await add(3)).rows).toEqual([{ value: 8 }]);
});

test("closing ends every connection, also when only hand-written statements have used them", async () => {
  const brief = connect(database.url, log);
  await brief.pool.query("SELECT 1");
  await brief.close();
  expect(brief.pool.totalCount).toBe(0);
});
