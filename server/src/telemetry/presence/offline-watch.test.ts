import { setTimeout as pause } from "node:timers/promises";
import { topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newestReadings } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { createTelemetry } from "../telemetry.ts";

const [minute, hour] = [60_000, 3_600_000];

let world: DeviceWorld;
let device: TestDevice;
let client: MqttClient;

beforeEach(async () => {
  world = await createDeviceWorld();
  device = await world.device();
  client = await world.mqtt(device.accessToken);
  await report(5);
});
afterEach(() => world.close());

const report = (value: number, at?: number) => {
  const values = { AI1: value };
  const payload = at === undefined ? values : { ts: at, values };
  return client.publishAsync(topics.telemetry, JSON.stringify(payload), { qos: 1 });
};
const check = () => world.telemetry.offlineWatch.run();
const notes = async (word: string) => {
  const rows = await world.db.selectFrom("alerts").select("msg").where("device_id", "=", device.deviceId).execute();
  return rows.filter(({ msg }) => msg.startsWith(word)).length;
};

test.each([
  ["forward", hour],
  ["back", -hour],
])("a clock that is set %s makes no device offline that reports, and hides none that does not", async (_way, by) => {
  expect(await check()).toBe(0);
  world.clock.jump(by);
  expect(await check()).toBe(0);
  for (let minutes = 0; minutes < 40; minutes += 10) {
    world.clock.pass(10 * minute);
    await report(minutes);
    expect(await check()).toBe(0);
  }
  world.clock.pass(29 * minute);
  expect(await check()).toBe(0);
  world.clock.pass(2 * minute);
  expect(await check()).toBe(1);
  expect(await notes("Offline for 30 minutes")).toBe(1);
});

test("a device that falls silent before the clock is set back is offline no later than its time after that", async () => {
  expect(await check()).toBe(0);
  world.clock.jump(-hour);
  expect(await check()).toBe(0);
  world.clock.pass(31 * minute);
  expect(await check()).toBe(1);
});

test("after a long downtime no device is marked offline at once; those that stay silent are later", async () => {
  expect(await check()).toBe(0);
  world.clock.pass(hour);
  const restarted = createTelemetry({ ...world, metrics: new Registry() });
  expect(await restarted.offlineWatch.run()).toBe(0);
  world.clock.pass(31 * minute);
  expect(await restarted.offlineWatch.run()).toBe(1);
  await restarted.stop();
});

test("while the database is unavailable devices can't be heard: none is offline when it is back", async () => {
  expect(await check()).toBe(0);
  const { promise: back, resolve: comeBack } = Promise.withResolvers<void>();
  const away = world.telemetry.writer.exclusively(() => back);
  const late = check();
  world.clock.pass(hour);
  comeBack();
  await away;
  expect(await late).toBe(0);
  world.clock.pass(31 * minute);
  expect(await check()).toBe(1);
});

test("a device that reconnects repeatedly raises one alert", async () => {
  for (let times = 0; times < 30; times += 1) {
    client.stream.destroy();
    client = await world.mqtt(device.accessToken);
    world.clock.pass(3_000);
    await check();
  }
  await pause(50);
  expect(await notes("Online for the first time")).toBe(1);
  expect(await notes("O")).toBe(1);
});

test.each([
  ["its own clock was an hour ahead and is right again", hour, 0],
  ["the server's clock is set back", 0, -hour],
])("a reading is the newest one, and evaluated, when %s", async (_what, ahead, jump) => {
  await report(10, world.clock.now() + ahead);
  world.clock.jump(jump);
  world.clock.pass(minute);
  await report(95, jump === 0 ? world.clock.now() : undefined);
  const channelId = device.channels.AI1 ?? 0;
  const latest = async () => (await newestReadings(world.pool, [channelId])).get(channelId);
  expect(await latest()).toMatchObject({ ts: world.clock.now(), value: 95, status: 0 });
  expect(await world.alerts(device)).toMatchObject([{ value: 95, cleared_time: null }]);
  // Readings buffered from before are late as usual.
  await report(1, world.clock.now() - 10_000);
  expect(await latest()).toMatchObject({ value: 95 });
  world.clock.pass(minute);
  await report(20, world.clock.now());
  expect(await world.alerts(device)).toMatchObject([{ value: 95, status: 3 }]);
  expect((await world.readings(device, "AI1")).map(({ value }) => value).sort((a, b) => a - b)).toEqual([
    1, 5, 10, 20, 95,
  ]);
});

test("a late reading of a device whose clock is ahead counts as late, not as a corrected clock", async () => {
  await report(95, world.clock.now() + 70_000);
  await report(20, world.clock.now() + 50_000);
  expect(await world.alerts(device)).toMatchObject([{ value: 95, cleared_time: null }]);
  await report(96, world.clock.now() + 71_000);
  await report(20, world.clock.now() + 72_000);
  expect(await world.alerts(device)).toMatchObject([{ value: 95, status: 3 }]);
});
