import { topics } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestReadings } from "../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";

const start = 1_763_700_000_000;

describe("alarms on readings that really arrive", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const limits = {
    AI1: { settings: { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 5, lowerAlarm: 10, lowerHysteresis: 2 } },
  };
  const sender = async (token: string) => {
    const client = await world.mqtt(token);
    return (at: number, values: Record<string, number>) =>
      client.publishAsync(topics.telemetry, JSON.stringify({ ts: start + at * 1000, values }), { qos: 1 });
  };

  it("raises a High alert once, keeps it while the value stays within the hysteresis, and clears it beyond", async () => {
    const device = await world.device({ channels: limits });
    const send = await sender(device.accessToken);
    await send(1, { AI1: 99 });
    await send(2, { AI1: 99 });
    await send(3, { AI1: 76 });
    expect(await world.alerts(device)).toMatchObject([
      { alarm_class: 2, alarm_type: 1, status: 1, value: 99, threshold: 80, report_interval: 60, cleared_time: null },
    ]);
    await send(4, { AI1: 74 });
    expect(await world.alerts(device)).toMatchObject([
      { status: 3, cleared_time: new Date(start + 4000), created_time: new Date(start + 1000) },
    ]);
    await send(5, { AI1: 99 });
    expect(await world.alerts(device)).toHaveLength(2);
  });

  it("keeps the most extreme value while it stands, whatever follows, and across restarts", async () => {
    const device = await world.device({ channels: limits });
    const send = await sender(device.accessToken);
    const peaks = async () => (await world.alerts(device)).map(({ value, peak }) => [value, peak]);
    await send(1, { AI1: 81 });
    await send(2, { AI1: 95 });
    await send(3, { AI1: 90 });
    expect(await peaks()).toEqual([[81, 95]]);
    world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    await send(4, { AI1: 93 });
    await send(5, { AI1: 97 });
    await send(6, { AI1: 50 });
    await send(7, { AI1: 9 });
    await send(8, { AI1: 4 });
    await send(9, { AI1: 6 });
    expect(await peaks()).toEqual([
      [81, 97],
      [9, 4],
    ]);
  });

  it("keeps the most extreme value of a condition that begins and goes on within one message", async () => {
    const device = await world.device({ channels: limits });
    const client = await world.mqtt(device.accessToken);
    const moments = [50, 85, 92, 88, 50, 99].map((AI1, at) => ({ ts: start + at * 1000, values: { AI1 } }));
    await client.publishAsync(topics.telemetry, JSON.stringify(moments), { qos: 1 });
    expect((await world.alerts(device)).map(({ value, peak }) => [value, peak])).toEqual([
      [85, 92],
      [99, 99],
    ]);
  });

  it("raises nothing for late and repeated readings", async () => {
    const device = await world.device({ channels: limits });
    const send = await sender(device.accessToken);
    await send(10, { AI1: 50 });
    await send(5, { AI1: 99 });
    await send(10, { AI1: 50 });
    expect(await world.alerts(device)).toEqual([]);
    expect(await world.readings(device, "AI1")).toHaveLength(2);
    const channelId = device.channels.AI1 ?? 0;
    expect((await newestReadings(world.pool, [channelId])).get(channelId)).toMatchObject({
      value: 50,
      ts: start + 10_000,
    });
  });

  it("writes an alert that begins and ends within one message as cleared", async () => {
    const device = await world.device({ channels: limits });
    const client = await world.mqtt(device.accessToken);
    const moments = [50, 90, 50, 5, 50].map((AI1, at) => ({ ts: start + at * 1000, values: { AI1 } }));
    await client.publishAsync(topics.telemetry, JSON.stringify(moments), { qos: 1 });
    expect(await world.alerts(device)).toMatchObject([
      { alarm_type: 1, status: 3, value: 90 },
      { alarm_type: 2, status: 3, value: 5 },
    ]);
  });

  it("still alarms when the sensor is driven beyond its range, and shows no data", async () => {
    const device = await world.device({ channels: limits });
    const send = await sender(device.accessToken);
    await send(1, { AI1: 300 });
    expect(await world.alerts(device)).toHaveLength(1);
    expect(await world.readings(device, "AI1")).toMatchObject([{ status: 2 }]);
  });

  it("evaluates digital inputs by their level and counters by their count", async () => {
    const device = await world.device({
      model: Model.digitalInput,
      channels: { DI2: { settings: { inputMode: 3, alarmData: 480 } } },
    });
    const send = await sender(device.accessToken);
    await send(1, { DI1: 0, DI2: 479 });
    await send(2, { DI1: 1, DI2: 500 });
    await send(3, { DI1: 0, DI2: 0 });
    expect(await world.alerts(device)).toMatchObject([
      { alarm_type: 4, status: 3, value: 1, threshold: 1 },
      { alarm_type: 5, status: 3, value: 500, threshold: 480 },
    ]);
  });

  it("evaluates a custom alarm from its creation on", async () => {
    const device = await world.device({ channels: { AI3: { settings: { zero: 0, span: 100 } } } });
    const send = await sender(device.accessToken);
    await send(1, { AI3: 60 });
    const channel = await world.db
      .selectFrom("channels")
      .select("channel_id")
      .where("device_id", "=", device.deviceId)
      .where("channel_cn", "=", "AI3")
      .executeTakeFirstOrThrow();
    await world.db
      .insertInto("alarms")
      .values({
        plant_id: world.plantId,
        alarm_name: "Flow",
        alarm_class: 1,
        device_id: device.deviceId,
        channel_id: channel.channel_id,
        type: 1,
        alarm_value: 50,
        alarm_hysteresis: 1,
        created_time: world.clock.date(),
      })
      .execute();
    world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    await send(2, { AI3: 61 });
    expect(await world.alerts(device)).toMatchObject([{ alarm_class: 1, alarm_type: 1, value: 61, threshold: 50 }]);
  });

  it("reports silence once, from arrival, and ends it when the device is heard again", async () => {
    const device = await world.device();
    const send = await sender(device.accessToken);
    await send(1, { AI1: 5 });
    expect(await world.telemetry.offlineWatch.run()).toBe(0);
    world.clock.pass(31 * 60_000);
    expect(await world.telemetry.offlineWatch.run()).toBeGreaterThan(0);
    await world.telemetry.offlineWatch.run();
    const offline = () =>
      world.db
        .selectFrom("alerts")
        .select(["msg", "status"])
        .where("device_id", "=", device.deviceId)
        .where("msg", "like", "Off%")
        .execute();
    expect(await offline()).toEqual([{ msg: "Offline for 30 minutes", status: 1 }]);
    await send(2, { AI1: 5 });
    expect(await offline()).toEqual([{ msg: "Offline for 30 minutes", status: 3 }]);
  });

  it("raises a low battery once and ends it when the battery is replaced", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    for (const power of [15, 14, 22, 100])
      await client.publishAsync(topics.attributes, JSON.stringify({ power }), { qos: 1 });
    const { rows } = await world.pool.query("SELECT msg, status FROM alerts WHERE device_id = $1 AND msg LIKE 'Low%'", [
      device.deviceId,
    ]);
    expect(rows).toEqual([{ msg: "Low battery: 15 %", status: 3 }]);
  });
});
