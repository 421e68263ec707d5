import { type RefusalReason, topics } from "@telltale/contract/device-api";
import type { Packet } from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rawClient } from "../test/raw-client.ts";
import { collectGarbage } from "../test/test-memory.ts";
import { connectionLimit } from "./mqtt/connections.ts";

/** Megabytes of buffers in this process. */
const buffered = (): number => {
  collectGarbage();
  return process.memoryUsage().arrayBuffers / 1024 / 1024;
};

describe("limits of one connection", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;
  const open = (token: string, version: 4 | 5 = 4, more: object = {}) =>
    rawClient(world.gateway.mqttPort(), token, version, more);
  const message = (topic: string, payload: string | Buffer, messageId: number, qos: 1 | 2 = 1): Packet => ({
    cmd: "publish",
    topic,
    payload,
    qos,
    messageId,
    dup: false,
    retain: false,
  });

  it.each([4, 5] as const)(
    "a QoS 2 payload is not kept until a PUBREL that never comes (version %i)",
    async (version) => {
      const { accessToken } = await world.device();
      const client = await open(accessToken, version);
      const large = Buffer.concat([Buffer.from('{"AI1": 1'), Buffer.alloc(250_000, 32), Buffer.from("}")]);
      const tooLarge = Buffer.alloc(300_000, 32);
      const before = buffered();
      for (let messageId = 1; messageId <= 40; messageId += 1) {
        client.send(message(topics.telemetry, messageId % 2 ? large : tooLarge, messageId, 2));
        await client.next("pubrec");
      }
      // Garbage may take more than one collection.
      await expect.poll(() => buffered() - before, { timeout: 10_000 }).toBeLessThan(4);
      // The identifiers are kept: a resend is not new, and the exchange can be completed.
      client.send(message(topics.telemetry, large, 1, 2));
      expect(await client.next("pubrec")).toMatchObject({ messageId: 1 });
      client.send({ cmd: "pubrel", messageId: 1, ...(version === 5 ? { reasonCode: 0 } : {}) } as Packet);
      expect(await client.next("pubcomp")).toMatchObject({ messageId: 1 });
      client.close();
    },
  );

  it("a client may have as many QoS 2 messages in flight as the CONNACK says", async () => {
    const { accessToken } = await world.device();
    const client = await open(accessToken, 5);
    const most = (client.connack as { properties?: { receiveMaximum?: number } }).properties?.receiveMaximum ?? 65_535;
    for (let messageId = 1; messageId <= most; messageId += 1)
      client.send(message(topics.telemetry, "{}", messageId, 2));
    for (let messageId = 1; messageId <= most; messageId += 1) await client.next("pubrec");
    client.send(message(topics.telemetry, "{}", most + 1, 2));
    expect(await client.next("disconnect")).toMatchObject({ reasonCode: 0x93 });
  });

  it.each([4, 5] as const)(
    "is one answer for a provisioning client, which has to go then (version %i)",
    async (version) => {
      const client = await open("provision", version);
      const subscriptions = [topics.provision.response, topics.attributes].map((topic) => ({ topic, qos: 1 as const }));
      client.send({ cmd: "subscribe", messageId: 1, subscriptions });
      expect(await client.next("suback")).toMatchObject({ granted: [1, version === 5 ? 0x87 : 0x80] });
      client.send(message(topics.provision.request, "{}", 2, 2));
      expect(await client.next("publish")).toMatchObject({ topic: topics.provision.response });
      await client.closed;
    },
  );

  it("a provisioning client may send one request", async () => {
    const client = await open("provision", 5);
    client.send(message(topics.provision.request, "{}", 2));
    client.send(message(topics.provision.request, "{}", 3));
    expect(await client.next("disconnect")).toMatchObject({ reasonCode: 0x87 });
  });

  it("a thousand clients without a token that ask for nothing keep no device from asking", async () => {
    const guests: Awaited<ReturnType<typeof open>>[] = [];
    for (let at = 0; at < 1_000; at += 50)
      guests.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, (_, n) => open("provision", 4, { clientId: `guest-${at + n}` })),
        )),
      );
    const device = await open("provision", 4, { clientId: "device" });
    expect(device.connack).toMatchObject({ returnCode: 0 });
    await Promise.race(guests.map((guest) => guest.closed));
    for (const client of [device, ...guests]) client.close();
  });

  it("a client without a token may send only small packets", async () => {
    const guest = await open("provision", 5);
    guest.raw(Buffer.from([0x32, 0xff, 0xff, 0x3f]));
    expect(await guest.next("disconnect")).toMatchObject({ reasonCode: 0x95 });
    const { connack } = await open("a", 5, { clientId: "x".repeat(9_000) });
    expect(connack).toMatchObject({ reasonCode: 0x95 });
  });

  it("at most a megabyte of messages waits for a client's acknowledgements", async () => {
    const master = await world.device();
    const client = await open(master.accessToken, 5, { properties: { receiveMaximum: 1 } });
    const call = JSON.stringify({ method: "getSessionLimits" });
    const long = "9".repeat(990);
    for (let messageId = 1; messageId <= 990; messageId += 1)
      client.send(message(`${topics.rpcRequest}${long}${messageId}`, call, messageId));
    expect(await client.next("disconnect")).toMatchObject({ reasonCode: 0x97 });
  });

  it("a device has a limited number of connections; the oldest is closed", async () => {
    const { accessToken } = await world.device();
    const clients = [await open(accessToken, 5, { clientId: "client 0" })];
    const more = Array.from({ length: connectionLimit - 1 }, (_, at) => `client ${at + 1}`);
    clients.push(...(await Promise.all(more.map((clientId) => open(accessToken, 5, { clientId })))));
    const [oldest, second] = clients;
    // A reconnect with the same identifier takes over, and closes no other connection.
    clients.push(await open(accessToken, 5, { clientId: "client 9" }));
    clients.push(await open(accessToken, 5, { clientId: "one more" }));
    expect(await oldest?.next("disconnect")).toMatchObject({ reasonCode: 0x97 });
    second?.send({ cmd: "pingreq" });
    await second?.next("pingresp");
    for (const client of clients) client.close();
  });

  it("filters and topics have a limited length", async () => {
    const { accessToken } = await world.device();
    const client = await open(accessToken, 5);
    const subscriptions = [250, 60_000].map((length) => ({
      topic: `spBv1.0/${"g".repeat(length - 10)}/NCMD/n`,
      qos: 0 as const,
    }));
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    expect(await client.next("suback")).toMatchObject({ granted: [0, 0x87] });
    client.send(message(`${topics.rpcRequest}${"9".repeat(60_000)}`, '{"method": "getSessionLimits"}', 2));
    expect(await client.next("puback")).toMatchObject({ reasonCode: 0x90 });
    client.close();
  });

  it("a text that cannot be a token is not looked up", async () => {
    const queries = vi.spyOn(world.pool, "query");
    // Jobs query meanwhile.
    const lookUps = () => queries.mock.calls.filter((call) => JSON.stringify(call).includes("t".repeat(64)));
    const { connack } = await open("t".repeat(65));
    expect(connack).toMatchObject({ returnCode: 4 });
    expect(lookUps()).toEqual([]);
    await open("t".repeat(64));
    expect(lookUps()).toHaveLength(1);
    queries.mockRestore();
  });

  it("an invalid name gets an error, and the connection stays open", async () => {
    const { accessToken } = await world.device();
    const client = await open(accessToken, 5);
    const subscriptions = [{ topic: topics.gateway.attributesResponse, qos: 0 as const }];
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    await client.next("suback");
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    const { connect, disconnect, attributesRequest, rpc } = topics.gateway;
    const before = totalOf("bad_payload");
    const bad = [
      [connect, `{"device": ${deep}}`],
      [connect, '{"device": {"toString": 1, "valueOf": 1}}'],
      [disconnect, '{"device": 5}'],
      [attributesRequest, `{"id": 1, "device": ${deep}}`],
      [attributesRequest, `{"id": ${deep}, "device": "a"}`],
      [attributesRequest, `{"id": "${"x".repeat(257)}", "device": "a"}`],
      [rpc, `{"id": ${deep}}`],
    ] as const;
    for (const [at, [topic, payload]] of bad.entries()) {
      client.send(message(topic, payload, at + 2));
      expect(await client.next("puback")).toMatchObject({ messageId: at + 2, reasonCode: 0x99 });
    }
    expect(totalOf("bad_payload")).toBe(before + bad.length);
    const answers = [];
    for (let count = 0; count < 3; count += 1)
      answers.push(JSON.parse(String(((await client.next("publish")) as Packet & { payload: Buffer }).payload)));
    expect(answers).toEqual([
      { id: 1, error: expect.any(String) },
      { device: "a", error: expect.any(String) },
      { device: "a", error: expect.any(String) },
    ]);
    client.close();
  });
});
