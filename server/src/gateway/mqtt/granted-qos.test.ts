import { topics } from "@telltale/contract/device-api";
import type { QoS } from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataType, encodePayload } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { rawClient } from "../../test/raw-client.ts";

describe("messages to a device", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  /** A device with these subscriptions, and the QoS of the next message that it gets. */
  const subscribed = async (...subscriptions: { topic: string; qos: QoS }[]) => {
    const device = await world.device();
    const client = await rawClient(world.gateway.mqttPort(), device.accessToken);
    client.send({ cmd: "subscribe", messageId: 1, subscriptions });
    await client.next("suback");
    const received = async () => {
      const packet = await client.next("publish");
      return packet.cmd === "publish" ? { topic: packet.topic, qos: packet.qos } : undefined;
    };
    return { device, client, received };
  };
  const packet = { cmd: "publish", dup: false, retain: false } as const;

  it.each([
    ["rpc", `${topics.rpcRequest}+`, 0, 0],
    ["rpc", `${topics.rpcRequest}+`, 1, 1],
    ["rpc", `${topics.rpcRequest}+`, 2, 1],
    ["rpc, in its short form", "v2/r/req/+", 0, 0],
    ["rpc, in its short form", "v2/r/req/+", 1, 1],
  ] as const)(
    "come by the QoS that was granted to their subscription, at most 1: %s (%s) at %i",
    async (_what, topic, qos, sent) => {
      const { device, client, received } = await subscribed({ topic, qos });
      const called = world.gateway.commands.call(
        (await world.telemetry.registry.find({ deviceId: device.deviceId })) ?? expect.fail("unknown device"),
        "restart",
        {},
        50,
      );
      await expect(called).rejects.toMatchObject({ reason: "no-answer" });
      expect((await received())?.qos).toBe(sent);
      client.close();
    },
  );

  it.each([0, 1] as const)("come so as answers, too: %i", async (qos) => {
    const { client, received } = await subscribed({ topic: `${topics.attributesResponse}+`, qos });
    client.send({ ...packet, topic: `${topics.attributesRequest}7`, payload: "{}", qos: 0 });
    expect(await received()).toEqual({ topic: `${topics.attributesResponse}7`, qos });
    client.close();
  });

  it("come by QoS 0 where they are Sparkplug's commands", async () => {
    const { client, received } = await subscribed({ topic: "spBv1.0/plant/NCMD/edge/#", qos: 1 });
    const birth = [{ name: "Settings/version", datatype: DataType.int32, intValue: 0 }];
    const birthOf = (seq: number) => encodePayload({ timestamp: Date.now(), seq, metrics: birth });
    client.send({ ...packet, topic: "spBv1.0/plant/NDATA/edge", payload: birthOf(7), qos: 0 });
    const command = { topic: "spBv1.0/plant/NCMD/edge", qos: 0 };
    expect(await received(), "a rebirth request").toEqual(command);
    client.send({ ...packet, topic: "spBv1.0/plant/NBIRTH/edge", payload: birthOf(0), qos: 0 });
    expect(await received(), "the settings").toEqual(command);
    client.close();
  });
});
