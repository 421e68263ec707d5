import { topics } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rawClient } from "../test/raw-client.ts";
import { anUnclaimedDevice } from "../test/test-devices.ts";

describe("devices over MQTT", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const publish = async (token: string, payload: unknown, topic: string = topics.telemetry) => {
    const client = await world.mqtt(token);
    await client.publishAsync(topic, typeof payload === "string" ? payload : JSON.stringify(payload), { qos: 1 });
    return client;
  };

  /** Blocks writing until the release. */
  const holdWriter = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    void world.telemetry.writer.exclusively(() => promise);
    return { release: resolve, stats: world.telemetry.writer.stats };
  };

  it("acknowledges a reading only when it is in the database", async () => {
    const device = await world.device();
    await publish(device.accessToken, { ts: 1_763_700_000_000, values: { AI1: 4.2 } });
    expect(await world.readings(device, "AI1")).toEqual([{ ts: 1_763_700_000_000, value: 4.2, status: 1 }]);
  });

  it("stores a reading that is sent again once, and two values of one moment both", async () => {
    const device = await world.device();
    const client = await publish(device.accessToken, { ts: 1000000000000, values: { AI1: 1 } });
    await client.publishAsync(topics.telemetry, '{"ts":1000000000000,"values":{"AI1":1}}', { qos: 1 });
    await client.publishAsync(topics.telemetry, '{"ts":1000000000000,"values":{"AI1":2}}', { qos: 1 });
    expect((await world.readings(device, "AI1")).map((reading) => reading.value)).toEqual([1, 2]);
  });

  it("gives a message without a time the time of its first arrival when it is sent again", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    for (const dup of [false, true, true]) {
      client.send({
        cmd: "publish",
        topic: topics.telemetry,
        payload: '{"AI1": 3.5}',
        qos: 1,
        messageId: 7,
        dup,
        retain: false,
      });
      await client.next("puback");
      world.clock.pass(1000);
    }
    client.close();
    expect(await world.readings(device, "AI1")).toHaveLength(1);
  });

  it.each([true, false])(
    "gives it that time when it is sent again before it is acknowledged, DUP flag: %s",
    async (dup) => {
      const device = await world.device();
      const before = world.gateway.connections();
      const message = {
        cmd: "publish",
        topic: topics.telemetry,
        payload: '{"AI1": 3.5}',
        qos: 1,
        messageId: 7,
      } as const;
      const port = world.gateway.mqttPort();
      const { release, stats } = holdWriter();
      const first = await rawClient(port, device.accessToken);
      first.send({ ...message, dup: false, retain: false });
      await expect.poll(() => stats.waitingReadings).toBe(1);
      first.close();
      world.clock.pass(1000);
      const second = await rawClient(port, device.accessToken);
      second.send({ ...message, dup, retain: false });
      await expect.poll(() => stats.waitingReadings).toBe(2);
      second.close();
      await expect.poll(() => world.gateway.connections(), { timeout: 5000 }).toBeLessThanOrEqual(before);
      release();
      world.clock.pass(1000);
      const third = await rawClient(port, device.accessToken);
      third.send({ ...message, dup, retain: false });
      await third.next("puback");
      expect(await world.readings(device, "AI1")).toHaveLength(1);
      world.clock.pass(1000);
      third.send({ ...message, dup: false, retain: false });
      await third.next("puback");
      third.close();
      expect(await world.readings(device, "AI1")).toHaveLength(2);
    },
  );

  it("stores the good values of a message and counts each refused one with its reason", async () => {
    const device = await world.device();
    const ahead = Date.now() + 2 * 86_400_000;
    await publish(device.accessToken, [
      { ts: 1_763_700_000_000, values: { AI1: 1, XX: 2, AI2: "warm", AI3: null } },
      { ts: ahead, values: { AI1: 5 } },
      { ts: "soon", values: { AI1: 6 } },
      { ts: 1_763_700_060_000, values: {}, AI4: 7 },
    ]);
    await world.telemetry.refusals.flush();
    const { rows } = await world.pool.query(
      "SELECT reason, count FROM device_refusals WHERE device_id = $1 ORDER BY reason",
      [device.deviceId],
    );
    expect(rows).toEqual([
      { reason: "bad_timestamp", count: 1 },
      { reason: "not_a_number", count: 2 },
      { reason: "timestamp_too_far_ahead", count: 1 },
      { reason: "unknown_key", count: 2 },
    ]);
    expect(await world.readings(device, "AI1")).toHaveLength(1);
  });

  it("refuses readings of hours that are kept as summaries only, and counts them", async () => {
    const device = await world.device();
    await world.db
      .updateTable("devices")
      .set({ readings_from: new Date("2026-01-01T00:00:00Z") })
      .where("device_id", "=", device.deviceId)
      .execute();
    await publish(device.accessToken, [
      { ts: Date.parse("2025-12-31T23:59:59.999Z"), values: { AI1: 1 } },
      { ts: Date.parse("2026-01-01T00:00:00Z"), values: { AI1: 2 } },
    ]);
    await world.telemetry.refusals.flush();
    const { rows } = await world.pool.query("SELECT reason, count FROM device_refusals WHERE device_id = $1", [
      device.deviceId,
    ]);
    expect(rows).toEqual([{ reason: "older_than_kept", count: 1 }]);
    expect((await world.readings(device, "AI1")).map(({ value }) => value)).toEqual([2]);
  });

  it("refuses a payload above 256 KiB, counts it, and goes on with the connection", async () => {
    const device = await world.device();
    const client = await publish(device.accessToken, `{"AI1": 1, "pad": "${"x".repeat(300_000)}"}`);
    await client.publishAsync(topics.telemetry, '{"AI1": 2}', { qos: 1 });
    expect((await world.readings(device, "AI1")).map((reading) => reading.value)).toEqual([2]);
    expect(world.telemetry.refusals.totals().get("payload_too_large")).toBe(1);
  });

  it("refuses connections without a device's token", async () => {
    await expect(world.mqtt("no-such-token")).rejects.toThrow();
    await expect(world.mqtt("")).rejects.toThrow();
  });

  it("ends the connection of a device that publishes outside its topics", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
    client.publish("v1/devices/other/telemetry", "{}", { qos: 1 }, () => {});
    await closed;
  });

  it.each([
    ...[
      "#",
      "+/#",
      "$SYS/#",
      "$SYS/broker/clients",
      "$share/all/v1/devices/me/telemetry",
      "v1/#",
      "v1/devices/+/attributes",
    ],
    ...["v1/devices/me/#", "v1/gateway/#", "v1/gateway/+", "v1/devices/me/telemetry", "v1/gateway/telemetry"],
    ...[
      "spBv1.0/#",
      "spBv1.0/+/NDATA/+",
      "spBv1.0/+/DDATA/+/+",
      "v2/fw/#",
      "v2/fw/response/1/chunk/#",
      "v2/fw/request/+/chunk/+",
    ],
  ])("grants no subscription to %s", async (filter) => {
    const client = await rawClient(world.gateway.mqttPort(), (await world.device()).accessToken);
    client.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: filter, qos: 1 }] });
    // An invalid filter ends the connection, any other is refused by its code.
    const granted = client.next("suback").then((packet) => (packet as { granted: number[] }).granted);
    expect(await Promise.race([granted, client.closed.then(() => [128])])).toEqual([128]);
    client.close();
  });

  it("sends a device nothing that is addressed to another, whatever filters it subscribes to", async () => {
    const [spy, master] = [await world.device({ model: Model.mixed }), await world.device({ model: Model.mixed })];
    const sub = await world.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
    const client = await world.mqtt(spy.accessToken);
    const heard: string[] = [];
    client.on("message", (topic, payload) => heard.push(`${topic} ${payload}`));
    await client.subscribeAsync([
      ...[topics.attributes, `${topics.attributesResponse}+`, `${topics.rpcRequest}+`, topics.gateway.attributes],
      ...[topics.gateway.rpc, "spBv1.0/plant/NCMD/edge"],
    ]);
    await expect.poll(() => heard.length).toBeGreaterThan(0); // its own settings
    const own = heard.length;
    const other = await world.mqtt(master.accessToken);
    await other.subscribeAsync([topics.gateway.attributes, topics.gateway.rpc]);
    await client.publishAsync(topics.gateway.connect, JSON.stringify({ device: sub.deviceSnId }), { qos: 1 });
    await client.publishAsync(topics.gateway.telemetry, JSON.stringify({ [sub.deviceSnId]: { AI1: 5 } }), { qos: 1 });
    world.bus.emitHere("deviceChange", { deviceId: sub.deviceId });
    world.bus.emitHere("deviceChange", { deviceId: master.deviceId });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(heard.slice(own)).toEqual([]);
    expect(await world.readings(sub, "AI1")).toEqual([]);
  });

  it("refuses subscriptions to other devices' messages", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const granted = await client
      .subscribeAsync(["#", "v1/devices/me/telemetry", topics.attributes])
      .catch((fault: Error) => fault);
    const other = await world.device();
    let heard = 0;
    client.on("message", (topic) => {
      if (topic !== topics.attributes) heard += 1;
    });
    await publish(other.accessToken, { AI1: 7 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toBe(0);
    expect(granted).toBeDefined();
  });

  it("sends a device its settings when it subscribes to its attributes", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const received = new Promise<string>((resolve) =>
      client.once("message", (_topic, payload) => resolve(payload.toString())),
    );
    await client.subscribeAsync(topics.attributes);
    expect(JSON.parse(await received)).toMatchObject({ reportInterval: 60, channels: { AI1: { unit: "bar" } } });
  });

  it("takes the readings of sub-devices from their master, and of no other device", async () => {
    const master = await world.device({ model: Model.mixed });
    const sub = await world.device({
      model: Model.vibration,
      deviceType: DeviceType.sub,
      parentDeviceId: master.deviceId,
    });
    const stranger = await world.device();
    await publish(
      master.accessToken,
      { [sub.deviceSnId]: [{ ts: 1_763_700_000_000, values: { VX: 12 } }], [stranger.deviceSnId]: [{ AI1: 1 }] },
      topics.gateway.telemetry,
    );
    expect(await world.readings(sub, "VX")).toHaveLength(1);
    expect(await world.readings(stranger, "AI1")).toEqual([]);
  });

  it("sends a command to a device and returns its answer", async () => {
    const device = await world.device({ model: Model.digitalOutput });
    const client = await world.mqtt(device.accessToken);
    await client.subscribeAsync("v1/devices/me/rpc/request/+");
    client.on("message", (topic, payload) => {
      const { method, params } = JSON.parse(payload.toString());
      client.publish(topic.replace("request", "response"), JSON.stringify({ done: method, params }), { qos: 1 });
    });
    const known = await world.telemetry.registry.find({ deviceId: device.deviceId });
    if (!known) throw new Error("unknown device");
    expect(await world.gateway.commands.call(known, "setOutput", { channel: "DO1", value: 1 })).toEqual({
      done: "setOutput",
      params: { channel: "DO1", value: 1 },
    });
    await client.endAsync();
    await expect(world.gateway.commands.call(known, "restart", {})).rejects.toThrow("not connected");
  });

  it("stores nothing of a device that nobody has claimed, and counts it; after the claim it stores", async () => {
    const device = await anUnclaimedDevice(world);
    const client = await publish(device.accessToken, { AI1: 1 });
    expect(await world.readings(device, "AI1")).toEqual([]);
    await world.db
      .updateTable("devices")
      .set({ plant_id: world.plantId })
      .where("device_id", "=", device.deviceId)
      .execute();
    world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    await client.publishAsync(topics.telemetry, '{"AI1": 2}', { qos: 1 });
    expect(await world.readings(device, "AI1")).toHaveLength(1);
  });
});
