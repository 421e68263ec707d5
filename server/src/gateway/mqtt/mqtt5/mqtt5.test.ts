import { topics } from "@telltale/contract/device-api";
import fc from "fast-check";
import mqttPacket from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../../../test/device-world.ts";
import { rawClient } from "../../../test/raw-client.ts";
import { protocolLevel } from "./detect-version.ts";

describe("devices that speak MQTT 5", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  it("are acknowledged after the commit, like any other", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken, {
      protocolVersion: 5,
      clientId: "",
      properties: { sessionExpiryInterval: 60 },
    });
    const answer = await client.publishAsync(topics.telemetry, '{"ts":1763700000000,"values":{"AI1":4.2}}', {
      qos: 1,
      properties: { contentType: "application/json", userProperties: { made: "by hand" }, messageExpiryInterval: 10 },
    });
    expect(answer).toBeDefined();
    expect(await world.readings(device, "AI1")).toHaveLength(1);
  });

  it("hear a command and can unsubscribe from it", async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken, { protocolVersion: 5 });
    const received = new Promise<string>((resolve) => client.once("message", (topic) => resolve(topic)));
    await client.subscribeAsync([topics.attributes, "v1/devices/me/rpc/request/+"], {
      qos: 1,
      nl: true,
      rap: true,
      rh: 1,
    });
    expect(await received).toBe(topics.attributes);
    await client.unsubscribeAsync([topics.attributes, "v1/devices/me/rpc/request/+"]);
  });

  it("are refused with MQTT 5's own reason", async () => {
    const { connack } = await rawClient(world.gateway.mqttPort(), "no-such-token", 5);
    expect(connack).toMatchObject({ reasonCode: 0x86 });
  });

  it("survive whatever bytes follow a connection, and the others go on", async () => {
    const device = await world.device();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const client = await rawClient(world.gateway.mqttPort(), device.accessToken, 5);
        client.raw(Buffer.from(bytes));
        client.close();
      }),
      { numRuns: 50 },
    );
    const client = await world.mqtt(device.accessToken, { protocolVersion: 5 });
    await client.publishAsync(topics.telemetry, '{"AI2": 1}', { qos: 2 });
    expect(await world.readings(device, "AI2")).toHaveLength(1);
  });

  it("are detected by the protocol level in their CONNECT, however the bytes are fragmented", () => {
    for (const version of [4, 5] as const) {
      const bytes = mqttPacket.generate({
        cmd: "connect",
        protocolId: "MQTT",
        protocolVersion: version,
        clean: true,
        clientId: "x".repeat(200),
        keepalive: 1,
      });
      const levels = Array.from({ length: bytes.length }, (_, length) =>
        protocolLevel(Buffer.from(bytes).subarray(0, length)),
      );
      expect(new Set(levels)).toEqual(new Set([undefined, version]));
    }
  });
});
