import { topics } from "@telltale/contract/device-api";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { hotAmong } from "../../telemetry/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { groupOf, mergeNow, newestReadings } from "../index.ts";

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld();
});
afterAll(() => world.close());

const report = async (device: TestDevice, moments: { ts: number; AI1: number }[]): Promise<void> => {
  const client = await world.mqtt(device.accessToken);
  const message = moments.map(({ ts, AI1 }) => ({ ts, values: { AI1 } }));
  await client.publishAsync(topics.telemetry, JSON.stringify(message), { qos: 1 });
  await client.endAsync();
};
const channelOf = (device: TestDevice): number => device.channels.AI1 ?? 0;
const newestOf = async (device: TestDevice) =>
  (await newestReadings(world.pool, [channelOf(device)])).get(channelOf(device));
const storedOf = async (device: TestDevice) => (await world.readings(device, "AI1")).map(({ value }) => value);
const unmergedOf = async (device: TestDevice): Promise<number> => {
  const { rows } = await world.pool.query<{ count: number }>(
    "SELECT coalesce(sum(count), 0)::int AS count FROM batches WHERE $1 = ANY(device_ids) AND damage IS NULL",
    [device.deviceId],
  );
  return rows[0]?.count ?? 0;
};

it("an acknowledged reading is the newest one at once, and stays it when it is merged", async () => {
  const device = await world.device();
  const ts = world.clock.now();
  await report(device, [{ ts, AI1: 7 }]);
  expect(await unmergedOf(device)).toBe(1);
  expect(await newestOf(device)).toMatchObject({ ts, value: 7, status: 1 });
  await world.telemetry.merger.all();
  expect(await unmergedOf(device)).toBe(0);
  expect(await newestOf(device)).toMatchObject({ ts, value: 7, status: 1 });
  expect(await storedOf(device)).toEqual([7]);
});

it("a late reading, and a second one of the same time, change the newest one neither before nor after merging", async () => {
  const device = await world.device();
  const ts = world.clock.now();
  await report(device, [{ ts, AI1: 7 }]);
  await report(device, [
    { ts: ts - 1000, AI1: 5 },
    { ts, AI1: 9 },
  ]);
  expect(await newestOf(device)).toMatchObject({ ts, value: 7 });
  await world.telemetry.merger.all();
  expect(await newestOf(device)).toMatchObject({ ts, value: 7 });
  expect(await storedOf(device)).toEqual([5, 7, 9]);
});

it("a newest reading that was set back from a wrong clock's time is not replaced when readings of before are merged", async () => {
  const device = await world.device();
  const now = world.clock.now();
  const client = await world.mqtt(device.accessToken);
  const publish = (ts: number, AI1: number) =>
    client.publishAsync(topics.telemetry, JSON.stringify({ ts, values: { AI1 } }), { qos: 1 });
  // While nothing is written, so that the reading of the future and the one that corrects it are committed together.
  const published = await world.telemetry.writer.exclusively(async () => {
    const both = [publish(now + 3_600_000, 5), publish(now, 7)];
    await expect.poll(() => world.telemetry.writer.stats.waitingReadings).toBe(2);
    return { both };
  });
  await Promise.all(published.both);
  expect(await unmergedOf(device), "merged at once, since it does not follow from the readings").toBe(0);
  expect(await newestOf(device)).toMatchObject({ ts: now, value: 7 });
  await world.telemetry.merger.all();
  expect(await newestOf(device)).toMatchObject({ ts: now, value: 7 });
  await report(device, [{ ts: now + 1000, AI1: 8 }]);
  await world.telemetry.merger.all();
  expect(await newestOf(device)).toMatchObject({ ts: now + 1000, value: 8 });
  expect(await storedOf(device)).toEqual([7, 8, 5]);
});

it("merging that several do at once, or that ends before its commit, loses and doubles nothing", async () => {
  const device = await world.device();
  const now = world.clock.now();
  for (let n = 0; n < 20; n++) await report(device, [{ ts: now + n, AI1: n }]);
  // One is ended in the middle: it waits for the lock of the group while it holds what it took.
  const holder = await world.pool.connect();
  await holder.query("BEGIN; LOCK TABLE latest IN ACCESS EXCLUSIVE MODE");
  const ended = world.telemetry.merger.all().catch((fault: Error) => fault.message);
  const waiting = "SELECT pid FROM pg_locks WHERE relation = 'latest'::regclass AND NOT granted";
  await expect.poll(async () => (await world.pool.query(waiting)).rowCount).toBe(1);
  await world.pool.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS stuck`);
  await holder.query("ROLLBACK");
  holder.release();
  expect(await ended).toMatch(/terminat/);
  expect(await unmergedOf(device)).toBe(20);
  await Promise.all(Array.from({ length: 4 }, () => world.telemetry.merger.all()));
  expect(await unmergedOf(device)).toBe(0);
  expect(await storedOf(device)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  const { rows } = await world.pool.query("SELECT sum(count)::int AS count FROM chunks WHERE device_id = $1", [
    device.deviceId,
  ]);
  expect(rows).toEqual([{ count: 20 }]);
});

it("a damaged batch is named and left out, and costs no other reading of its device or its group", async () => {
  const device = await world.device();
  const now = world.clock.now();
  for (let n = 0; n < 3; n++) await writeReadings(world, channelOf(device), [[now + n, n]]);
  const others = await Promise.all(Array.from({ length: 3 }, () => world.device()));
  for (const other of others) await report(other, [{ ts: now, AI1: 4 }]);
  await world.pool.query(
    `UPDATE batches SET readings = substring(readings FOR length(readings) - 6) WHERE batch_id =
       (SELECT batch_id FROM batches WHERE $1 = ANY(device_ids) ORDER BY batch_id OFFSET 1 LIMIT 1)`,
    [device.deviceId],
  );
  expect(await storedOf(device)).toEqual([0, 2]);
  await world.telemetry.merger.all();
  expect(await storedOf(device)).toEqual([0, 2]);
  expect(await unmergedOf(device)).toBe(0);
  for (const other of others) expect(await newestOf(other)).toMatchObject({ value: 4 });
  const { rows } = await world.pool.query("SELECT device_ids, count, damage FROM batches WHERE damage IS NOT NULL");
  expect(rows).toEqual([{ device_ids: [device.deviceId], count: 1, damage: expect.stringMatching(/./) }]);
  expect(await world.metrics.getSingleMetricAsString("telltale_damaged_rows_total")).toContain(" 1");
});

it("a damaged batch keeps nobody waiting who asks for what is stored of a device of its group", async () => {
  const device = await world.device();
  const now = world.clock.now();
  for (let n = 0; n < 3; n++) await writeReadings(world, channelOf(device), [[now + n, n]]);
  await world.pool.query(
    `UPDATE batches SET readings = substring(readings FOR length(readings) - 6) WHERE batch_id =
       (SELECT batch_id FROM batches WHERE $1 = ANY(device_ids) ORDER BY batch_id LIMIT 1)`,
    [device.deviceId],
  );
  await mergeNow(world, [device.deviceId]);
  expect(await unmergedOf(device)).toBe(0);
  expect(await storedOf(device)).toEqual([1, 2]);
});

/** Bytes that are no readings, in the first batch of a device. */
const damageFirst = (device: TestDevice) =>
  world.pool.query(
    `UPDATE batches SET readings = substring(readings FOR length(readings) - 6) WHERE batch_id =
       (SELECT batch_id FROM batches WHERE $1 = ANY(device_ids) ORDER BY batch_id LIMIT 1)`,
    [device.deviceId],
  );

it("a device's corrected clock is written at the first try beside a damaged batch of its group, so that no other device waits", async () => {
  const device = await world.device();
  const now = world.clock.now();
  const client = await world.mqtt(device.accessToken);
  const publish = (ts: number, AI1: number) =>
    client.publishAsync(topics.telemetry, JSON.stringify({ ts, values: { AI1 } }), { qos: 1 });
  await publish(now - 1_000, 1);
  await damageFirst(device);
  const { failedBatches } = world.telemetry.writer.stats;
  const published = await world.telemetry.writer.exclusively(async () => {
    const both = [publish(now + 3_600_000, 5), publish(now, 7)];
    await expect.poll(() => world.telemetry.writer.stats.waitingReadings).toBe(2);
    return { both };
  });
  await Promise.all(published.both);
  expect(await newestOf(device)).toMatchObject({ ts: now, value: 7 });
  expect(world.telemetry.writer.stats.failedBatches).toBe(failedBatches);
});

it("a merge that loses its connection is tried again at once: the group's rows are not searched for damage", async () => {
  const device = await world.device();
  await report(device, [{ ts: world.clock.now(), AI1: 7 }]);
  const connect = world.pool.connect.bind(world.pool) as (...done: unknown[]) => unknown;
  const lost = vi
    .spyOn(world.pool, "connect")
    .mockImplementation(((...done: unknown[]) =>
      done.length > 0 ? connect(...done) : Promise.reject(new Error("Connection terminated"))) as never);
  const asked = vi.spyOn(world.pool, "query");
  await expect(mergeNow(world, [device.deviceId])).rejects.toThrow("Connection terminated");
  const statements = asked.mock.calls.map(([statement]) => JSON.stringify(statement));
  expect(statements.filter((statement) => statement.includes("batch_id AS id"))).toEqual([]);
  lost.mockRestore();
  asked.mockRestore();
  await mergeNow(world, [device.deviceId]);
  expect(await storedOf(device)).toEqual([7]);
});

it("a damaged chunk is left out of packing, which packs the others of its hour", async () => {
  const device = await world.device();
  const hour = Math.floor(world.clock.now() / 3_600_000) - 3;
  for (let n = 0; n < 3; n++) {
    await writeReadings(world, channelOf(device), [[hour * 3_600_000 + n, n]]);
    await world.telemetry.merger.all();
  }
  await world.pool.query(
    `UPDATE chunks SET readings = substring(readings FOR length(readings) - 6) WHERE device_group = $1 AND chunk_id =
       (SELECT chunk_id FROM chunks WHERE device_id = $2 ORDER BY chunk_id OFFSET 1 LIMIT 1)`,
    [groupOf(device.deviceId), device.deviceId],
  );
  world.clock.pass(60_000);
  await world.telemetry.packing.run();
  const { rows } = await world.pool.query("SELECT values FROM packed_hours WHERE channel_id = $1", [channelOf(device)]);
  expect(rows).toEqual([{ values: [0, 2] }]);
  const range = { from: hour * 3_600_000, to: (hour + 1) * 3_600_000 };
  expect(await hotAmong(world.pool, [channelOf(device)], [range]), "nothing of the hour is awaited").toEqual(new Set());
});
