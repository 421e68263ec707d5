import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { httpPath, topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { DataType, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";

const [second, minute] = [1_000, 60_000];
const stopped = randomUUID();

/** Two nodes on one database. Time is the same for both. */
let here: DeviceWorld;
let there: DeviceWorld;
let device: TestDevice;

beforeEach(async () => {
  here = await createDeviceWorld({ sharing: "shared" });
  const database = { url: here.url, drop: async () => undefined };
  there = await createDeviceWorld({ sharing: "shared", clock: here.clock, database });
  device = await here.device();
  // Only the tests' own checks: a slow test would find a device that a check of every five seconds has marked already.
  for (const world of [here, there]) await world.telemetry.offlineWatch.stop();
});
afterEach(async () => {
  await there.close();
  await here.close();
});

const report = async (world: DeviceWorld, value: number): Promise<void> => {
  const client = await world.mqtt(device.accessToken);
  await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });
  await client.endAsync();
};
const known = (world: DeviceWorld) => world.telemetry.registry.inMemory({ deviceId: device.deviceId });
const check = (world: DeviceWorld): Promise<number> => world.telemetry.offlineWatch.run();
const isOnline = async (): Promise<boolean> =>
  (await here.pool.query("SELECT is_online FROM devices WHERE device_id = $1", [device.deviceId])).rows[0].is_online;
const notes = async (): Promise<string[]> => {
  const { rows } = await here.pool.query("SELECT msg FROM alerts WHERE device_id = $1 ORDER BY alert_id", [
    device.deviceId,
  ]);
  return rows.map(({ msg }) => msg);
};
/** The device was heard last by a node whose last heartbeat is so old. */
const standStill = async (seconds: number): Promise<void> => {
  await here.pool.query(
    `INSERT INTO nodes (node_id, name, version, heard_time) VALUES ($1, 'stands still', '', now() - $2 * interval '1 second')
     ON CONFLICT (node_id) DO UPDATE SET heard_time = excluded.heard_time`,
    [stopped, seconds],
  );
  await here.pool.query("UPDATE device_nodes SET node_id = $1", [stopped]);
};

test("a device that has moved to another node is judged by that node alone", async () => {
  await report(here, 1);
  await check(here);
  await report(there, 2);
  await check(there);
  for (let minutes = 0; minutes < 60; minutes += 20) {
    here.clock.pass(20 * minute);
    await report(there, minutes);
    expect(await check(here)).toBe(0);
    expect(await check(there)).toBe(0);
  }
  here.clock.pass(31 * minute);
  expect(await check(here)).toBe(0);
  expect(await check(there)).toBe(1);
  expect(await notes()).toEqual(["Online for the first time", "Offline for 30 minutes"]);
});

test("a device that a node marked offline is online again with its next message to any node", async () => {
  await report(here, 1);
  await report(there, 2);
  await check(here);
  await check(there);
  here.clock.pass(31 * minute);
  expect((await check(here)) + (await check(there))).toBe(1);
  expect(await isOnline()).toBe(false);
  await report(here, 3);
  await vi.waitFor(async () => expect(await isOnline()).toBe(true));
  here.clock.pass(31 * minute);
  await check(here);
  expect((await check(there)) + (await check(here))).toBe(0);
  expect(await isOnline()).toBe(false);
  await report(there, 4);
  await vi.waitFor(async () => expect(await isOnline()).toBe(true));
});

test("a device that another node marked offline stays so at a node that missed the notice, until it is heard", async () => {
  await report(here, 1);
  await check(here);
  await report(there, 2);
  await check(there);
  const loads = known(here)?.loads ?? Number.NaN;
  here.clock.pass(31 * minute);
  await here.pool.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  expect(await check(there)).toBe(1);
  await vi.waitFor(() => expect(known(here)?.loads).toBeGreaterThan(loads), 10_000);
  await here.telemetry.writer.exclusively(async () => undefined);
  expect(await isOnline()).toBe(false);
  expect(await notes()).toEqual(["Online for the first time", "Offline for 30 minutes"]);
  await report(here, 3);
  await vi.waitFor(async () => expect(await isOnline()).toBe(true));
});

test("devices of a node that stands still are judged by the others, after the time to connect to another node", async () => {
  await report(there, 1);
  await check(there);
  here.clock.pass(29 * minute + 30 * second);
  await standStill(29);
  expect(await check(here)).toBe(0);
  here.clock.pass(45 * second);
  await standStill(29);
  expect(await check(here)).toBe(0);
  await standStill(31);
  expect(await check(here)).toBe(0);
  here.clock.pass(32 * minute);
  expect(await check(here)).toBe(1);
  expect(await isOnline()).toBe(false);
});

test("a link that dies late counts only while no other node has heard the device since, and is looked at once", async () => {
  await report(here, 1);
  here.clock.pass(second);
  await check(here);
  const left = known(here);
  await report(there, 2);
  await check(there);
  const version = async () => {
    const query = "SELECT version FROM device_versions WHERE device_id = $1";
    return (await here.pool.query(query, [device.deviceId])).rows[0]?.version;
  };
  const before = await version();
  here.telemetry.offlineWatch.linkLost(left ? [left] : []);
  here.clock.pass(20 * second);
  expect(await check(here)).toBe(0);
  expect(await isOnline()).toBe(true);
  // A raised version would make the other node load the device again with its next reading.
  expect(await version()).toBe(before);
  expect(left?.linkLostAt).toBeUndefined();
});

describe("a Sparkplug node that has moved to another node of the cluster is not offline", () => {
  const publish = (client: MqttClient, type: string, seq: number, metrics: WireMetric[]) => {
    const payload = encodePayload({ timestamp: here.clock.now(), seq, metrics });
    return client.publishAsync(`spBv1.0/plant/${type}/edge`, payload, { qos: 1 });
  };
  /** Connects it and sends its birth. Its connection's end publishes its death. */
  const edge = async (world: DeviceWorld, bdSeq: number): Promise<MqttClient> => {
    const session: WireMetric = { name: "bdSeq", datatype: DataType.int64, longValue: bdSeq };
    const will = { topic: "spBv1.0/plant/NDEATH/edge", payload: encodePayload({ metrics: [session] }) };
    const client = await world.mqtt(device.accessToken, { will: { ...will, qos: 1, retain: false } });
    await publish(client, "NBIRTH", 0, [session, { name: "AI1", alias: 1, datatype: DataType.float, floatValue: 1 }]);
    return client;
  };
  const linkLostAt = () => known(here)?.linkLostAt;
  const breakLink = async (client: MqttClient): Promise<void> => {
    client.stream.destroy();
    await expect.poll(linkLostAt).toBeDefined();
  };
  const expectOnline = async (): Promise<void> => {
    expect(await isOnline()).toBe(true);
    expect(await notes()).toEqual(["Online for the first time"]);
  };

  test("when the node that it has left writes later that it had heard it", async () => {
    const old = await edge(here, 1);
    here.clock.pass(second);
    await edge(there, 2);
    await check(there);
    expect(await check(here)).toBe(0);
    await breakLink(old);
    here.clock.pass(20 * second);
    expect(await check(here)).toBe(0);
    await expectOnline();
  });

  test("when the node that it has left stood still and finds messages of before in its socket", async () => {
    const old = await edge(here, 1);
    here.clock.pass(minute);
    await edge(there, 2);
    await check(there);
    here.clock.pass(10 * second);
    await publish(old, "NDATA", 1, [{ alias: 1, floatValue: 2 }]);
    await check(here);
    await breakLink(old);
    here.clock.pass(20 * second);
    expect(await check(here)).toBe(0);
    await expectOnline();
  });

  test("when it has come at the end of the grace period, and its new node has not said so yet", async () => {
    const old = await edge(here, 1);
    await check(here);
    await breakLink(old);
    here.clock.pass(9 * second);
    await edge(there, 2);
    here.clock.pass(2 * second);
    expect(await check(here)).toBe(0);
    await check(there);
    here.clock.pass(10 * second);
    expect(await check(here)).toBe(0);
    await expectOnline();
  });

  test("when the node that it has left was drained, wherever it is meanwhile", async () => {
    const old = await edge(here, 1);
    await check(here);
    const closed = new Promise((resolve) => old.once("close", () => resolve(undefined)));
    here.gateway.devices.close(1);
    await closed;
    // Its will would have been taken by then.
    await pause(200);
    expect(linkLostAt()).toBeUndefined();
    here.clock.pass(20 * second);
    expect(await check(here)).toBe(0);
    await expectOnline();
  });

  const expectOffline = async (): Promise<void> => {
    here.clock.pass(20 * second);
    expect(await check(here)).toBe(1);
    expect(await isOnline()).toBe(false);
    expect(await notes()).toEqual(["Online for the first time", "Offline: the link was lost"]);
  };

  test("unless it has come back, and dies there", async () => {
    await edge(here, 1);
    here.clock.pass(second);
    await edge(there, 2);
    await check(there);
    here.clock.pass(second);
    const back = await edge(here, 3);
    await check(here);
    await check(there);
    await breakLink(back);
    await expectOffline();
  });

  const post = async (): Promise<void> => {
    const app = await buildApp(there, { deviceApi: there.gateway.http });
    here.clock.pass(second);
    const url = httpPath(device.accessToken, "telemetry");
    expect((await app.inject({ method: "POST", url, payload: { AI2: 3 } })).statusCode).toBe(200);
    await app.close();
    await check(there);
  };
  const goOn = (client: MqttClient) => publish(client, "NDATA", 1, [{ alias: 1, floatValue: 2 }]);

  test("when it has sent a request to the other one after its connection's end", async () => {
    const client = await edge(here, 1);
    here.clock.pass(second);
    await check(here);
    await breakLink(client);
    await post();
    here.clock.pass(20 * second);
    expect(await check(here)).toBe(0);
    await expectOnline();
  });

  /** Somebody else connects with its token to the other node, and leaves. */
  const visit = async (): Promise<void> => {
    here.clock.pass(second);
    await report(there, 2);
    await check(there);
    await expect.poll(() => known(there)?.hasDisconnected).toBe(true);
    here.clock.pass(second);
    await check(there);
    await check(there);
  };
  const visitDying = async (): Promise<void> => {
    here.clock.pass(second);
    await there.mqtt(device.accessToken);
    await check(there);
    await standStill(31);
  };

  test.each([
    ["has sent only a request to the other one, and goes on with its connection", post, goOn],
    ["has sent only a request to the other one before its connection's end", post, undefined],
    ["has had a connection to the other one that has ended, and goes on with an older one", visit, goOn],
    ["has had a connection to the other one that has ended", visit, undefined],
    ["has had a connection to the other one that has died, and goes on with an older one", visitDying, goOn],
  ])("unless it %s", async (_what, elsewhere, then) => {
    const client = await edge(here, 1);
    here.clock.pass(second);
    await check(here);
    await elsewhere();
    here.clock.pass(second);
    await then?.(client);
    await check(here);
    await breakLink(client);
    await expectOffline();
  });
});
