import { type RefusalReason, topics } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rawClient } from "../test/raw-client.ts";
import { anImage } from "../test/test-firmware.ts";

/** The next message on a topic with this prefix, as JSON if possible. */
const nextOn = (client: MqttClient, start: string): Promise<{ topic: string; content: unknown }> =>
  new Promise((resolve) => {
    const listen = (topic: string, payload: Buffer) => {
      if (!topic.startsWith(start)) return;
      client.off("message", listen);
      const text = payload.toString();
      resolve({ topic, content: /^[{[]/.test(text) ? JSON.parse(text) : text });
    };
    client.on("message", listen);
  });

describe("ThingsBoard's clients", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;

  /** Publishes and returns the answer on the topic, without a subscription. */
  const ask = async (client: MqttClient, topic: string, payload: unknown, answerOn: string) => {
    const answer = nextOn(client, answerOn);
    await client.publishAsync(topic, typeof payload === "string" ? payload : JSON.stringify(payload), { qos: 1 });
    return answer;
  };

  const aMaster = async () => {
    const master = await world.device({ model: Model.mixed });
    const sub = await world.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
    return { master, sub, client: await world.mqtt(master.accessToken) };
  };

  it("send numbers as text, too; no other text is taken", async () => {
    const device = await world.device();
    const texts = ["4.2", "-7", "1e3", ".5"];
    const others = ["", " ", "4,2", "0x10", "1_000", "NaN", "Infinity", "4 bar", "true", "9".repeat(65), "1e400"];
    const moments = [...texts, ...others].map((AI1, at) => ({ ts: 1_763_700_000_000 + at * 1000, values: { AI1 } }));
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync(topics.telemetry, JSON.stringify(moments), { qos: 1 });
    expect((await world.readings(device, "AI1")).map(({ value }) => value)).toEqual([4.2, -7, 1000, 0.5]);
    await world.telemetry.refusals.flush();
    const refused = await world.pool.query("SELECT reason, count FROM device_refusals WHERE device_id = $1", [
      device.deviceId,
    ]);
    expect(refused.rows).toEqual([{ reason: "not_a_number", count: others.length }]);
  });

  it("get the session limits, and an error for other methods", async () => {
    const { accessToken } = await world.device();
    const client = await world.mqtt(accessToken);
    const call = { method: "getSessionLimits", params: { timeout: 5000 } };
    expect(await ask(client, `${topics.rpcRequest}1`, call, topics.rpcResponse)).toEqual({
      topic: `${topics.rpcResponse}1`,
      content: { maxPayloadSize: 262_144, maxInflightMessages: 1000, rateLimits: {}, gatewayRateLimits: {} },
    });
    const before = totalOf("not_supported");
    expect(await ask(client, `${topics.rpcRequest}2`, { method: "getTime" }, topics.rpcResponse)).toMatchObject({
      content: { error: expect.stringContaining("no such method") },
    });
    expect(totalOf("not_supported")).toBe(before + 1);
    expect(client.connected).toBe(true);
  });

  it("get the attributes that they name, on the connection that asked and no other", async () => {
    const { accessToken } = await world.device();
    const client = await world.mqtt(accessToken);
    const other = await world.mqtt(accessToken);
    let heard = 0;
    other.on("message", () => heard++);
    await other.subscribeAsync(`${topics.attributesResponse}+`);
    await client.publishAsync(topics.attributes, '{"power": 60, "firmwareVersion": "1.2"}', { qos: 1 });
    const keys = { clientKeys: "power,nothing", sharedKeys: "reportInterval" };
    expect(await ask(client, `${topics.attributesRequest}7`, keys, topics.attributesResponse)).toEqual({
      topic: `${topics.attributesResponse}7`,
      content: { client: { power: 60 }, shared: { reportInterval: 60 } },
    });
    expect(
      await ask(client, `${topics.attributesRequest}8`, { clientKeys: "firmwareVersion" }, topics.attributesResponse),
    ).toMatchObject({ content: { client: { firmwareVersion: "1.2" } } });
    expect(heard).toBe(0);
  });

  it("may use the short topics, and are answered on them", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    await client.publishAsync("v2/t", '{"AI1": 1}', { qos: 1 });
    await client.publishAsync("v2/t/j", '{"AI1": 2}', { qos: 1 });
    await client.publishAsync("v2/a", '{"power": 61}', { qos: 1 });
    expect(await world.readings(device, "AI1")).toHaveLength(2);
    expect(await ask(client, "v2/a/req/3", { clientKeys: "power" }, "v2/a/res/")).toEqual({
      topic: "v2/a/res/3",
      content: { client: { power: 61 } },
    });
    client.on("message", (topic) => {
      if (topic.startsWith("v2/r/req/")) client.publish(topic.replace("req", "res"), '{"success": true}', { qos: 1 });
    });
    await client.subscribeAsync("v2/r/req/+");
    expect(await world.gateway.callDevice(device.deviceId, "restart", {})).toEqual({ success: true });
  });

  it("fetch firmware in chunks of any size without listening where the chunks come", async () => {
    const device = await world.device({ model: Model.mixed });
    const image = await anImage(world, { model: "MIX-420-10", version: "9.1.0", size: 10_000 });
    const client = await world.mqtt(device.accessToken);
    await client.subscribeAsync("v2/fw/response/+");
    await world.pool.query(
      `INSERT INTO firmware_updates (plant_id, device_id, image_id, created_time, heard_time)
       SELECT $1, $2, image_id, now(), now() FROM firmware_images WHERE version = $3`,
      [world.plantId, device.deviceId, image.version],
    );
    for (const size of [10_000, 4096, 999]) {
      const parts: Buffer[] = [];
      for (let chunk = 0; chunk * size < image.bytes.length; chunk++) {
        const part = new Promise<Buffer>((resolve) => client.once("message", (_topic, payload) => resolve(payload)));
        await client.publishAsync(`v2/fw/request/${size}/chunk/${chunk}`, String(size), { qos: 1 });
        parts.push(await part);
      }
      expect(Buffer.concat(parts).equals(image.bytes)).toBe(true);
    }
  });

  it("get an error on the error topic for firmware that is not offered and of software, which is not known here", async () => {
    const { accessToken } = await world.device();
    const client = await world.mqtt(accessToken);
    const before = totalOf("firmware_not_offered");
    expect(await ask(client, "v2/fw/request/1/chunk/0", "", "v2/fw/error")).toMatchObject({
      content: "No firmware is offered to this device",
    });
    expect(await ask(client, "v2/sw/request/1/chunk/0", "1024", "v2/sw/error")).toMatchObject({
      content: expect.stringContaining("No software is offered"),
    });
    expect(await ask(client, "v2/fw/request/1/chunk/first", "", "v2/fw/error")).toBeDefined();
    expect(totalOf("firmware_not_offered")).toBeGreaterThanOrEqual(before + 2);
  });

  it("get the attributes of sub-devices, and an error for those of others", async () => {
    const { sub, client } = await aMaster();
    const stranger = await world.device();
    const { attributes, attributesRequest, attributesResponse } = topics.gateway;
    await client.publishAsync(attributes, JSON.stringify({ [sub.deviceSnId]: { power: 44 } }), { qos: 1 });
    const request = (content: object) => ask(client, attributesRequest, content, attributesResponse);
    const device = sub.deviceSnId;
    expect((await request({ id: 1, device, client: true, key: "power" })).content).toEqual({
      id: 1,
      device,
      value: 44,
    });
    expect((await request({ id: 2, device, client: false, keys: ["reportInterval", "nothing"] })).content).toEqual({
      id: 2,
      device,
      values: { reportInterval: 60 },
    });
    const before = totalOf("unknown_sub_device");
    expect((await request({ id: 3, device: stranger.deviceSnId, client: true, key: "power" })).content).toMatchObject({
      id: 3,
      error: expect.stringContaining("No such sub-device"),
    });
    await client.publishAsync(topics.gateway.disconnect, JSON.stringify({ device }), { qos: 1 });
    await client.publishAsync(topics.gateway.disconnect, JSON.stringify({ device: "nobody" }), { qos: 1 });
    expect(totalOf("unknown_sub_device")).toBe(before + 2);
  });

  it.each([
    ["v1/devices/me/claim", '{"secretKey": "x", "durationMs": 60000}', "not_supported"],
    ["v1/gateway/claim", '{"x": {"secretKey": "y"}}', "not_supported"],
    ["v1/gateway/metrics", "{}", "not_supported"],
    [topics.provision.request, '{"deviceName": "x"}', "not_supported"],
    ["v1/devices/me/nonsense", "{}", "unknown_topic"],
    ["v2/t/p", "x", "unknown_topic"],
    ["some/where", "{}", "unknown_topic"],
  ] as const)("stay connected after %s, which is counted", async (topic, payload, reason) => {
    const { accessToken } = await world.device();
    const before = totalOf(reason);
    const client = await world.mqtt(accessToken);
    await client.publishAsync(topic, payload, { qos: 1 });
    await client.publishAsync(topics.telemetry, '{"AI1": 1}', { qos: 1 });
    expect(totalOf(reason)).toBe(before + 1);
  });

  it("are disconnected for another device's topic", async () => {
    const { accessToken } = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), accessToken);
    client.send({
      cmd: "publish",
      topic: "v1/devices/other/telemetry",
      payload: "{}",
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    });
    await client.closed;
  });

  it("that register themselves with an unknown key are told so, and can do nothing else", async () => {
    const client = await world.mqtt("provision");
    await client.subscribeAsync(topics.provision.response);
    const request = { deviceName: "x", provisionDeviceKey: "k", provisionDeviceSecret: "s" };
    expect(await ask(client, topics.provision.request, request, topics.provision.response)).toMatchObject({
      content: { status: "NOT_FOUND", errorMsg: expect.stringContaining("no such provisioning key") },
    });
    const ended = new Promise<void>((resolve) => client.once("close", () => resolve()));
    client.publish(topics.telemetry, '{"AI1": 1}', { qos: 1 });
    await ended;
  });

  it.each([4, 5] as const)(
    "that register themselves under one client identifier, as those of the C++ SDK do, do not end each other's connections (version %i)",
    async (protocolVersion) => {
      const options = { clientId: "provision", protocolVersion };
      const first = await world.mqtt("provision", options);
      const second = await world.mqtt("provision", options);
      for (const client of [first, second])
        expect(await ask(client, topics.provision.request, "{}", topics.provision.response)).toMatchObject({
          content: { status: "FAILURE", errorMsg: expect.stringContaining("serial number") },
        });
    },
  );

  it("that are connected without a command subscription are not reported as offline", async () => {
    const { accessToken, deviceId } = await world.device();
    const restart = () => world.gateway.callDevice(deviceId, "restart", {});
    await expect(restart()).rejects.toMatchObject({ reason: "not-connected" });
    const client = await world.mqtt(accessToken);
    await client.subscribeAsync(topics.attributes);
    await expect(restart()).rejects.toMatchObject({ reason: "not-listening" });
    const { master, sub } = await aMaster();
    await expect(world.gateway.callDevice(sub.deviceId, "restart", {})).rejects.toMatchObject({
      reason: "not-listening",
    });
    expect(master.deviceId).not.toBe(sub.deviceId);
  });

  it.each(["a", "client-identifier-longer-than-twenty-three-characters"])(
    "of MQTT 3.1 connect, whatever their client id: '%s'",
    async (clientId) => {
      const device = await world.device();
      const client = await world.mqtt(device.accessToken, { protocolId: "MQIsdp", protocolVersion: 3, clientId });
      await client.publishAsync(topics.telemetry, '{"AI1": 3}', { qos: 1 });
      expect(await world.readings(device, "AI1")).toHaveLength(1);
    },
  );
});
