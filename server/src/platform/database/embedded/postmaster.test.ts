import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "./place.ts";
import { lastError } from "./postmaster.ts";

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
