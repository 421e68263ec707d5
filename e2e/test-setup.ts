import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { preparedData, preparedFolder, startServer } from "./server-process.ts";

const prepare = async (folder: string, demo: boolean): Promise<void> => {
  const dataDir = preparedData(folder, demo);
  await mkdir(dataDir);
  const server = await startServer({ demo, dataDir });
  if (demo) await expect.poll(() => server.output(), { timeout: 120_000 }).toContain("past is complete");
  await server.terminate();
};

/**
 * Before a run of many files: creates a data directory with the demonstration and one without, from which each server's own is copied. Writing the
 * demonstration's history is slow, and a run starts dozens of servers.
 */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env[preparedFolder] === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "telltale-e2e-prepared-"));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o711);
  await Promise.all([prepare(folder, true), prepare(folder, false)]);
  process.env[preparedFolder] = folder;
  return () => rm(folder, { recursive: true, force: true });
};
