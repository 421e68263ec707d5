import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../e2e/server-process.ts";

/** Runs `work` with a NATS server of its own, found on the PATH or named by NATS_SERVER. */
export const withNats = async <T>(work: (address: string) => Promise<T>): Promise<T> => {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "telltale-nats-"))];
  const options = ["-a", "127.0.0.1", "-p", String(port), "--jetstream", "--store_dir", folder];
  const child = spawn(process.env.NATS_SERVER ?? "nats-server", options, { stdio: "ignore" });
  try {
    await once(child, "spawn");
    return await work(`nats://127.0.0.1:${port}`);
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
};
