import type { Client } from "@telltale/contract/call/client";
import { Key } from "@telltale/contract/channel-types/keys";
import { topics } from "@telltale/contract/device-api";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices, Model } from "@telltale/contract/domains/devices";
import { livePath } from "@telltale/contract/live";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { buildApp } from "../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { aDevice, anUnclaimedDevice, type TestDevice } from "../test/test-devices.ts";
import { aListener } from "../test/test-listener.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { unpackedReadings } from "../test/test-readings.ts";
import { clientsOf } from "../test/test-server.ts";
import { connectedTo, report } from "../test/test-station.ts";

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let station: TestDevice;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice });
});
beforeEach(async () => {
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  const settings = { zero: 0, span: 100 };
  station = await aDevice(world, owner, { model: Model.mixed, channels: { AI1: { settings } } });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

/** Runs `work` while the connection for the database's notices is down, as after a crash; resolves when it is restored. */
const unheard = async <T>(work: () => Promise<T>): Promise<T> => {
  const { promise: isHeard, resolve } = Promise.withResolvers<object>();
  onTestFinished(world.bus.on("noticesMissed", resolve));
  await world.pool.query(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
  );
  const result = await work();
  await isHeard;
  return result;
};
const stored = async (device: { deviceId: number }, code: string) => {
  const { rows } = await world.pool.query<{ channel_id: number }>(
    "SELECT channel_id FROM channels WHERE device_id = $1 AND channel_cn = $2",
    [device.deviceId, code],
  );
  return (await unpackedReadings(world.pool, rows[0]?.channel_id ?? 0)).map(({ value }) => value);
};

test("limits saved while notices were lost apply at once, and are sent to the device", async () => {
  const { client, received } = await connectedTo(world, station);
  await report(world, client, { AI1: 60 });
  expect(await world.alerts(station)).toEqual([]);
  await unheard(() =>
    as(channelSettings.modify, {
      deviceId: station.deviceId,
      payload: [{ channelId: Number(station.channels.AI1), channelKeys: { [Key.higherAlarm]: 50 } }],
    } as never),
  );
  await expect.poll(() => world.alerts(station)).toMatchObject([{ threshold: 50 }]);
  await expect.poll(() => received).toContainEqual(expect.objectContaining({ settingsVersion: 2 }));
});

test("a unit that was claimed while no notice was heard has its readings stored", async () => {
  const unit = await anUnclaimedDevice(world);
  const client = await world.mqtt(unit.accessToken);
  await report(world, client, { AI1: 1 });
  await unheard(() => as(devices.add, { deviceSnId: unit.deviceSnId, deviceName: "Boiler" }));
  world.clock.pass(1000);
  await report(world, client, { AI1: 2 });
  expect(await stored(unit, "AI1")).toEqual([2]);
});

test("a device that was disabled while no notice was heard is disconnected, and reports no more", async () => {
  const client = await world.mqtt(station.accessToken);
  await report(world, client, { AI1: 1 });
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  await unheard(() => as(deviceConfiguration.updateStatus, { deviceSnId: station.deviceSnId, isDisabled: 1 }));
  await closed;
  world.clock.pass(1000);
  await report(world, await world.mqtt(station.accessToken), { AI1: 2 });
  expect(await stored(station, "AI1")).toEqual([1]);
});

test("a unit that was deleted and claimed again while no notice was heard reports as what it is now", async () => {
  const client = await world.mqtt(station.accessToken);
  await report(world, client, { AI1: 1 });
  await as(deviceConfiguration.updateStatus, { deviceSnId: station.deviceSnId, isDisabled: 1 });
  await expect.poll(() => client.connected).toBe(false);
  const again = await world.mqtt(station.accessToken);
  const closed = new Promise<void>((resolve) => again.once("close", () => resolve()));
  const { deviceId } = await unheard(async () => {
    await as(deviceConfiguration.remove, { deviceId: station.deviceId });
    return as(devices.add, { deviceSnId: station.deviceSnId, deviceName: "Again" });
  });
  await closed;
  const reporting = await world.mqtt(station.accessToken);
  await reporting.publishAsync(topics.telemetry, '{"AI1": 3}', { qos: 1 });
  expect(await stored({ deviceId }, "AI1")).toEqual([3]);
});

test("consoles reconnect after lost notices, and so refetch what they show", async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  const path = `${livePath(owner.userId, owner.accountId)}?token=${owner.token}`;
  const listener = aListener(`ws://127.0.0.1:${port}${path}`);
  await listener.opened;
  await unheard(async () => undefined);
  expect((await listener.closed).code).toBe(1012);
});
