import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@nats-io/transport-node";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLog } from "../log.ts";
import { openNatsPeers } from "./nats-peers.ts";

/** `npm test` finds or installs it; elsewhere it is looked for where Debian has it. */
const program = [process.env.NATS_SERVER, "/usr/sbin/nats-server", "/usr/local/bin/nats-server"].find(
  (file) => file !== undefined && existsSync(file),
);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
};

const log = createLog("silent");
const ends: (() => Promise<unknown>)[] = [];
let port: number;
let running: ChildProcess | undefined;

const startNats = async (...more: string[]): Promise<void> => {
  running = spawn(program ?? "", ["-a", "127.0.0.1", "-p", String(port), ...more], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  running.stderr?.on("data", (text) => String(text).includes("Server is ready") && resolve());
  await promise;
};
const stopNats = async (): Promise<void> => {
  const child = running;
  running = undefined;
  if (!child) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
};

const open = async (clusterId = "one", address = `nats://127.0.0.1:${port}`) => {
  const [metrics, onMissed] = [new Registry(), vi.fn()];
  const peers = await openNatsPeers({ addresses: [address], clusterId, name: "test", log, metrics, onMissed });
  ends.push(peers.stop);
  const isConnected = async () => /^telltale_nats_connected 1$/m.test(await metrics.metrics());
  return { ...peers, onMissed, isConnected };
};

describe.skipIf(!program)("the nodes of a cluster, by a NATS server", () => {
  beforeAll(async () => {
    port = await freePort();
    await startNats();
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await stopNats();
  });

  test("hear each other, not themselves, and nobody of another cluster", async () => {
    const [here, there, stranger] = [await open(), await open(), await open("two")];
    const heard: [string, unknown][] = [];
    for (const [name, peers] of Object.entries({ here, there, stranger }))
      peers.listen("news", (content) => heard.push([name, content]));
    await vi.waitFor(() => {
      here.publish("news", { value: 1 });
      expect(heard).toContainEqual(["there", { value: 1 }]);
    });
    await sleep(100);
    expect(new Set(heard.map(([name]) => name))).toEqual(new Set(["there"]));
  });

  test("answer what they are asked; a question that nobody can answer has none", async () => {
    const [here, there] = [await open(), await open()];
    there.answer("double", async (content) => (typeof content === "number" ? content * 2 : undefined));
    await vi.waitFor(async () => expect(await here.ask("double", 4, 500)).toBe(8));
    expect(await here.ask("double", "four", 200)).toBeUndefined();
    expect(await here.ask("triple", 4, 200)).toBeUndefined();
  });

  test("ignore what is no message of a node", async () => {
    const there = await open();
    const heard: unknown[] = [];
    there.listen("news", (content) => heard.push(content));
    there.answer("double", async () => 2);
    const stranger = await connect({ servers: `127.0.0.1:${port}` });
    for (const subject of ["news", "double"]) stranger.publish(`telltale.one.${subject}`, "{ not JSON");
    await stranger.close();
    const here = await open();
    await vi.waitFor(() => {
      here.publish("news", "after");
      expect(heard).toContain("after");
    });
    expect(new Set(heard)).toEqual(new Set(["after"]));
    expect(await here.ask("double", 1, 500)).toBe(2);
  });

  test("work on while NATS is away, and hear each other when it is back; what was said meanwhile is reported as missed", async () => {
    const [here, there] = [await open(), await open()];
    const heard: unknown[] = [];
    there.listen("news", (content) => heard.push(content));
    await vi.waitFor(() => {
      here.publish("news", "before");
      expect(heard).toContain("before");
    });
    await stopNats();
    await vi.waitFor(async () => expect(await here.isConnected()).toBe(false));
    here.publish("news", "while it was away");
    expect(await here.ask("double", 4, 500)).toBeUndefined();
    await startNats();
    await vi.waitFor(() => expect(there.onMissed).toHaveBeenCalled(), 10_000);
    await vi.waitFor(async () => expect(await here.isConnected()).toBe(true), 10_000);
    await vi.waitFor(() => {
      here.publish("news", "after");
      expect(heard).toContain("after");
    });
    expect(heard).not.toContain("while it was away");
  });

  test("a node starts without NATS and finds the others when it comes", async () => {
    await stopNats();
    const late = await open();
    const heard: unknown[] = [];
    late.listen("news", (content) => heard.push(content));
    await startNats();
    await vi.waitFor(() => expect(late.onMissed).toHaveBeenCalled(), 10_000);
    const here = await open();
    await vi.waitFor(() => {
      here.publish("news", "welcome");
      expect(heard).toContain("welcome");
    });
  });

  test("wrong credentials end the start with what to do", async () => {
    await stopNats();
    await startNats("--user", "telltale", "--pass", "right");
    await expect(open("one", `nats://telltale:wrong@127.0.0.1:${port}`)).rejects.toThrow(
      /^NATS refuses the user and password/,
    );
    const peers = await open("one", `nats://telltale:right@127.0.0.1:${port}`);
    expect(await peers.isConnected()).toBe(true);
  });
});
