import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import fc from "fast-check";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBus } from "../platform/bus/bus.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { unpackedReadings } from "../test/test-readings.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import type { KnownChannel } from "./devices/known-device.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";

let server: TestServer;
let owner: Person;
/** Two writers on one database; they hear nothing of each other, nor of saves. */
let writers: readonly [Telemetry, Telemetry];

const deafWriter = (): Telemetry => {
  const bus = createBus((fault) => {
    throw fault;
  });
  return createTelemetry({ ...server.world, bus, metrics: new Registry() });
};

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
  writers = [deafWriter(), deafWriter()];
  for (const writer of writers) await writer.start();
});
afterAll(async () => {
  for (const writer of writers) await writer.stop();
  await server.close();
});

const limited = { AI1: { settings: { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 5 } } };

const send = async (writer: Telemetry, { accessToken }: TestDevice, ts: number, value: number): Promise<void> => {
  const device = await writer.registry.find({ token: accessToken });
  if (!device) throw new Error("The device is not known");
  const { promise, resolve } = Promise.withResolvers<string>();
  const readings = { channels: [device.channels.get("AI1") as KnownChannel], times: [ts], values: [value] };
  writer.writer.submit({ devices: [device], ...readings, done: resolve });
  expect(await promise).toBe("stored");
};

const alertsOf = (device: TestDevice) =>
  server.world.db
    .selectFrom("alerts")
    .select(["created_time", "cleared_time", "value", "threshold"])
    .where("channel_id", "=", device.channels.AI1 ?? 0)
    .orderBy("alert_id")
    .execute();

test("a device whose messages come by either writer gets the alerts, and stores the readings, of one writer", async () => {
  const message = fc.tuple(fc.constantFrom(0, 0, 1, 1, 1) as fc.Arbitrary<0 | 1>, fc.constantFrom(20, 78, 90, 99));
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 25 }), async (messages) => {
      const [hopping, staying] = [
        await aDevice(server.world, owner, { channels: limited }),
        await aDevice(server.world, owner, { channels: limited }),
      ];
      const begin = server.world.clock.now();
      for (const [index, [by, value]] of messages.entries()) {
        await send(writers[by], hopping, begin + index * 1000, value);
        await send(writers[0], staying, begin + index * 1000, value);
      }
      expect(await alertsOf(hopping)).toEqual(await alertsOf(staying));
      const stored = await unpackedReadings(server.world.pool, hopping.channels.AI1 ?? 0);
      expect(stored).toEqual(await unpackedReadings(server.world.pool, staying.channels.AI1 ?? 0));
      expect(stored).toHaveLength(messages.length);
    }),
    { numRuns: 15 },
  );
}, 120_000);

test("a writer stores a message after one vain try at most, also of a device that another writes all the time", async () => {
  const [first, second] = writers;
  const device = await aDevice(server.world, owner, { channels: limited });
  const begin = server.world.clock.now();
  let isOver = false;
  const writing = async (): Promise<number> => {
    let count = 0;
    while (!isOver) await send(second, device, begin + 1_000_000 + count++, 20);
    return count;
  };
  const counts = Array.from({ length: 4 }, () => writing());
  const before = first.writer.stats.outdatedBatches;
  const messages = 20;
  for (let at = 0; at < messages; at++) await send(first, device, begin + at, 21);
  isOver = true;
  await Promise.all(counts);
  expect(first.writer.stats.outdatedBatches - before).toBeLessThanOrEqual(messages);
  const stored = await unpackedReadings(server.world.pool, device.channels.AI1 ?? 0);
  expect(stored.filter(({ value }) => value === 21)).toHaveLength(messages);
});

test("a reading after a save is evaluated by the new limits, also by a writer that has not heard of the save", async () => {
  const device = await aDevice(server.world, owner, { channels: limited });
  const begin = server.world.clock.now();
  for (const writer of writers) await send(writer, device, begin, 20);
  const as = server.as(owner);
  for (let save = 1; save <= 20; save++) {
    server.world.clock.pass(1000);
    const before = (await alertsOf(device)).length;
    const isHigh = save % 2 === 1;
    await as(channelSettings.modify, {
      deviceId: device.deviceId,
      payload: [{ channelId: Number(device.channels.AI1), channelKeys: { [Key.higherAlarm]: isHigh ? 30 : 80 } }],
    } as never);
    server.world.clock.pass(1000);
    await send(writers[save % 3 === 0 ? 0 : 1], device, server.world.clock.now(), 50);
    const alerts = await alertsOf(device);
    if (isHigh) {
      expect(alerts).toHaveLength(before + 1);
      expect(alerts.at(-1)).toMatchObject({ value: 50, threshold: 30, cleared_time: null });
    } else {
      expect(alerts).toHaveLength(before);
      expect(alerts.at(-1)?.cleared_time).not.toBeNull();
    }
  }
});
