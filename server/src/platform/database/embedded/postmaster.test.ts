import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { lastError, limitLog } from "./postmaster.ts";

test("the last error of PostgreSQL's log is its own, not one of our connection attempts", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-log-"));
  const logFile = join(dataDir, "postgres.log");
  const reason = 'PANIC:  could not write to file "pg_wal/xlogtemp.17910": No space left on device';
  await writeFile(
    logFile,
    [
      "FATAL:  an older one",
      reason,
      "HINT:  Check free disk space.",
      "FATAL:  the database system is starting up",
      "FATAL:  the database system is not yet accepting connections",
      "DETAIL:  Consistent recovery state has not been yet reached.",
      "",
    ].join("\n"),
  );
  expect(await lastError({ logFile } as Place)).toBe(reason);
  await rm(dataDir, { recursive: true });
});

test("a long log is set aside while PostgreSQL appends to it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-log-"));
  const logFile = join(dataDir, "postgres.log");
  const log = await open(logFile, "a");
  await log.write(`${"x".repeat(1023)}\n`.repeat(10 * 1024));
  await limitLog({ logFile });
  expect((await stat(logFile)).size, "not longer than it may be").toBe(10 * 1024 * 1024);
  await log.write("one more\n");
  await limitLog({ logFile });
  await log.write("after\n");
  expect(await readFile(logFile, "utf8")).toBe("after\n");
  expect((await readFile(`${logFile}.1`, "utf8")).slice(-10)).toBe("\none more\n");
  await log.close();
  await rm(dataDir, { recursive: true });
});
