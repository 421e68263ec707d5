import { topics } from "@telltale/contract/device-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rawClient } from "../test/raw-client.ts";

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

const count = 300;

test("a fleet that connects all at once is accepted and marked as heard, and forgotten when it disconnects", async () => {
  const devices = await Promise.all(Array.from({ length: count }, () => world.device()));
  const clients = await Promise.all(devices.map(({ accessToken }) => rawClient(world.gateway.mqttPort(), accessToken)));
  expect(clients.filter(({ connack }) => connack.cmd === "connack" && connack.returnCode === 0)).toHaveLength(count);
  expect(world.gateway.connections()).toBe(count);
  await Promise.all(
    clients.map(async (client) => {
      const packet = { qos: 1, messageId: 1, dup: false, retain: false } as const;
      client.send({ cmd: "publish", topic: topics.telemetry, payload: '{"AI1": 20}', ...packet });
      await client.next("puback");
    }),
  );
  const { rows } = await world.pool.query<{ stored: number }>(
    "SELECT ((SELECT coalesce(sum(count), 0) FROM batches) + (SELECT coalesce(sum(count), 0) FROM chunks))::int AS stored",
  );
  expect(rows).toEqual([{ stored: count }]);
  for (const client of clients) client.close();
  await expect.poll(() => world.gateway.connections(), { timeout: 5_000 }).toBe(0);
});
