import { refusalsCounted, topics } from "@telltale/contract/device-api";
import type { Packet } from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../../../test/device-world.ts";
import { rawClient } from "../../../test/raw-client.ts";

describe("acknowledgements in MQTT 5", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const connected = async (properties: object = {}) => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken, 5, { properties });
    let messageId = 0;
    const publish = async (topic: string, payload: string | Buffer, qos: 1 | 2 = 1) => {
      messageId += 1;
      client.send({ cmd: "publish", topic, payload, qos, messageId, dup: false, retain: false });
      return (await client.next(qos === 1 ? "puback" : "pubrec")) as Packet & { reasonCode?: number };
    };
    return { device, client, publish };
  };

  it("say with the connection that sessions end with it and nothing is retained", async () => {
    const { client } = await connected({ sessionExpiryInterval: 3600 });
    expect(client.connack).toMatchObject({
      reasonCode: 0,
      sessionPresent: false,
      properties: {
        sessionExpiryInterval: 0,
        retainAvailable: false,
        subscriptionIdentifiersAvailable: false,
        userProperties: refusalsCounted,
      },
    });
    client.close();
  });

  it("say how many values were stored and refused", async () => {
    const { client, publish } = await connected();
    const whole = await publish(topics.telemetry, '{"AI1": 1}');
    expect(whole).not.toHaveProperty("properties.userProperties");
    expect(await publish(topics.telemetry, '{"AI1": 1, "x": 2}')).toMatchObject({
      reasonCode: 0,
      properties: { reasonString: expect.stringContaining("1 of 2"), userProperties: { stored: "1", refused: "1" } },
    });
    expect(await publish(topics.telemetry, '{"y": 1, "x": 2}', 2)).toMatchObject({
      cmd: "pubrec",
      properties: { userProperties: { stored: "0", refused: "2" } },
    });
    client.close();
  });

  it("give the reason code of a payload that is no JSON, of a refused topic and of too large a payload", async () => {
    const { client, publish } = await connected();
    expect(await publish(topics.telemetry, "AI1=1")).toMatchObject({ reasonCode: 0x99 });
    expect(await publish(topics.attributes, "[1]")).toMatchObject({ reasonCode: 0x99 });
    expect(await publish(topics.gateway.telemetry, "{")).toMatchObject({ reasonCode: 0x99 });
    expect(await publish("some/where", "{}")).toMatchObject({ reasonCode: 0x90 });
    expect(await publish("v1/devices/me/claim", "{}")).toMatchObject({ reasonCode: 0x90 });
    expect(await publish(topics.telemetry, Buffer.alloc(300_000, 32))).toMatchObject({ reasonCode: 0x97 });
    client.close();
  });

  it("end an exchange of QoS 2 with its error, and the identifier can be used again", async () => {
    const { device, client, publish } = await connected();
    for (let times = 0; times < 30; times++)
      expect(await publish(topics.telemetry, "no JSON", 2)).toMatchObject({ reasonCode: 0x99 });
    client.send({
      cmd: "publish",
      topic: topics.telemetry,
      payload: '{"AI1": 9}',
      qos: 2,
      messageId: 1,
      dup: false,
      retain: false,
    });
    await client.next("pubrec");
    client.send({ cmd: "pubrel", messageId: 1, reasonCode: 0 });
    expect(await client.next("pubcomp")).toMatchObject({ messageId: 1 });
    expect(await world.readings(device, "AI1")).toHaveLength(1);
    client.close();
  });

  it("omit the reason string for a client that wants no problem information", async () => {
    const { client, publish } = await connected({ requestProblemInformation: false });
    const answer = await publish(topics.telemetry, "no JSON");
    expect(answer).toMatchObject({ reasonCode: 0x99 });
    expect(answer).not.toHaveProperty("properties.reasonString");
    client.close();
  });

  it("omit the reason string where the packet would exceed the client's maximum", async () => {
    const { client, publish } = await connected({ maximumPacketSize: 24 });
    const answer = await publish(topics.telemetry, "no JSON");
    expect(answer).toMatchObject({ reasonCode: 0x99 });
    expect(answer).not.toHaveProperty("properties.reasonString");
    client.close();
  });

  it("give the reason code of a refused subscription", async () => {
    const { client } = await connected();
    const subscriptions = ["#", `$share/group/${topics.attributes}`, `${topics.rpcRequest}+`];
    client.send({ cmd: "subscribe", messageId: 9, subscriptions: subscriptions.map((topic) => ({ topic, qos: 1 })) });
    expect(await client.next("suback")).toMatchObject({ granted: [0x87, 0x9e, 1] });
    client.close();
  });

  it.each([
    [0x87, "another device's topic", { cmd: "publish", topic: "v1/devices/x/telemetry", payload: "{}" }],
    [0x94, "a topic alias", { cmd: "publish", topic: "", payload: "{}", properties: { topicAlias: 1 } }],
  ] as const)("are preceded by a DISCONNECT with reason %i for %s", async (reasonCode, _why, packet) => {
    const { client } = await connected();
    client.send({ ...packet, qos: 1, messageId: 1, dup: false, retain: false } as Packet);
    expect(await client.next("disconnect")).toMatchObject({ reasonCode });
    await client.closed;
  });

  it("name the reason when another connection takes over and when the device is removed", async () => {
    const device = await world.device();
    const open = () => rawClient(world.gateway.mqttPort(), device.accessToken, 5);
    const first = await open();
    const second = await open();
    expect(await first.next("disconnect")).toMatchObject({ reasonCode: 0x8e });
    world.bus.emitHere("deviceChange", { deviceId: device.deviceId, ended: "disabled" });
    expect(await second.next("disconnect")).toMatchObject({ reasonCode: 0x98 });
  });

  it.each([
    [0x9a, { will: { topic: "x", payload: Buffer.from("x"), qos: 0 as const, retain: true } }],
    [0x8c, { properties: { authenticationMethod: "SCRAM" } }],
  ])("refuse a connection that asks for what is not offered: reason %i", async (reasonCode, more) => {
    const { accessToken } = await world.device();
    const { connack } = await rawClient(world.gateway.mqttPort(), accessToken, 5, more);
    expect(connack).toMatchObject({ reasonCode });
  });

  it("keep to the number of messages that the client takes at once", async () => {
    const { client } = await connected({ receiveMaximum: 1 });
    for (const requestId of [1, 2])
      client.send({
        cmd: "publish",
        topic: `${topics.rpcRequest}${requestId}`,
        payload: '{"method": "getSessionLimits"}',
        qos: 0,
        dup: false,
        retain: false,
      });
    const first = (await client.next("publish")) as Packet & { messageId: number };
    // The answer to a ping would arrive after a second message.
    client.send({ cmd: "pingreq" });
    await client.next("pingresp");
    expect(client.has("publish")).toBe(false);
    client.send({ cmd: "puback", messageId: first.messageId, reasonCode: 0 });
    expect(await client.next("publish")).toMatchObject({ topic: `${topics.rpcResponse}2` });
    client.close();
  });
});
