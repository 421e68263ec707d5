import { cp, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { connect } from "../database/connect.ts";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { joinNodes } from "./join.ts";
import { createLocks } from "./locks.ts";
import type { ServerNode } from "./node.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => database.drop());

const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(pathOf(tmpdir(), "telltale-node-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const join = async (given?: string) => {
  const dataDir = given ?? (await aFolder());
  const { pool, close } = connect(database.url, log, { size: 2 });
  ends.push(close);
  const joined = await joinNodes({ sharing: "shared", dataDir, url: database.url, pool, log });
  ends.push(joined.leave);
  return { ...joined, pool };
};

/** Ends the database sessions that hold the nodes' locks, as a lost network path does. */
const endSessions = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'telltale node' AND datname = current_database()",
  );
  await client.end();
};

/** A role that tells which nodes have it. */
const role = () => {
  const leading = new Set<ServerNode>();
  const begin = (node: ServerNode) => () => {
    leading.add(node);
    return { stop: () => leading.delete(node) };
  };
  return { leading, lead: (node: ServerNode) => node.lead("a role", begin(node)) };
};

test("work that one node does at a time is skipped by the others, and by itself, until it is done", async () => {
  const [one, other] = [await join(), await join()];
  const { promise: finished, resolve: finish } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const first = one.node.alone("a job", () => {
    begun.resolve();
    return finished;
  });
  await begun.promise;
  expect(await other.node.alone("a job", async () => "second")).toBeUndefined();
  expect(await one.node.alone("a job", async () => "again")).toBeUndefined();
  expect(await other.node.alone("another job", async () => "done")).toBe("done");
  finish("first");
  expect(await first).toBe("first");
  expect(await other.node.alone("a job", async () => "second")).toBe("second");
});

test("a node that stands still loses its jobs to another one, and one that works keeps them", async () => {
  const idle = 1_000;
  const [still, working, other] = [
    createLocks(database.url, log, { idle, beat: 60_000 }),
    createLocks(database.url, log, { idle, beat: 100 }),
    createLocks(database.url, log, { idle, beat: 100 }),
  ];
  ends.push(still.end, working.end, other.end);
  expect(await still.take("a job")).toBe(true);
  expect(await working.take("another job")).toBe(true);
  await vi.waitFor(async () => expect(await other.take("a job")).toBe(true), 10_000);
  // It learns that its session has ended a moment after PostgreSQL has ended it.
  await vi.waitFor(() => expect(still.has("a job")).toBe(false));
  expect(await other.take("another job")).toBe(false);
});

test("work that fails is free for the next node", async () => {
  const [one, other] = [await join(), await join()];
  await expect(one.node.alone("a job", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await other.node.alone("a job", async () => "done")).toBe("done");
});

test("one node leads; another one takes over when it leaves", async () => {
  const [one, other] = [await join(), await join()];
  const { leading, lead } = role();
  const endOne = lead(one.node);
  await vi.waitFor(() => expect([...leading]).toEqual([one.node]), 10_000);
  const endOther = lead(other.node);
  await sleep(100);
  expect([...leading]).toEqual([one.node]);
  await endOne();
  await vi.waitFor(() => expect([...leading]).toEqual([other.node]), 10_000);
  await endOther();
  expect([...leading]).toEqual([]);
});

test("a node that has lost its database session stops to lead, and one node leads again", async () => {
  const nodes = [await join(), await join()];
  const { leading, lead } = role();
  const stops = nodes.map(({ node }) => lead(node));
  await vi.waitFor(() => expect(leading.size).toBe(1), 10_000);
  await endSessions();
  await vi.waitFor(() => expect(leading.size).toBe(1), 10_000);
  await sleep(5_000);
  expect(leading.size).toBe(1);
  for (const stop of stops) await stop();
});

test("a node is listed while it lives, and again when its row was removed", async () => {
  const one = await join();
  const listed = async () => (await one.pool.query("SELECT node_id FROM nodes")).rows.map((row) => row.node_id);
  expect(await listed()).toEqual([one.node.id]);
  const other = await join();
  expect(await listed()).toContain(other.node.id);
  await other.leave();
  expect(await listed()).toEqual([one.node.id]);
});

test("two nodes can't have the same DATA_DIR, by whatever name, unless the first has ended", async () => {
  const folder = await aFolder();
  const other = pathOf(await aFolder(), "link");
  await symlink(folder, other);
  const one = await join(folder);
  for (const dataDir of [folder, other])
    await expect(join(dataDir)).rejects.toThrow(
      `Another node uses DATA_DIR ${dataDir}: give each node a folder of its own. If this one is a copy of another node's, remove the file node-id in it`,
    );
  await one.leave();
  await join(other);
});

test("two machines of the same name may have their DATA_DIR at the same path", async () => {
  const folder = pathOf(await aFolder(), "telltale");
  await mkdir(folder);
  await join(folder);
  await rename(folder, `${folder} of the first machine`);
  await mkdir(folder);
  await join(folder);
});

test("a copy of a node's folder is another node's once its id is removed, as the message says", async () => {
  const [folder, copy] = [await aFolder(), await aFolder()];
  await join(folder);
  await cp(folder, copy, { recursive: true });
  await expect(join(copy)).rejects.toThrow("remove the file node-id in it");
  await rm(pathOf(copy, "node-id"));
  await join(copy);
});

test("a node whose database session was lost has its DATA_DIR again soon", async () => {
  const folder = await aFolder();
  const { pool } = await join(folder);
  const holders = async (): Promise<number[]> => {
    const locks = "SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database()";
    const { rows } = await pool.query<{ pid: number }>(`${locks} AND locktype = 'advisory' AND classid = 8021979`);
    return rows.map(({ pid }) => pid);
  };
  const before = await holders();
  await endSessions();
  await vi.waitFor(async () => expect(await holders()).toEqual([expect.toSatisfy((pid) => pid !== before[0])]), 15_000);
  await expect(join(folder)).rejects.toThrow(`Another node uses DATA_DIR ${folder}`);
});

test("a server that has its database to itself opens no session and writes no row for it", async () => {
  const { pool, close } = connect(database.url, log, { size: 1 });
  ends.push(close);
  const { node } = await joinNodes({ sharing: "alone", dataDir: "/data", url: database.url, pool, log });
  expect(await node.alone("a job", async () => "done")).toBe("done");
  expect((await pool.query("SELECT 1 FROM nodes")).rows).toEqual([]);
});
