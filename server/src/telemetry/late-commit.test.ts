import { topics } from "@telltale/contract/device-api";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

/** Delay of the commit, milliseconds: the writer has long retried by then. */
const delay = 700;

/** The next transaction's COMMIT gets no answer but reaches the database late, as after a network stall. */
const delayNextCommit = (): void => {
  const connect = world.pool.connect.bind(world.pool) as (...done: unknown[]) => Promise<PoolClient>;
  const spy = vi.spyOn(world.pool, "connect").mockImplementation((async (...done: unknown[]) => {
    if (done.length > 0) return connect(...done);
    spy.mockRestore();
    const client = await connect();
    const query = async (...args: unknown[]) => {
      if (args[0] !== "COMMIT") return (client.query as (...given: unknown[]) => unknown)(...args);
      setTimeout(() => void client.query("COMMIT").then(() => client.release()), delay);
      throw new Error("Query read timeout");
    };
    return { query, release: () => undefined };
  }) as never);
};

it("a commit that succeeds after its readings were evaluated again leaves one entry per occurrence", async () => {
  const device = await world.device();
  const client = await world.mqtt(device.accessToken);
  const start = Date.now() - 60_000;
  const values = [20, 90, 20, 90, 20];
  const message = values.map((AI1, at) => ({ ts: start + at * 1000, values: { AI1 } }));
  delayNextCommit();
  await client.publishAsync(topics.telemetry, JSON.stringify(message), { qos: 1 });
  expect(await world.readings(device, "AI1")).toHaveLength(values.length);
  const raised = (await world.alerts(device)).map((alert) => alert.created_time.getTime());
  expect(raised).toEqual([start + 1000, start + 3000]);
  const { rows } = await world.pool.query("SELECT 1 FROM alerts WHERE device_id = $1 AND msg LIKE 'Online%'", [
    device.deviceId,
  ]);
  expect(rows).toHaveLength(1);
});
