import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, test as every, expect, inject, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "../platform/database/test-database.ts";
import { createFiles, type FilePath } from "../platform/files/files.ts";
import { backUp } from "./backup.ts";
import { exchangeFiles, settleExchange } from "./exchange-files.ts";
import { restore } from "./restore.ts";

const mounted = vi.hoisted(() => {
  // Modules loaded by an earlier test file hold the real file system.
  vi.resetModules();
  return { path: "" };
});
// Simulates a mount point, which cannot be moved.
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const rename: typeof real.rename = async (from, to) => {
    if (from === mounted.path) throw Object.assign(new Error(`EBUSY: rename '${from}'`), { code: "EBUSY" });
    await real.rename(from, to);
  };
  return { ...real, rename };
});

afterAll(() => {
  vi.resetModules();
});

const clock = { now: () => 1_767_225_600_000, date: () => new Date(1_767_225_600_000) } as never;

/** Creates a backup with its own firmware, and a data directory with existing files. */
const aRestore = async (kept: readonly string[]) => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "telltale-exchange-"));
  onTestFinished(async () => {
    mounted.path = "";
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const [source, dataDir, file] = ["source", "data", "backup.zip"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await createFiles(source).write("firmware/image.bin", Readable.from([Buffer.from("the backup's")]));
  await backUp(file, { databaseUrl: database.url, files: createFiles(source), clock });
  const files = createFiles(dataDir);
  for (const path of kept) await files.write(path as FilePath, Readable.from([Buffer.from("kept")]));
  return { dataDir, files, database, folder, run: () => restore(file, { databaseUrl: database.url, dataDir, clock }) };
};

const contentOf = async (files: ReturnType<typeof createFiles>, path: string) => {
  const content = await files.read(path);
  return content && text(content);
};

/** A database in parts is backed up by its own means. */
const test = every.skipIf(inject("workerUrls").length > 0);

test("a restore that can't move one folder leaves the others as they were", async () => {
  const { dataDir, files, run } = await aRestore(["firmware/image.bin", "packages/9/2020-01.xlsx"]);
  mounted.path = join(dataDir, "packages");
  await expect(run()).rejects.toThrow("EBUSY");
  expect(await contentOf(files, "firmware/image.bin")).toBe("kept");
  expect(await contentOf(files, "packages/9/2020-01.xlsx")).toBe("kept");
  expect((await readdir(dataDir)).sort()).toEqual(["firmware", "packages"]);
});

test("a restore first undoes the file exchange of one that was killed", async () => {
  const { dataDir, files, run } = await aRestore([
    "files-before-restore/firmware/image.bin",
    "firmware/halfway.bin",
    "packages/9/2020-01.xlsx",
  ]);
  mounted.path = join(dataDir, "packages");
  await expect(run()).rejects.toThrow("EBUSY");
  expect(await files.list("firmware")).toEqual(["firmware/image.bin"]);
  expect(await contentOf(files, "firmware/image.bin")).toBe("kept");
  mounted.path = "";
  await run();
  expect(await contentOf(files, "firmware/image.bin")).toBe("the backup's");
  expect((await readdir(dataDir)).sort()).toEqual(["firmware"]);
});

test.each([
  ["before its commit", "the previous", "kept"],
  ["after its commit", "the restored", "restored"],
])("the start after a restore that was killed %s takes %s files", async (_when, _which, content) => {
  const { dataDir, files, folder, database } = await aRestore(["firmware/image.bin"]);
  const staging = join(folder, "staging");
  await createFiles(staging).write("firmware/image.bin", Readable.from([Buffer.from("restored")]));
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const storeId = randomUUID();
  await exchangeFiles(dataDir, staging, storeId);
  await client.query("DELETE FROM file_store");
  await client.query("INSERT INTO file_store (store_id) VALUES ($1)", [
    content === "restored" ? storeId : randomUUID(),
  ]);
  await settleExchange(dataDir, client);
  expect(await contentOf(files, "firmware/image.bin")).toBe(content);
  expect((await readdir(dataDir)).sort()).not.toContain("files-before-restore");
});
