import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "./server-process.ts";

test.describe.configure({ timeout: 180_000 });

const root = join(import.meta.dirname, "..");

/** Ends all processes that are still running, whatever the outcome of the test. */
const started: ChildProcess[] = [];
const watched = new Set<number>();
test.afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const pid of watched) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  watched.clear();
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts npm and its script, as on a terminal. */
const npm = (args: string[], env: Record<string, string> = {}): ChildProcess => {
  const child = spawn("npm", args, { cwd: root, env: { ...process.env, ...env }, stdio: "ignore" });
  started.push(child);
  return child;
};

const childOf = (pid: number): number => {
  const { stdout } = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  return Number(stdout.trim().split("\n")[0]);
};

/** Process ids of npm, its script, and the program that it started. */
const chainOf = ({ pid = 0 }: ChildProcess): number[] => {
  const script = childOf(pid);
  const program = childOf(script);
  for (const one of [script, program]) watched.add(one);
  return [pid, script, program];
};

const untilReady = async (url: string): Promise<void> => {
  const status = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(status, { timeout: 90_000 }).toBe(200);
};

for (const [level, killed] of ["npm", "the script that it runs"].entries())
  test(`a server stops gracefully when ${killed} is killed, and the next start works`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "telltale-starter-"));
    const [port, mqttPort] = [await freePort(), await freePort()];
    const env = { DATA_DIR: dataDir, PORT: String(port), MQTT_PORT: String(mqttPort), TELLTALE_DEMO: "0" };
    try {
      const first = npm(["start"], env);
      await untilReady(`http://127.0.0.1:${port}`);
      const chain = chainOf(first);
      process.kill(chain[level] ?? 0, "SIGKILL");
      for (const pid of chain.slice(level + 1))
        await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
      expect(existsSync(join(dataDir, "postgres/postmaster.pid")), "the database was ended in order").toBe(false);
      const next = npm(["start"], env);
      await untilReady(`http://127.0.0.1:${port}`);
      const ended = once(next, "exit");
      next.kill("SIGTERM");
      expect((await ended)[0]).toBe(0);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

for (const [level, killed] of ["npm", "the script that it runs"].entries())
  test(`a simulated fleet ends when ${killed} is killed`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "telltale-starter-"));
    const fleet = join(folder, "fleet.json");
    const unit = { deviceSnId: "STARTER1", accessToken: "x", typeId: 1, deviceType: 1, channels: ["AI1"] };
    const broker = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(broker, "listening");
    await writeFile(fleet, JSON.stringify([unit]));
    try {
      const connected = once(broker, "connection");
      const url = `mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`;
      const first = npm(["run", "simulate", "--", fleet, "--url", url, "--calm"]);
      await connected;
      const chain = chainOf(first);
      process.kill(chain[level] ?? 0, "SIGKILL");
      for (const pid of chain.slice(level + 1))
        await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    } finally {
      broker.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
