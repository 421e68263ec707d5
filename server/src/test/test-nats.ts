import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";

/** `npm test` finds or installs it; elsewhere it is looked for where Debian has it. */
const program = [process.env.NATS_SERVER, "/usr/sbin/nats-server", "/usr/local/bin/nats-server"].find(
  (file) => file !== undefined && existsSync(file),
);

/** Whether there is a NATS server to test with. */
export const hasNats = program !== undefined;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
};

/** A NATS server of a test's own, at one address however often it is started. */
export interface TestNats {
  port: number;
  address: string;
  /** With more options of its command. */
  start(...options: string[]): Promise<void>;
  /** Ends it at once. */
  stop(): Promise<void>;
}

export const createTestNats = async (): Promise<TestNats> => {
  const port = await freePort();
  let running: ChildProcess | undefined;
  return {
    port,
    address: `nats://127.0.0.1:${port}`,
    start: async (...options) => {
      running = spawn(program ?? "", ["-a", "127.0.0.1", "-p", String(port), ...options], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      const { promise, resolve } = Promise.withResolvers<void>();
      running.stderr?.on("data", (text) => String(text).includes("Server is ready") && resolve());
      await promise;
    },
    stop: async () => {
      const child = running;
      running = undefined;
      if (!child) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
};

/** NATS servers that form a cluster, none of them started. */
export const createTestNatsCluster = async (count: number): Promise<TestNats[]> => {
  const servers = await Promise.all(Array.from({ length: count }, createTestNats));
  const links = await Promise.all(servers.map(async () => `nats://127.0.0.1:${await freePort()}`));
  const clustered = ["--cluster_name", "test", "--routes", links.join(",")];
  return servers.map((server, at) => ({
    ...server,
    start: (...options) => server.start("--name", `nats-${at}`, ...clustered, "--cluster", links[at] ?? "", ...options),
  }));
};
