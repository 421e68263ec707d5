import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, connect as dial, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connect } from "../database/connect.ts";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { createLog } from "../log.ts";
import { createBus } from "./bus.ts";
import { createNotices, noticeChannel } from "./device-notices.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What happens to data sent to the database. */
type Fate = "arrives" | "is lost" | "ends the connection";

/**
 * A faulty proxy to the database: `fateOf` decides for each chunk by connection number what happens to it; what the database sends to the first
 * connection is delayed by `late` milliseconds.
 */
const aPath = async (fateOf: (piece: string, connection: number) => Fate, late = 0): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-path-"));
  const { host, port } = new pg.Client({ connectionString: database.url });
  let count = 0;
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = dial(join(host, `.s.PGSQL.${port}`));
    const number = ++count;
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) sockets.push(socket.on("error", cut).on("close", cut));
    near.on("data", (piece) => {
      const fate = fateOf(piece.toString("latin1"), number);
      if (fate === "arrives") far.write(piece);
      if (fate === "ends the connection") cut();
    });
    if (late > 0 && number === 1) far.on("data", (piece) => setTimeout(() => near.write(piece), late));
    else far.pipe(near);
  }).listen(join(folder, `.s.PGSQL.${port}`));
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return database.url.replaceAll(encodeURIComponent(host), encodeURIComponent(folder)).replaceAll(host, folder);
};

const limits = { connect: 2_000, statement: 15_000, answer: 1_000 };

/** Notices received through the proxy. */
const listenBy = async (url: string, timeout = 5_000) => {
  const log = createLog("silent");
  const { pool, close } = connect(url, log, { limits });
  const bus = createBus((fault) => {
    throw fault;
  });
  const heard: number[] = [];
  let missed = 0;
  bus.on("deviceChange", ({ deviceId }) => heard.push(deviceId));
  bus.on("noticesMissed", () => {
    missed += 1;
  });
  const notices = createNotices({ pool, bus, log }, { pause: 50, ask: 1_500, timeout });
  onTestFinished(async () => {
    notices.stop();
    await close();
  });
  await notices.start();
  return { pool, heard, missed: () => missed, notices };
};

/** Runs a statement on another connection, without the proxy. */
const elsewhere = async (sql: string, values: string[] = []): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(sql, values);
  await client.end();
};
const notify = (deviceId: number) =>
  elsewhere("SELECT pg_notify($1, $2)", [noticeChannel, JSON.stringify({ plantId: 1, deviceId })]);

test("a silently dropped path is detected: notices arrive on a new connection, and the bus reports that some may have been missed", async () => {
  let isDropped = false;
  const { heard, missed } = await listenBy(
    await aPath((_piece, connection) => (isDropped && connection === 1 ? "is lost" : "arrives")),
  );
  await notify(1);
  await expect.poll(() => heard).toEqual([1]);
  expect(missed()).toBe(0);
  isDropped = true;
  await expect.poll(missed, { timeout: 5_000 }).toBe(1);
  await notify(2);
  await expect.poll(() => heard).toEqual([1, 2]);
});

test.each<Fate>(["is lost", "ends the connection"])(
  "a connection whose LISTEN %s is given back, and one listener comes of it",
  async (fate) => {
    let left = 3;
    const url = await aPath((piece, connection) =>
      connection > 1 && piece.includes("LISTEN") && left-- > 0 ? fate : "arrives",
    );
    const { pool, heard, missed } = await listenBy(url);
    await elsewhere(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    await expect.poll(missed, { timeout: 10_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([pool.totalCount, missed()]).toEqual([1, 1]);
    await notify(3);
    await expect.poll(() => heard).toEqual([3]);
  },
);

test("after caughtUp, notices committed before have arrived, even when the database is slow", async () => {
  const { heard, notices } = await listenBy(await aPath(() => "arrives", 300));
  await notify(4);
  await notices.caughtUp();
  expect(heard).toEqual([4]);
});

test("caughtUp times out when the database does not answer, before its connection counts as lost", async () => {
  let isDropped = false;
  const { notices, pool } = await listenBy(await aPath(() => (isDropped ? "is lost" : "arrives")), 50);
  isDropped = true;
  await notices.caughtUp();
  expect(pool.totalCount).toBe(1);
});

test("concurrent callers share one query: the connection never has two at once", async () => {
  const { heard, notices } = await listenBy(database.url);
  const warnings: Error[] = [];
  const warned = (warning: Error): number => warnings.push(warning);
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await notify(index);
      await notices.caughtUp();
      expect(heard).toContain(index);
    }),
  );
  expect(warnings).toEqual([]);
});
