import { randomUUID } from "node:crypto";
import { topics } from "@telltale/contract/device-api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
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
const check = (world: DeviceWorld): Promise<number> => world.telemetry.offlineWatch.run();
const isOnline = async (): Promise<boolean> => {
  const { rows } = await here.pool.query("SELECT is_online FROM devices WHERE device_id = $1", [device.deviceId]);
  return rows[0].is_online;
};
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
  const known = here.telemetry.registry.inMemory({ deviceId: device.deviceId });
  const loads = known?.loads ?? Number.NaN;
  here.clock.pass(31 * minute);
  await here.pool.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  expect(await check(there)).toBe(1);
  await vi.waitFor(() => expect(known?.loads).toBeGreaterThan(loads), 10_000);
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
  const known = here.telemetry.registry.inMemory({ deviceId: device.deviceId });
  await report(there, 2);
  await check(there);
  const version = async () => {
    const query = "SELECT version FROM device_versions WHERE device_id = $1";
    return (await here.pool.query(query, [device.deviceId])).rows[0]?.version;
  };
  const before = await version();
  here.telemetry.offlineWatch.linkLost(known ? [known] : []);
  here.clock.pass(20 * second);
  expect(await check(here)).toBe(0);
  expect(await isOnline()).toBe(true);
  // A raised version would make the other node load the device again with its next reading.
  expect(await version()).toBe(before);
  expect(known?.linkLostAt).toBeUndefined();
});
