import { livePath } from "@telltale/contract/live";
import type { FastifyInstance } from "fastify";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "./app.ts";
import { createDrain } from "./platform/drain.ts";
import { createLifecycle, type Lifecycle } from "./platform/lifecycle.ts";
import { createDeviceWorld, type DeviceWorld } from "./test/device-world.ts";
import { aListener } from "./test/test-listener.ts";
import { anOwner } from "./test/test-people.ts";

let node: DeviceWorld;
let app: FastifyInstance;
let life: Lifecycle;
let port: number;

beforeAll(async () => {
  node = await createDeviceWorld({ sharing: "shared" });
  life = createLifecycle(() => undefined);
  const drain = createDrain(life, { notice: 300, step: 20 });
  drain.add(node.gateway.devices);
  app = await buildApp(node, { drain });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
});
afterAll(async () => {
  await app.close();
  await node.close();
});

/** Of the whole server, and of the node itself. */
const readiness = () =>
  Promise.all(["", "?of=node"].map(async (of) => (await fetch(`http://127.0.0.1:${port}/readyz${of}`)).status));

/** When each of them is closed, in the order in which that happens. */
const closings = (clients: readonly MqttClient[]): number[] => {
  const order: number[] = [];
  for (const client of clients) client.once("close", () => order.push(performance.now()));
  return order;
};

test("a node that is to be stopped tells its balancer first, then hands over devices and consoles a part at a time", async () => {
  const { accessToken } = await node.device();
  const clients = await Promise.all(Array.from({ length: 30 }, () => node.mqtt(accessToken)));
  const owner = await anOwner(node);
  const path = livePath(owner.userId, owner.accountId);
  const console = aListener(`ws://127.0.0.1:${port}${path}?token=${owner.token}`);
  await console.opened;
  expect(await readiness()).toEqual([200, 200]);
  const order = closings(clients);

  const drained = life.drain();
  expect(await readiness(), "HAProxy's sign to send no new clients").toEqual([404, 404]);
  expect(order, "clients stay until the balancer has noticed").toEqual([]);
  await drained;

  expect((await console.closed).code, "after which consoles connect again").toBe(1001);
  expect(order).toHaveLength(30);
  const atOnce = Math.max(...order.map((time) => order.filter((other) => Math.abs(other - time) < 10).length));
  expect(atOnce, "never many at once").toBeLessThan(10);
});
