import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import type { TestDevice } from "../test/test-devices.ts";
import { writeReadings } from "../test/test-readings.ts";
import { groupOf, insertionsOf, markDamaged, mergeNow } from "./index.ts";

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

const channelOf = (device: TestDevice): number => device.channels.AI1 ?? 0;
const storedOf = async (device: TestDevice) => (await world.readings(device, "AI1")).map(({ value }) => value);

/** The pool while the disk gives no readings. */
const withoutDisk = (): Pool =>
  new Proxy(world.pool, {
    get: (pool, name) => {
      if (name !== "query") return Reflect.get(pool, name, pool);
      return (asked: unknown, values?: unknown[]) => {
        const text = String(typeof asked === "string" ? asked : (asked as { text: string }).text);
        if (text.startsWith("SELECT readings"))
          throw Object.assign(new Error("could not read blocks 3..3: Input/output error"), { code: "58030" });
        return pool.query(asked as string, values);
      };
    },
  });

/** The job looks at the rows again. */
const whenDiskIsBack = async (): Promise<void> => {
  world.clock.pass(600_000);
  await world.telemetry.merger.all();
};

it.each(["batches", "chunks"])(
  "readings of %s that a disk did not give for some seconds are shown again when it does, and packed",
  async (table) => {
    const device = await world.device();
    const start = Math.floor(world.clock.now() / 3_600_000 - 3) * 3_600_000;
    await writeReadings(world, channelOf(device), [[start, 1]]);
    if (table === "chunks") await mergeNow(world, [device.deviceId]);
    const group = groupOf(device.deviceId);
    expect(await markDamaged({ ...world, pool: withoutDisk() }, group)).toBe(1);
    expect(await storedOf(device)).toEqual([]);
    await whenDiskIsBack();
    expect(await storedOf(device)).toEqual([1]);
    await world.telemetry.packing.run();
    const packed = "SELECT values FROM packed_hours WHERE channel_id = $1";
    expect((await world.pool.query(packed, [channelOf(device)])).rows).toEqual([{ values: [1] }]);
  },
);

it("a row that still cannot be read stays left out, and keeps no other waiting", async () => {
  const device = await world.device();
  const now = world.clock.now();
  await writeReadings(world, channelOf(device), [[now, 1]]);
  await world.pool.query("UPDATE batches SET readings = '\\x00' WHERE $1 = ANY(device_ids)", [device.deviceId]);
  await mergeNow(world, [device.deviceId]);
  await writeReadings(world, channelOf(device), [[now + 1, 2]]);
  await whenDiskIsBack();
  expect(await storedOf(device)).toEqual([2]);
  const marked = "SELECT count FROM batches WHERE $1 = ANY(device_ids) AND damage IS NOT NULL";
  expect((await world.pool.query(marked, [device.deviceId])).rows).toEqual([{ count: 1 }]);
});

it("a batch comes back without the readings of a device that has been deleted meanwhile", async () => {
  const [device, deleted] = [await world.device(), await world.device()];
  const group = groupOf(device.deviceId);
  const ts = world.clock.now();
  const block = {
    deviceIds: [device.deviceId, deleted.deviceId],
    channelIds: [channelOf(device), channelOf(deleted)],
    counts: [1, 1],
    times: Float64Array.of(ts, ts),
    values: Float64Array.of(3, 4),
    statuses: Uint8Array.of(1, 1),
    shown: new Uint8Array(2),
  };
  for (const insertion of insertionsOf([{ group, block }], ts)) await world.pool.query(insertion);
  await markDamaged({ ...world, pool: withoutDisk() }, group);
  expect(await storedOf(device)).toEqual([]);
  const deletion = "INSERT INTO deleted_devices (device_id, plant_id, deleted_time) VALUES ($1, $2, now())";
  await world.pool.query(deletion, [deleted.deviceId, world.plantId]);
  await whenDiskIsBack();
  expect([await storedOf(device), await storedOf(deleted)]).toEqual([[3], []]);
});
