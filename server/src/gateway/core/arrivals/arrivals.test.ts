import { randomUUID } from "node:crypto";
import { topics } from "@telltale/contract/device-api";
import mqttPacket from "mqtt-packet";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { singleNode } from "../../../platform/node/node.ts";
import type { KnownDevice } from "../../../telemetry/index.ts";
import { createTelemetry, type Telemetry } from "../../../telemetry/telemetry.ts";
import { createDeviceWorld, type DeviceWorld } from "../../../test/device-world.ts";
import { rawClient } from "../../../test/raw-client.ts";
import { createTestWorld, type TestWorld } from "../../../test/test-world.ts";
import { createGateway, type Gateway } from "../../gateway.ts";
import { createArrivals } from "./arrivals.ts";

describe("a message without a time, after the server came up again", () => {
  let world: TestWorld;
  beforeAll(async () => {
    world = await createTestWorld();
  });
  afterAll(() => world.close());

  const device = (deviceId: number) => ({ deviceId, heardAt: 0 }) as KnownDevice;
  const stored = async (slot: number, ts: number, node = singleNode(randomUUID())) => {
    const row = [slot, ts, node.id];
    await world.pool.query(
      "INSERT INTO arrivals (device_id, packet_id, digest, ts, node_id) VALUES (1, $1, 7, $2, $3)",
      row,
    );
    return { deviceId: 1, slot, digest: 7, epoch: 0 };
  };
  /** Another start of the server. */
  const started = () => createArrivals({ ...world, node: singleNode(randomUUID()) });

  it("keeps its first time when resent; without the DUP flag once, and only soon after its device has connected", async () => {
    const now = world.clock.now();
    const [recent, old] = [await stored(1, now - 1000), await stored(2, now - 3_600_000)];
    const arrivals = started();
    expect(arrivals.committed(recent, false)).toBeUndefined();
    arrivals.connected(device(1));
    expect(await arrivals.committed(recent, true)).toBe(now - 1000);
    expect(await arrivals.committed(old, true)).toBe(now - 3_600_000);
    expect(await arrivals.committed(old, false)).toBeUndefined();
    expect(await arrivals.committed(recent, false)).toBe(now - 1000);
    expect(await arrivals.committed(recent, false)).toBeUndefined();
    world.clock.pass(60_000);
    expect(arrivals.committed(recent, false)).toBeUndefined();
  });

  it("is a resend also when its device comes back late after the start, and new when the device was heard since", async () => {
    const recent = await stored(6, world.clock.now() - 1000);
    const arrivals = started();
    world.clock.pass(120_000);
    arrivals.connected({ ...device(1), heardAt: world.clock.now() - 500 });
    expect(await arrivals.committed(recent, false)).toBeUndefined();
    arrivals.connected(device(1));
    expect(await arrivals.committed(recent, false)).toBe(world.clock.now() - 121_000);
  });

  it("is a resend also when an earlier connection ended before its device could resend it", async () => {
    const recent = await stored(8, world.clock.now() - 1000);
    const arrivals = started();
    world.clock.pass(120_000);
    const sent = world.clock.now() - 500;
    await world.pool.query("UPDATE arrivals SET ts = $1 WHERE packet_id = 8", [sent]);
    arrivals.connected(device(1));
    const connectedAt = world.clock.now();
    world.clock.pass(2_000);
    arrivals.connected({ ...device(1), heardAt: connectedAt });
    expect(await arrivals.committed(recent, false)).toBe(sent);
    world.clock.pass(2_000);
    arrivals.connected({ ...device(1), heardAt: world.clock.now() - 500 });
    expect(await arrivals.committed(recent, false), "it has sent something else since").toBeUndefined();
  });

  it("is a resend when it is committed here during the look-up", async () => {
    const arrivals = started();
    const identity = { deviceId: 1, slot: 9, digest: 7, epoch: 0 };
    const ts = world.clock.now();
    const { end } = arrivals.wait(identity, ts);
    const first = arrivals.first(identity, { isRepeated: true }, 1);
    end(false);
    expect(await first).toBe(ts);
  });

  it("after a clean stop it counts as a resend only if its acknowledgement was lost; after a kill always", async () => {
    const [now, node] = [world.clock.now(), singleNode(randomUUID())];
    const [heard, lost, left] = [
      await stored(3, now - 3, node),
      await stored(4, now - 4, node),
      await stored(5, now - 5, node),
    ];
    const ofKilled = await stored(7, now - 7);
    const before = createArrivals({ ...world, node });
    before.wait(heard, now - 3).end(false);
    before.wait(lost, now - 4).end(true);
    const ofVisitor = { ...left, deviceId: 2 };
    before.wait(ofVisitor, now - 5).end(true);
    before.disconnectedCleanly(2);
    await before.stop();
    world.clock.pass(1_000);
    const after = started();
    for (const deviceId of [1, 2]) after.connected(device(deviceId));
    expect(await after.committed(heard, false)).toBeUndefined();
    expect(await after.committed(heard, true)).toBe(now - 3);
    expect(await after.committed(ofVisitor, false)).toBeUndefined();
    expect(await after.committed(lost, false)).toBe(now - 4);
    expect(await after.committed(ofKilled, false)).toBe(now - 7);
  });
});

describe("a reading of the same packet identifier and value", () => {
  let world: DeviceWorld;
  let running: { telemetry: Telemetry; gateway: Gateway }[] = [];
  beforeAll(async () => {
    world = await createDeviceWorld();
    running = [world];
  });
  afterAll(async () => {
    for (const { gateway, telemetry } of running.slice(1)) {
      await gateway.stop();
      await telemetry.stop();
    }
    await world.close();
  });

  const now = () => running.at(-1) ?? world;

  /** Starts another server on the same database, after the first was stopped cleanly or killed. */
  const startAgain = async (): Promise<void> => {
    world.clock.pass(1_000);
    const needs = { ...world, node: singleNode(randomUUID()), metrics: new Registry() };
    const telemetry = createTelemetry(needs);
    const gateway = createGateway({ ...needs, telemetry }, { host: "127.0.0.1", mqttPort: 0 });
    await telemetry.start();
    await gateway.start();
    running.push({ telemetry, gateway });
  };
  const stop = async () => {
    const { gateway, telemetry } = now();
    await gateway.stop();
    await telemetry.stop();
  };

  const reading = {
    cmd: "publish",
    topic: topics.telemetry,
    payload: '{"AI1": 33}',
    qos: 1,
    messageId: 1,
    retain: false,
  } as const;
  const connect = (token: string) => rawClient(now().gateway.mqttPort(), token);
  const publish = async (token: string) => {
    const client = await connect(token);
    client.send({ ...reading, dup: false });
    await client.next("puback");
    return client;
  };
  const leave = async (client: Awaited<ReturnType<typeof connect>>) => {
    client.send({ cmd: "disconnect" });
    await client.closed;
  };

  it("is new on each connection of a device that disconnects without waiting for the acknowledgement", async () => {
    const device = await world.device();
    for (let count = 1; count <= 3; count++) {
      const client = await connect(device.accessToken);
      client.raw(
        Buffer.concat([mqttPacket.generate({ ...reading, dup: false }), mqttPacket.generate({ cmd: "disconnect" })]),
      );
      await client.closed;
      await expect.poll(() => world.readings(device, "AI1")).toHaveLength(count);
      world.clock.pass(3_000);
    }
  });

  it("is a resend when the connection broke before the acknowledgement", async () => {
    const device = await world.device();
    await leave(await publish(device.accessToken));
    world.clock.pass(3_000);
    const gate = Promise.withResolvers<void>();
    const { writer } = now().telemetry;
    const held = writer.exclusively(() => gate.promise);
    const client = await connect(device.accessToken);
    client.send({ ...reading, dup: false });
    await expect.poll(() => writer.stats.waitingReadings).toBe(1);
    client.close();
    await expect.poll(() => now().gateway.connections(), { timeout: 10_000 }).toBe(0);
    gate.resolve();
    await held;
    await expect.poll(() => world.readings(device, "AI1")).toHaveLength(2);
    world.clock.pass(3_000);
    await leave(await publish(device.accessToken));
    expect(await world.readings(device, "AI1")).toHaveLength(2);
  });

  it("is new after a clean stop, whether the device had disconnected or not", async () => {
    const [gone, there] = [await world.device(), await world.device()];
    await leave(await publish(gone.accessToken));
    await publish(there.accessToken);
    await stop();
    await startAgain();
    for (const device of [gone, there]) {
      await leave(await publish(device.accessToken));
      expect(await world.readings(device, "AI1")).toHaveLength(2);
    }
  });

  it("is a resend when a clean stop came between its commit and its acknowledgement", async () => {
    const device = await world.device();
    const { gateway, telemetry } = now();
    const gate = Promise.withResolvers<void>();
    const held = telemetry.writer.exclusively(() => gate.promise);
    const client = await connect(device.accessToken);
    client.send({ ...reading, dup: false });
    await expect.poll(() => telemetry.writer.stats.waitingReadings).toBe(1);
    await gateway.stop();
    gate.resolve();
    await held;
    await telemetry.stop();
    expect(client.has("puback")).toBe(false);
    await startAgain();
    await publish(device.accessToken);
    expect(await world.readings(device, "AI1")).toHaveLength(1);
  });

  it("is a resend after a kill, once", async () => {
    const device = await world.device();
    await publish(device.accessToken);
    await startAgain();
    await leave(await publish(device.accessToken));
    expect(await world.readings(device, "AI1")).toHaveLength(1);
    await leave(await publish(device.accessToken));
    expect(await world.readings(device, "AI1")).toHaveLength(2);
  });
});
