import { httpPath, topics } from "@telltale/contract/device-api";
import { LiveCommand } from "@telltale/contract/live";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";

describe("attributes of a device", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const notifications = (deviceId: number) =>
    world.db
      .selectFrom("alerts")
      .select(["msg", "value", "cleared_time"])
      .where("device_id", "=", deviceId)
      .where("rule_key", "like", "%low-battery")
      .orderBy("alert_id")
      .execute();

  it("missing attributes keep their values; acknowledged ones are stored", async () => {
    const { accessToken, deviceId } = await world.device();
    const client = await world.mqtt(accessToken);
    const publish = (payload: object) => client.publishAsync(topics.attributes, JSON.stringify(payload), { qos: 1 });
    await publish({ firmwareVersion: "1.0\ud800", temperature: 21.5, humidity: 40 });
    await Promise.all([publish({ power: 80 }), publish({ power: 79, wakeupMode: "timer" }), publish({ humidity: 41 })]);
    const { rows } = await world.pool.query(
      "SELECT firmware_version, wakeup_mode, power, temperature, humidity FROM devices WHERE device_id = $1",
      [deviceId],
    );
    expect(rows).toEqual([
      { firmware_version: "1.0\ufffd", wakeup_mode: "timer", power: 79, temperature: 21.5, humidity: 41 },
    ]);
  });

  it("appear on open screens when they change what these show", async () => {
    const { accessToken, deviceId } = await world.device();
    const client = await world.mqtt(accessToken);
    const publish = (payload: object) => client.publishAsync(topics.attributes, JSON.stringify(payload), { qos: 1 });
    await publish({ temperature: 20 });
    let changes = 0;
    const off = world.bus.on("live", ({ message }) => {
      if (message.cmd === LiveCommand.dashboardChange && message.deviceId === deviceId) changes += 1;
    });
    const changesBy = async (payload: object): Promise<number> => {
      const before = changes;
      await publish(payload);
      return changes - before;
    };
    expect(await changesBy({ firmwareVersion: "1.0.0", power: 80.2 })).toBe(1);
    expect(await changesBy({ firmwareVersion: "1.0.0", power: 79.9, temperature: 21 }), "looks the same").toBe(0);
    expect(await changesBy({ current_fw_version: "1.1.0" })).toBe(1);
    expect(await changesBy({ wakeupMode: "Timer" })).toBe(1);
    expect(await changesBy({ power: 70 })).toBe(1);
    off();
  });

  it("report a low battery once, until it is charged", async () => {
    const { accessToken, deviceId } = await world.device();
    const client = await world.mqtt(accessToken);
    for (const power of [30, 19.6, 12, 21, 18, 25, 60, 5])
      await client.publishAsync(topics.attributes, JSON.stringify({ power }), { qos: 1 });
    expect(await notifications(deviceId)).toMatchObject([
      { msg: "Low battery: 20 %", value: 19.6, cleared_time: expect.any(Date) },
      { msg: "Low battery: 5 %", value: 5, cleared_time: null },
    ]);
  });

  it("of a disabled or expired device are refused and raise nothing, as its readings do", async () => {
    const site = Fastify();
    await site.register(world.gateway.http);
    const past = new Date(world.clock.now() - 40 * 86_400_000);
    for (const [ended, reason] of [
      [{ is_disabled: true }, "the device is disabled"],
      [{ expire_time: past }, "the device's service has expired"],
    ] as const) {
      const device = await world.device();
      await world.db.updateTable("devices").set(ended).where("device_id", "=", device.deviceId).execute();
      world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
      const url = httpPath(device.accessToken, "attributes");
      const send = () => site.inject({ method: "POST", url, payload: JSON.stringify({ power: 3, humidity: 40 }) });
      expect((await send()).json()).toMatchObject({ stored: 0, refused: 2, message: expect.stringContaining(reason) });
      const alerts = await world.db.selectFrom("alerts").where("device_id", "=", device.deviceId).selectAll().execute();
      expect(alerts.map(({ msg }) => msg)).toEqual("is_disabled" in ended ? [] : [expect.stringMatching(/^Online/)]);
    }
    await site.close();
  });

  it("of a device whose service has expired while it was connected are refused by MQTT, too", async () => {
    const { accessToken, deviceId } = await world.device();
    const client = await world.mqtt(accessToken);
    const expire_time = new Date(world.clock.now() - 40 * 86_400_000);
    await world.db.updateTable("devices").set({ expire_time }).where("device_id", "=", deviceId).execute();
    world.bus.emitHere("deviceChange", { deviceId });
    await client.publishAsync(topics.attributes, JSON.stringify({ power: 3 }), { qos: 1 });
    expect(await notifications(deviceId)).toEqual([]);
  });

  it("known attributes count as stored, invalid values as refused", async () => {
    const device = await world.device();
    const site = Fastify();
    await site.register(world.gateway.http);
    const reported = async (payload: object) => {
      const url = httpPath(device.accessToken, "attributes");
      const { stored, refused } = (await site.inject({ method: "POST", url, payload: JSON.stringify(payload) })).json();
      return { stored, refused };
    };
    expect(await reported({ power: 80, humidity: 0 })).toEqual({ stored: 2, refused: 0 });
    expect(await reported({ power: -50 })).toEqual({ stored: 0, refused: 1 });
    expect(await reported({ power: 101, humidity: 1e9, temperature: -300, wakeupMode: {} })).toEqual({
      stored: 0,
      refused: 4,
    });
    for (const version of [{ a: 1 }, null, ["1"], true])
      expect(await reported({ current_fw_version: version, firmwareVersion: version })).toEqual({
        stored: 0,
        refused: 2,
      });
    expect(await reported({ current_fw_title: "AIS-420-16", fw_state: "UPDATED" }), "nothing is updated").toEqual({
      stored: 0,
      refused: 0,
    });
    expect(await reported({ fw_state: [], current_fw_version: "1.2.0" })).toEqual({ stored: 1, refused: 1 });
    expect(await reported({ settingsVersion: 1 })).toEqual({ stored: 1, refused: 0 });
    for (const settingsVersion of [999, 0, 1.5, "1"])
      expect(await reported({ settingsVersion })).toEqual({ stored: 0, refused: 1 });
    await site.close();
  });
});
