import { topics } from "@telltale/contract/device-api";
import { DeviceType } from "@telltale/contract/domains/devices";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataType, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";

const second = 1_000;

/** Two nodes on one database, at the same time, that run only the test's own checks. */
let here: DeviceWorld;
let there: DeviceWorld;

beforeEach(async () => {
  here = await createDeviceWorld({ sharing: "shared" });
  const database = { url: here.url, drop: async () => undefined };
  there = await createDeviceWorld({ sharing: "shared", clock: here.clock, database });
  for (const world of [here, there]) await world.telemetry.offlineWatch.stop();
});
afterEach(async () => {
  await there.close();
  await here.close();
});

const check = async (world: DeviceWorld): Promise<number> => {
  here.clock.pass(second);
  return world.telemetry.offlineWatch.run();
};
const metrics: WireMetric[] = [
  { name: "bdSeq", datatype: DataType.int64, longValue: 1 },
  { name: "AI1", datatype: DataType.float, floatValue: 1 },
];

test("a sub-device goes offline with the link of its Sparkplug node after somebody has sent for both to another node, and left", async () => {
  const master = await here.device();
  const sub = await here.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
  const will = {
    topic: "spBv1.0/plant/NDEATH/edge",
    payload: encodePayload({ metrics }),
    qos: 1,
    retain: false,
  } as const;
  const client = await here.mqtt(master.accessToken, { will });
  for (const [seq, topic] of ["NBIRTH/edge", `DBIRTH/edge/${sub.deviceSnId}`].entries())
    await client.publishAsync(`spBv1.0/plant/${topic}`, encodePayload({ timestamp: here.clock.now(), seq, metrics }), {
      qos: 1,
    });
  await check(here);

  const visitor = await there.mqtt(master.accessToken);
  await visitor.publishAsync(topics.gateway.telemetry, JSON.stringify({ [sub.deviceSnId]: { AI1: 2 } }), { qos: 1 });
  await visitor.endAsync();
  const known = (world: DeviceWorld, { deviceId }: { deviceId: number }) =>
    world.telemetry.registry.inMemory({ deviceId });
  await expect.poll(() => known(there, master)?.hasDisconnected).toBe(true);
  await check(there);
  await check(there);

  client.stream.destroy();
  await expect.poll(() => known(here, sub)?.linkLostAt).toBeDefined();
  here.clock.pass(20 * second);
  expect(await check(here)).toBe(2);
});
