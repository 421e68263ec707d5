import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connect } from "./connect.ts";
import { migrate } from "./migrate.ts";
import { announcePresence, DatabaseServed, type Presence } from "./presence.ts";
import { releaseRequestChannel, type Sharing, whileServerStopped } from "./serving-lock.ts";
import { createEmptyDatabase, type TestDatabase } from "./test-database.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => database.drop());

/** A server as the database sees it: its lock and its pool. */
const serve = async (url = database.url, sharing: Sharing = "alone") => {
  const reasons: string[] = [];
  const presence = await announcePresence({ url, log, sharing, onStopForRestore: (reason) => reasons.push(reason) });
  ends.push(presence.end);
  await migrate(url);
  await presence.register();
  const { pool, close } = connect(url, log, { presence, size: 2 });
  ends.push(close);
  return { presence, pool, reasons };
};

const queryRows = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client
    .query<T>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

/** The session that has the lock. */
const holder = async (): Promise<number | undefined> =>
  (
    await queryRows<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 8021976 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
  )[0]?.pid;

/** A proxy to the database that can be cut; `silently`: the database's side believes its connections alive. */
const createPath = async () => {
  const { host, port, user, password, database: name } = new pg.Client({ connectionString: database.url });
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = host.startsWith("/") ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host);
    const pair = { near, far };
    pairs.add(pair);
    near.on("data", (data) => far.write(data)).on("error", () => undefined);
    far.on("data", (data) => near.write(data)).on("error", () => undefined);
    near.on("close", () => far.destroy());
    far.on("close", () => pairs.has(pair) && near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = ({ silently = false } = {}): void => {
    isCut = !silently;
    for (const pair of pairs) {
      if (silently) pairs.delete(pair);
      pair.far.destroy();
    }
  };
  ends.push(() => {
    cut();
    server.close();
  });
  const address = new URL(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`);
  address.username = user ?? "";
  address.password = String(password);
  return {
    url: address.href,
    cut,
    mend: (): void => {
      isCut = false;
    },
  };
};

test("a second server is refused with the name of the first and what to do, and can start when the first has ended", async () => {
  const { presence } = await serve();
  const refused = serve();
  await expect(refused).rejects.toThrow(DatabaseServed);
  await expect(refused).rejects.toThrow(
    /^Another Telltale serves this database already \(telltale process \d+ on .+\): end it first, or give this one another DATABASE_URL\./,
  );
  await presence.end();
  await serve();
});

test("of servers started at the same time on a fresh database one serves", async () => {
  const empty = await createEmptyDatabase();
  const starts = await Promise.allSettled(Array.from({ length: 4 }, () => serve(empty.url)));
  expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  for (const start of starts) if (start.status === "rejected") expect(start.reason).toBeInstanceOf(DatabaseServed);
  ends.unshift(() => empty.drop());
});

test("a server whose session is ended regains the lock and continues", async () => {
  const { pool, reasons } = await serve();
  await pool.query("SELECT 1");
  const before = await holder();
  await queryRows(`SELECT pg_terminate_backend(${before})`);
  await expect.poll(async () => ![undefined, before].includes(await holder()), { timeout: 10_000 }).toBe(true);
  await Promise.all([pool.query("SELECT 1"), pool.query("SELECT 2")]);
  expect(reasons).toEqual([]);
  await expect(serve()).rejects.toThrow(DatabaseServed);
});

test("a server continues after its path to the database was cut, unless another one has served meanwhile", async () => {
  const path = await createPath();
  const { pool, reasons } = await serve(path.url);
  path.cut();
  await expect.poll(holder, { timeout: 10_000 }).toBeUndefined();
  path.mend();
  await expect.poll(() => pool.query("SELECT 1").catch(() => undefined), { timeout: 10_000 }).toBeDefined();
  expect(await holder()).toBeDefined();
  expect(reasons).toEqual([]);
});

test.each([
  ["still serves", async () => undefined],
  ["has served meanwhile and ended", async (presence: Presence) => presence.end()],
])("a server that is back writes nothing and starts anew when another one %s", async (_what, after) => {
  const path = await createPath();
  const former = await serve(path.url);
  path.cut();
  await expect.poll(holder, { timeout: 10_000 }).toBeUndefined();
  const { presence } = await serve();
  await after(presence);
  path.mend();
  await expect.poll(() => former.reasons, { timeout: 10_000 }).toHaveLength(1);
  await expect(former.pool.query("SELECT 1")).rejects.toThrow("does not hold the database");
});

test("a server that has lost the database to another without noticing cannot write", async () => {
  const path = await createPath();
  const former = await serve(path.url);
  const transaction = await former.pool.connect();
  transaction.on("error", () => undefined);
  path.cut({ silently: true });
  transaction.release(true);
  await expect.poll(holder, { timeout: 10_000 }).toBeUndefined();
  await serve();
  await expect(former.pool.query("SELECT 1")).rejects.toThrow("does not hold the database");
  await expect.poll(() => former.reasons, { timeout: 10_000 }).toHaveLength(1);
});

test("a server ends the sessions of the one before, and no other's", async () => {
  const former = await serve();
  const transaction = await former.pool.connect();
  const broken = once(transaction, "error");
  const command = connect(database.url, log, { size: 1 });
  ends.push(command.close);
  const own = await command.pool.connect();
  await former.presence.end();
  await serve();
  await broken;
  transaction.release(true);
  await own.query("SELECT 1");
  own.release();
});

test("a server that stops while it regains its lost lock does not keep it", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { presence } = await serve();
    await queryRows(`SELECT pg_terminate_backend(${await holder()})`);
    // Its new session may be opening at this moment, or have just taken the lock.
    await sleep(round * 5);
    await presence.end();
    await expect.poll(holder, { timeout: 5_000 }).toBeUndefined();
  }
});

test("a restore asks again: a server that stopped at once may have taken the lock once more", async () => {
  const server = new pg.Client({ connectionString: database.url });
  await server.connect();
  ends.push(() => server.end());
  await server.query("SELECT pg_advisory_lock(8021976)");
  let requests = 0;
  server.on("notification", () => {
    requests += 1;
    if (requests === 2) void server.query("SELECT pg_advisory_unlock(8021976)");
  });
  await server.query(`LISTEN ${releaseRequestChannel}`);
  const restore = new pg.Client({ connectionString: database.url });
  await restore.connect();
  ends.push(() => restore.end());
  expect(await whileServerStopped(restore, async () => "restored")).toBe("restored");
  expect(requests).toBe(2);
});
