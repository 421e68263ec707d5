import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type OpenDatabase, openDatabase, openOrReuseDatabase } from "./open.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
let dataDir: string;
const opened: OpenDatabase[] = [];

const open = async (options = {}): Promise<OpenDatabase> => {
  const database = await openDatabase({ dataDir, log, ...options });
  opened.push(database);
  return database;
};

const ask = async (url: string, sql: string): Promise<Record<string, unknown> | undefined> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end().catch(() => undefined);
  }
};

const postmasterPid = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8"), 10);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "telltale-open-"));
});

afterEach(async () => {
  for (const database of opened.splice(0)) await database.stop();
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("what is written is there after a stop and a new start", async () => {
  const first = await open();
  await ask(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await open();
  expect(await ask(second.url, "select answer from kept")).toEqual({ answer: 42 });
});

test("nobody can connect without the password, which only the server's user can read", async () => {
  const { url } = await open();
  const without = new URL(url);
  without.password = "guessed";
  await expect(ask(without.href, "select 1")).rejects.toThrow("password authentication failed");
  without.username = "postgres";
  await expect(ask(without.href, "select 1")).rejects.toThrow("password authentication failed");
  expect((await stat(join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "postgres"))).mode & 0o777).toBe(0o700);
});

test("an acknowledged commit waits for the disk", async () => {
  const { url } = await open();
  const settings = await ask(
    url,
    "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages",
  );
  expect(settings).toEqual({ fsync: "on", commit: "on", pages: "on" });
});

test("a second server in the same DATA_DIR is refused in one line", async () => {
  await open();
  await expect(openDatabase({ dataDir, log })).rejects.toThrow(
    /^Another Telltale \(process \d+\) is using DATA_DIR .+$/,
  );
});

test("a command beside a running server borrows its database", async () => {
  const { url } = await open();
  const borrowed = await openOrReuseDatabase({ dataDir, log });
  expect(borrowed.url).toBe(url);
  await borrowed.stop();
  expect(await ask(url, "select 1 as one")).toEqual({ one: 1 });
});

test("two DATA_DIRs live side by side", async () => {
  const { url } = await open();
  const other = await open({ dataDir: join(dataDir, "other") });
  expect(other.url).not.toBe(url);
  expect(await ask(other.url, "select 1 as one")).toEqual({ one: 1 });
});

test("a PostgreSQL that is killed comes back by itself at the same address", async () => {
  const { url } = await open();
  await ask(url, "create table kept_too as select 42 as answer");
  const killed = await postmasterPid();
  process.kill(killed, "SIGKILL");
  await expect
    .poll(() => ask(url, "select answer from kept_too").catch(() => undefined), { timeout: 15_000 })
    .toEqual({ answer: 42 });
  expect(await postmasterPid()).not.toBe(killed);
});

test("a PostgreSQL stopped from outside that waits for its clients is restarted", async () => {
  const { url } = await open();
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const reportedPid = await postmasterPid();
  process.kill(reportedPid, "SIGTERM");
  await expect.poll(() => ask(url, "select 1 as one").catch(() => undefined), { timeout: 15_000 }).toEqual({ one: 1 });
  expect(await postmasterPid()).not.toBe(reportedPid);
});

test.each([0, 40, 120])("a stop %i ms into coming back leaves no PostgreSQL behind", async (delay) => {
  const database = await open();
  process.kill(await postmasterPid(), "SIGKILL");
  await setTimeout(delay);
  await database.stop();
  // The file may belong to the killed process.
  const left = await postmasterPid().catch(() => undefined);
  const isLeft = (): boolean => {
    try {
      return process.kill(left ?? -999_999_999, 0);
    } catch {
      return false;
    }
  };
  // A killed process exists until its parent reaps it.
  await expect.poll(isLeft, { timeout: 10_000 }).toBe(false);
});

test("after kill -9 of the server the next one takes the DATA_DIR over", async () => {
  const program = `import { openDatabase } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "open.ts")).href)};
    const log = { info() {}, warn() {}, error() {} };
    await openDatabase({ dataDir: ${JSON.stringify(dataDir)}, log });
    console.log("open"); setInterval(() => {}, 1000);`;
  const file = join(dataDir, "server.mjs");
  await writeFile(file, program);
  const server = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout, "data");
  const orphan = await postmasterPid();
  server.kill("SIGKILL");
  await once(server, "close");
  const { url } = await open();
  expect(await ask(url, "select 1 as one")).toEqual({ one: 1 });
  expect(await postmasterPid()).not.toBe(orphan);
});

test("lock files left by a crash do not stand in the way, though their number is another program's now", async () => {
  const first = await open();
  const locks = ["postmaster.pid", ".s.PGSQL.5432.lock"].map((name) => join(dataDir, "postgres", name));
  const texts = await Promise.all(locks.map((file) => readFile(file, "utf8")));
  await first.stop();
  // Of PostgreSQL's own user, as in a container: it takes no other user's process for its own.
  const { uid, gid } = await stat(join(dataDir, "postgres"));
  const other = spawn("sleep", ["30"], { uid, gid });
  for (const [at, file] of locks.entries()) await writeFile(file, (texts[at] ?? "").replace(/^\d+/, String(other.pid)));
  try {
    const { url } = await open();
    expect(await ask(url, "select 1 as one")).toEqual({ one: 1 });
  } finally {
    other.kill();
  }
});

test("a DATABASE_URL is used as it is", async () => {
  const { url } = await open();
  const given = await openDatabase({ databaseUrl: url, dataDir: "/nowhere", log });
  expect(given.url).toBe(url);
  await given.stop();
});
