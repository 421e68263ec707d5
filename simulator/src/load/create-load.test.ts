import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { startTestBroker } from "../test-broker.ts";
import { createLoad } from "./create-load.ts";

const devices = ["one", "two"].map((token) => ({ token, codes: ["AI1", "AI2"] }));

test("every message sent is acknowledged and counted, with unique times", {
  timeout: 20_000,
}, async () => {
  const broker = await startTestBroker();
  const load = createLoad({
    host: "127.0.0.1",
    port: broker.port,
    devices,
    readingsPerMessage: 4,
    inFlight: 8,
    rate: 400,
  });
  await load.start();
  await setTimeout(1000);
  const stats = await load.stop();
  expect(stats.acknowledged).toBe(stats.sent);
  expect(stats.sent / stats.seconds).toBeGreaterThan(200);
  expect(stats.sent / stats.seconds).toBeLessThan(500);
  expect(stats.readings).toBe(stats.sent * 4);
  expect(stats.p50).toBeGreaterThan(0);
  expect(stats.worst).toBeGreaterThanOrEqual(stats.p99);
  expect(broker.users.toSorted()).toEqual(["one", "two"]);
  expect(broker.received).toHaveLength(stats.sent);
  await broker.close();
});

test("an unreachable server is reported at the start", { timeout: 20_000 }, async () => {
  const broker = await startTestBroker();
  await broker.close();
  const load = createLoad({ host: "127.0.0.1", port: broker.port, devices, readingsPerMessage: 4, inFlight: 8 });
  await expect(load.start()).rejects.toThrow("ECONNREFUSED");
});
