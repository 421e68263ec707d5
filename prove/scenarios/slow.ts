import { setTimeout as sleep } from "node:timers/promises";
import { devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { clientOf } from "../../e2e/people.ts";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { connectPacket } from "../fuzz/mqtt-lane.ts";
import { type SlowSenders, startSlowSenders } from "../fuzz/slow-senders.ts";
import { watchMemory } from "../memory.ts";

/** Connections of each kind at scale 1. */
const most = 500;

/** Milliseconds within which an unfinished connection must be closed. */
const patience = 75_000;

const post = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\r\n`;

const startAll = (server: RunningServer, each: number): SlowSenders[] => {
  const port = Number(new URL(server.baseURL).port);
  const head = Buffer.from(post(accounts.login.path));
  const connecting = connectPacket({ token: "a".repeat(60), protocolVersion: 4 });
  return [
    // An endless header, an endless body, an endless CONNECT, and a silent connection.
    startSlowSenders(port, head, each, 1_000),
    startSlowSenders(port, head, each, 10),
    startSlowSenders(server.mqttPort, connecting, each, 1_000),
    startSlowSenders(server.mqttPort, Buffer.alloc(0), each, 3_600_000),
  ];
};

const tryOut = async (server: RunningServer, each: number): Promise<Finding[]> => {
  const client = await clientOf(server);
  const began = performance.now();
  const senders = startAll(server, each);
  const open = () => senders.reduce((sum, sender) => sum + sender.open(), 0);
  let [slowest, calls] = [0, 0];
  while (open() > 0 && performance.now() - began < patience + 10_000) {
    const begun = performance.now();
    await client(devices.list, {});
    slowest = Math.max(slowest, performance.now() - begun);
    calls += 1;
    await sleep(200);
  }
  const [left, took] = [open(), performance.now() - began];
  for (const sender of senders) sender.stop();
  return [
    {
      promise: `A connection with an unfinished request or CONNECT is closed within ${patience / 1000} s`,
      counted: `${count(4 * each, "connections")}, the last closed after ${Math.round(took / 1000)} s, ${left} left`,
      isKept: left === 0 && took <= patience,
    },
    {
      promise: "Other users' calls are answered within a second",
      counted: `${count(calls, "calls")}, the slowest ${Math.round(slowest)} ms`,
      isKept: slowest < 1_000,
    },
  ];
};

export const slow: Scenario = {
  title: "Slow senders",
  does: "Connections that send a request's headers, its body or an MQTT CONNECT one byte at a time, or nothing at all, while a user works with the console.",
  run: async (scale) => {
    const server = await startServer({ demo: true });
    const mostUsed = watchMemory(server.pid);
    try {
      const findings = await tryOut(server, scaled(most, scale));
      return [
        ...findings,
        {
          promise: "Memory stays bounded",
          counted: `${mostUsed()} MB`,
          isKept: mostUsed() < 900,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
