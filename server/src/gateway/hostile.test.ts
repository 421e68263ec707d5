import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type RefusalReason, topics } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import mqttPacket from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rawClient } from "../test/raw-client.ts";

describe("malicious devices", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;

  /** What a connection that sends these bytes receives before it is closed, and how many bytes it could send. */
  const sendUntilCut = (first: Buffer, more: Buffer, times: number): Promise<number> =>
    new Promise((resolve) => {
      const socket = connect(world.gateway.mqttPort(), "127.0.0.1", async () => {
        socket.write(first);
        for (let sent = 0; sent < times && socket.writable; sent++)
          await new Promise((go) => socket.write(more, () => go(undefined)));
        await sleep(200);
        socket.destroy();
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(socket.bytesWritten));
    });

  it("can't crash the server with a deeply nested value", async () => {
    const device = await world.device();
    const before = { values: totalOf("not_a_number"), payloads: totalOf("bad_payload") };
    const client = await world.mqtt(device.accessToken);
    const deep = "[".repeat(120_000) + "]".repeat(120_000);
    await client.publishAsync(topics.telemetry, `{"AI1": ${deep}, "AI2": 1}`, { qos: 1 });
    await client.publishAsync(topics.telemetry, deep, { qos: 1 });
    expect(await world.readings(device, "AI2")).toHaveLength(1);
    expect(totalOf("not_a_number")).toBe(before.values + 1);
    expect(totalOf("bad_payload")).toBe(before.payloads + 1);
  });

  it("can't crash the server with MQTT 5 packets unknown to MQTT 3.1.1", async () => {
    const device = await world.device();
    const connackWithoutCode = Buffer.from([0x20, 3, 0, 0, 0]);
    const publishWithAlias = mqttPacket.generate(
      { cmd: "publish", topic: "", payload: "x", qos: 0, dup: false, retain: false, properties: { topicAlias: 1 } },
      { protocolVersion: 5 },
    );
    const publishWithoutNumber = Buffer.from([0x32, 7, 0, 1, 0x61, 0, 0, 0, 0x78]);
    for (const bytes of [connackWithoutCode, publishWithAlias, publishWithoutNumber]) {
      const client = await rawClient(world.gateway.mqttPort(), device.accessToken, 5);
      client.raw(Buffer.from(bytes));
      await client.closed;
    }
  });

  it("can't fill the memory with a CONNECT that claims to be large", async () => {
    const head = Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0, 4, 77, 81, 84, 84, 4, 0xc2, 0, 60, 0xff, 0xff]);
    const written = await sendUntilCut(head, Buffer.alloc(256 * 1024, 97), 200);
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });

  it("are counted for a packet that claims to be too large, in either version", async () => {
    const device = await world.device();
    for (const version of [4, 5] as const) {
      const before = totalOf("payload_too_large");
      const client = await rawClient(world.gateway.mqttPort(), device.accessToken, version);
      client.raw(Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f]));
      for (let sent = 0; sent < 8; sent++) client.raw(Buffer.alloc(256 * 1024, 97));
      await client.closed;
      expect(totalOf("payload_too_large")).toBe(before + 1);
    }
  });

  it("a message that the database refuses is not resent forever", async () => {
    const master = await world.device({ model: Model.mixed });
    const client = await world.mqtt(master.accessToken);
    const publish = (topic: string, payload: string) => client.publishAsync(topic, payload, { qos: 1 });
    const unstorable = "a\\u0000b";
    await publish(topics.gateway.telemetry, `{"${unstorable}": [{"AI1": 1}]}`);
    await publish(topics.gateway.attributes, `{"${unstorable}": {"power": 1}}`);
    await publish(topics.gateway.connect, `{"device": "${unstorable}"}`);
    await publish(topics.attributes, '{"power": 1e-320, "humidity": -1e-320}');
    expect(totalOf("unknown_sub_device")).toBe(3);
    await expect(world.mqtt("a\u0000b")).rejects.toThrow("Bad username or password");
  });

  it("look up thousands of sub-devices in one message at once", async () => {
    const master = await world.device({ model: Model.mixed });
    const sub = await world.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
    const client = await world.mqtt(master.accessToken);
    const unknown = Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`x${at}`, []]));
    const before = totalOf("unknown_sub_device");
    const queries = vi.spyOn(world.pool, "query");
    await client.publishAsync(topics.gateway.telemetry, JSON.stringify({ ...unknown, [sub.deviceSnId]: { AI1: 1 } }), {
      qos: 1,
    });
    await client.publishAsync(
      topics.gateway.attributes,
      JSON.stringify(Object.fromEntries(Object.keys(unknown).map((name) => [name, {}]))),
      { qos: 1 },
    );
    expect(queries.mock.calls.length).toBeLessThan(20);
    queries.mockRestore();
    expect(totalOf("unknown_sub_device")).toBe(before + 30_000);
    expect(await world.readings(sub, "AI1")).toHaveLength(1);
  });

  it("can't make another's device appear heard", async () => {
    const [stranger, victim] = [await world.device(), await world.device()];
    const client = await world.mqtt(stranger.accessToken);
    const speak = () =>
      client.publishAsync(topics.gateway.telemetry, JSON.stringify({ [victim.deviceSnId]: {} }), { qos: 1 });
    await speak();
    // A device that has changed since it was loaded is reloaded.
    world.bus.emitHere("deviceChange", { deviceId: victim.deviceId });
    await speak();
    const { db, telemetry } = world;
    expect(telemetry.registry.inMemory({ deviceId: victim.deviceId })?.isStale).toBe(false);
    const ofVictim = db.selectFrom("devices").select("first_seen_time").where("device_id", "=", victim.deviceId);
    expect(await ofVictim.executeTakeFirst()).toEqual({ first_seen_time: null });
  });

  it("can't block the database with thousands of concurrent queries", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    const publish = (topic: string, payload: string, dup = false) => {
      for (let messageId = 1; messageId <= 500; messageId++)
        client.send({ cmd: "publish", topic, payload, qos: 1, dup, messageId, retain: false });
    };
    const queries = vi.spyOn(world.pool, "query");
    publish(topics.attributes, '{"power": 50}');
    publish(`${topics.attributesRequest}1`, "{}");
    publish(topics.telemetry, '{"AI1": 1}', true);
    for (let count = 0; count < 1500; count++) await client.next("puback");
    expect(queries.mock.calls.length).toBeLessThan(200);
    queries.mockRestore();
    client.close();
  });

  it("can't fill the memory with what they are sent and never read", async () => {
    // Its own world, as its connections are counted.
    const own = await createDeviceWorld();
    const device = await own.device();
    const client = await rawClient(own.gateway.mqttPort(), device.accessToken);
    client.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: topics.attributes, qos: 1 }] });
    await client.next("suback");
    client.pause();
    expect(own.gateway.connections()).toBe(1);
    const publishAll = () => {
      for (let times = 0; times < 1000; times++) own.bus.emitHere("deviceChange", { deviceId: device.deviceId });
      return own.gateway.connections();
    };
    await expect.poll(publishAll, { timeout: 25_000 }).toBe(0);
    client.close();
    await own.close();
  });

  it("have a limited number of concurrent requests", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    const topic = `${topics.attributesResponse}+`;
    client.send({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic, qos: 0 }] });
    await client.next("suback");
    const before = totalOf("too_many_requests");
    const requested = 200;
    for (let messageId = 2; messageId < requested + 2; messageId++)
      client.send({
        cmd: "publish",
        topic: `${topics.attributesRequest}${messageId}`,
        payload: "{}",
        qos: 1,
        messageId,
        dup: false,
        retain: false,
      });
    for (let count = 0; count < requested; count++) await client.next("puback");
    expect(totalOf("too_many_requests")).toBeGreaterThan(before);
    expect(await client.next("publish")).toMatchObject({ topic: `${topics.attributesResponse}2` });
    client.close();
  });

  it("can't fill the memory with subscriptions", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    const subscriptions = Array.from({ length: 300 }, (_, at) => ({ topic: `spBv1.0/g/NCMD/n${at}`, qos: 1 as const }));
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    const { granted } = (await client.next("suback")) as { granted: number[] };
    expect(granted.filter((code) => code !== 128)).toHaveLength(100);
    client.close();
  });

  it("can't hold up the server with a packet of many thousand subscriptions", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    const subscriptions = Array.from({ length: 5_000 }, (_, at) => ({ topic: `n${at}`, qos: 1 as const }));
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    await client.closed;
  });

  it("have a payload above 256 KiB refused on every topic", async () => {
    const device = await world.device();
    const before = totalOf("payload_too_large");
    const client = await world.mqtt(device.accessToken);
    for (const topic of [topics.attributes, topics.gateway.telemetry, "spBv1.0/g/NDATA/n"])
      await client.publishAsync(topic, Buffer.alloc(300_000, 32), { qos: 1 });
    expect(totalOf("payload_too_large")).toBe(before + 3);
  });
});
