import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { pooledName } from "../database/connect.ts";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { createLocks, type NodeLocks } from "./locks.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let locks: NodeLocks;
const clients: pg.Client[] = [];

const connect = async (name: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: database.url, application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
  return client;
};

/** One frame of PostgreSQL's protocol, of which less may be sent than its length says. */
const frame = (type: string, content: string, length = content.length): Buffer => {
  const bytes = Buffer.alloc(5 + content.length);
  bytes.write(type, 0);
  bytes.writeInt32BE(4 + length, 1);
  bytes.write(content, 5, "latin1");
  return bytes;
};

/** A server that has a lock and is suspended between two parts of a long statement. */
const standStill = async (lock: number): Promise<pg.Client> => {
  const client = await connect(pooledName);
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(1, $1::int)", [lock]);
  const { stream } = (client as pg.Client & { connection: { stream: NodeJS.WritableStream } }).connection;
  stream.write(frame("P", "\0SELECT $1::text\0\0\0"));
  stream.write(frame("B", "the beginning", 100_000));
  return client;
};

const isHeld = async (lock: number): Promise<boolean> => {
  const watcher = await connect("watcher");
  const { rows } = await watcher.query<{ taken: boolean }>("SELECT pg_try_advisory_xact_lock(1, $1::int) AS taken", [
    lock,
  ]);
  return rows[0]?.taken !== true;
};

beforeAll(async () => {
  database = await createTestDatabase();
  locks = createLocks(database.url, log, { idle: 15_000, beat: 100 });
  await locks.take("any");
});
afterAll(async () => {
  await locks.end();
  for (const client of clients) await client.end().catch(() => undefined);
  await database.drop();
});

test("a node that stands still in the middle of a statement loses its locks to one that waits for them", async () => {
  await standStill(1);
  const waiting = await connect("telltale of another node");
  await waiting.query("SELECT pg_advisory_lock(1, 1)");
});

// Who waits at a server of Citus is not seen from here.
test.skipIf(inject("workerUrls").length > 0)(
  "a node that nobody waits for keeps its transaction, however long its statement takes to arrive",
  async () => {
    await standStill(2);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await isHeld(2)).toBe(true);
  },
);
