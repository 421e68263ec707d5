import { deflateSync } from "node:zlib";
import { deviceLimits, type RefusalReason, topics } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import mqttPacket from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DataType, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { rawClient } from "../../test/raw-client.ts";
import type { TestDevice } from "../../test/test-devices.ts";

const start = 1_763_700_000_000;

/** A few hundred bytes that contain this many readings of one channel and time. */
const packed = (count: number, name = "AI1", at = 0): Buffer => {
  const metric: WireMetric = { name, datatype: DataType.float, floatValue: 4.5 };
  const body = deflateSync(
    encodePayload({ timestamp: start + at, metrics: Array.from({ length: count }, () => metric) }),
  );
  return encodePayload({ uuid: "SPBV1.0_COMPRESSED", body, metrics: [] });
};

describe("what Sparkplug nodes may send at once", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;
  const publishTo = (type: string, device = "") => `spBv1.0/plant/${type}/edge${device && `/${device}`}`;

  it("is a flush of 10,000 readings, and beyond that is refused whole, in words and counted once", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken, 5);
    const publish = async (messageId: number, payload: Buffer) => {
      client.send({ cmd: "publish", topic: publishTo("NDATA"), payload, qos: 1, messageId, dup: false, retain: false });
      return (await client.next("puback")) as { properties?: { reasonString?: string } };
    };
    const flush: WireMetric[] = Array.from({ length: deviceLimits.metrics }, (_, at) => ({
      name: "AI1",
      datatype: DataType.float,
      floatValue: 4.5,
      timestamp: start + at,
    }));
    const body = deflateSync(encodePayload({ metrics: flush }));
    await publish(1, encodePayload({ uuid: "SPBV1.0_COMPRESSED", body, metrics: [] }));
    expect(await world.readings(device, "AI1")).toHaveLength(deviceLimits.metrics);
    const before = totalOf("too_many_metrics");
    const { properties } = await publish(2, packed(deviceLimits.metrics + 1, "AI2"));
    expect(properties?.reasonString).toBe(
      "Nothing stored: too many metrics at once: a message holds at most 10,000, the births of an edge node 20,000",
    );
    expect(totalOf("too_many_metrics")).toBe(before + 1);
    expect(await world.readings(device, "AI2")).toEqual([]);
    client.close();
  });

  it("is no more than a share of what may wait: one node waits by itself, and everything is stored in the end", async () => {
    const [node, other] = [await world.device(), await world.device()];
    const bystander = await world.mqtt(other.accessToken);
    const report = (value: number) =>
      bystander.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });
    await report(1);
    const client = await rawClient(world.gateway.mqttPort(), node.accessToken);
    const { writer } = world.telemetry;
    const gate = Promise.withResolvers<void>();
    const held = writer.exclusively(() => gate.promise);
    const messages = 30;
    for (let messageId = 1; messageId <= messages; messageId++)
      client.send({
        cmd: "publish",
        topic: publishTo("NDATA"),
        payload: packed(deviceLimits.metrics, "AI1", messageId),
        qos: 1,
        messageId,
        dup: false,
        retain: false,
      });
    await expect.poll(() => writer.stats.waitingReadings).toBeGreaterThanOrEqual(50_000);
    const reported = report(2);
    await expect.poll(() => writer.stats.waitingReadings % deviceLimits.metrics).toBe(1);
    expect(writer.stats.waitingReadings).toBeLessThanOrEqual(50_000 + deviceLimits.metrics + 1);
    gate.resolve();
    await held;
    await reported;
    for (let count = 0; count < messages; count++) await client.next("puback");
    expect(await world.readings(node, "AI1")).toHaveLength(messages);
    expect((await world.readings(other, "AI1")).map(({ value }) => value)).toEqual([1, 2]);
    expect(writer.stats).toMatchObject({ waiting: 0, waitingReadings: 0, waitingBytes: 0 });
    client.close();
  });

  it("does not delay others: their messages are processed between two of a node's", async () => {
    const [node, other] = [await world.device(), await world.device()];
    const client = await rawClient(world.gateway.mqttPort(), node.accessToken);
    const bystander = await rawClient(world.gateway.mqttPort(), other.accessToken);
    const unknown = packed(deviceLimits.metrics, "A");
    const messages = 40;
    const packet = { cmd: "publish", qos: 1, dup: false, retain: false } as const;
    bystander.send({ ...packet, topic: topics.telemetry, payload: '{"AI1": 1}', messageId: 1 });
    await bystander.next("puback");
    const before = totalOf("unknown_key");
    for (let messageId = 1; messageId <= messages; messageId++)
      client.send({ ...packet, topic: publishTo("NDATA"), payload: unknown, messageId });
    await client.next("puback");
    // Processed without the database, so that only the queue counts.
    bystander.send({ ...packet, topic: topics.telemetry, payload: '{"AI1": "none"}', messageId: 2 });
    await bystander.next("puback");
    expect(totalOf("unknown_key") - before).toBeLessThan(messages * deviceLimits.metrics);
    for (let count = 1; count < messages; count++) await client.next("puback");
    expect(totalOf("unknown_key")).toBe(before + messages * deviceLimits.metrics);
    for (const each of [client, bystander]) each.close();
  });

  it("does not delay others where it costs no metrics: deaths are processed some at a time", async () => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    let [all, inTurn, most] = [0, 0, 0];
    const lost = vi.spyOn(world.telemetry.offlineWatch, "linkLost").mockImplementation(() => {
      all += 1;
      inTurn += 1;
      most = Math.max(most, inTurn);
    });
    let turns: NodeJS.Immediate | undefined;
    const turn = () => {
      inTurn = 0;
      turns = setImmediate(turn);
    };
    turn();
    const packet = {
      cmd: "publish",
      topic: publishTo("NDEATH"),
      payload: "",
      qos: 0,
      dup: false,
      retain: false,
    } as const;
    const deaths = 20_000;
    client.raw(Buffer.concat(Array.from({ length: deaths }, () => mqttPacket.generate(packet))));
    await expect.poll(() => all, { timeout: 10_000 }).toBe(deaths);
    clearImmediate(turns);
    lost.mockRestore();
    expect(most).toBeLessThanOrEqual(1_001);
    client.close();
  });

  const declared = async () => {
    const text = await world.metrics.getSingleMetricAsString("telltale_sparkplug_metrics");
    return Number(text.trim().split(" ").at(-1));
  };

  const alias = { name: "AI1", alias: 1, datatype: DataType.float, floatValue: 4.5 };

  /** A node with acknowledged births, and the rebirth requests it has received. */
  const born = async (device: TestDevice, metrics: WireMetric[]) => {
    const client = await world.mqtt(device.accessToken);
    const commands: string[] = [];
    client.on("message", (topic) => commands.push(topic));
    await client.subscribeAsync("spBv1.0/plant/NCMD/edge");
    const publish = (type: string, seq: number, content: WireMetric[], sub = "") =>
      client.publishAsync(publishTo(type, sub), encodePayload({ timestamp: start + seq, seq, metrics: content }), {
        qos: 1,
      });
    await publish("NBIRTH", 0, metrics);
    return { client, publish, commands };
  };

  it("is declared for as long as the connection lasts, and asked for again on the next", async () => {
    const device = await world.device();
    const first = await born(device, [alias]);
    expect(await declared()).toBe(1);
    const second = await born(device, [alias]);
    first.client.stream.destroy();
    await second.publish("NDATA", 1, [{ alias: 1, floatValue: 5 }]);
    expect(second.commands).toEqual([]);
    await second.client.endAsync();
    await expect.poll(declared).toBe(0);
    const third = await world.mqtt(device.accessToken);
    const requested = new Promise((resolve) => third.on("message", resolve));
    await third.subscribeAsync("spBv1.0/plant/NCMD/edge");
    await third.publishAsync(publishTo("NDATA"), encodePayload({ seq: 2, metrics: [{ alias: 1, floatValue: 6 }] }), {
      qos: 1,
    });
    expect(await requested).toBe("spBv1.0/plant/NCMD/edge");
  });

  it("is forgotten with a will that comes after its connection", async () => {
    const device = await world.device();
    const payload = encodePayload({ metrics: [{ name: "bdSeq", datatype: DataType.int64, longValue: 0 }] });
    const will = { topic: publishTo("NDEATH"), payload, qos: 1 as const, retain: false };
    const client = await world.mqtt(device.accessToken, { will });
    await client.publishAsync(publishTo("NBIRTH"), encodePayload({ seq: 0, metrics: [alias] }), { qos: 1 });
    client.stream.destroy();
    await expect.poll(() => world.telemetry.registry.inMemory(device)?.linkLostAt).toBeDefined();
    expect(await declared()).toBe(0);
  });

  it("is 20,000 metrics declared by a node and its devices; what is beyond is not kept, counted, and not asked for again", async () => {
    const master = await world.device({ model: Model.mixed });
    const sub = () => world.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
    const subs = [await sub(), await sub()];
    const many = (name: string) =>
      Array.from(
        { length: deviceLimits.metrics - 1 },
        (_, at): WireMetric => ({ name: `${name}${at}`, alias: 2 + at, isNull: true }),
      );
    const { publish, commands, client } = await born(master, [alias, ...many("a")]);
    const before = totalOf("too_many_metrics");
    for (const [at, { deviceSnId }] of subs.entries())
      await publish("DBIRTH", 1 + at, [alias, ...many("b")], deviceSnId);
    expect(totalOf("too_many_metrics")).toBe(before + 1);
    expect(await declared()).toBe(deviceLimits.declared);
    await publish("DDATA", 3, [{ alias: 1, floatValue: 5 }], subs[0]?.deviceSnId);
    await publish("DDATA", 4, [{ name: "AI1", datatype: DataType.float, floatValue: 6 }], subs[1]?.deviceSnId);
    const values = (device: TestDevice | undefined) =>
      device && world.readings(device, "AI1").then((rows) => rows.map(({ value }) => value));
    expect(await values(subs[0])).toEqual([4.5, 5]);
    expect(await values(subs[1])).toEqual([4.5, 6]);
    expect(commands).toEqual([]);
    await client.endAsync();
  });

  it("is two million characters of names declared by a node and its devices", async () => {
    const master = await world.device({ model: Model.mixed });
    const long: WireMetric = { name: "n".repeat(240_000), alias: 2, isNull: true };
    const { publish, client } = await born(master, [alias, long]);
    const before = totalOf("too_many_metrics");
    for (let count = 1; count <= 8; count++) {
      const { deviceSnId } = await world.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
      await publish("DBIRTH", count, [alias, long], deviceSnId);
      expect(totalOf("too_many_metrics") - before, `after ${count}`).toBe(count < 8 ? 0 : 1);
    }
    await client.endAsync();
  });
});
