import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeNow } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { lockWaits, packRange, partOf, unpackedReadings, writeReadings } from "../../test/test-readings.ts";
import { chartOf } from "../history/chart.ts";
import { pointsOf } from "../history/points.ts";

const hour = 3_600_000;
const firstHour = 489_000;
const begin = firstHour * hour;

describe("readings in packed hours", () => {
  let world: DeviceWorld;
  let channelId: number;
  let deviceId: number;
  beforeAll(async () => {
    world = await createDeviceWorld();
    const device = await world.device();
    deviceId = device.deviceId;
    channelId = (
      await world.db
        .selectFrom("channels")
        .select("channel_id")
        .where("device_id", "=", device.deviceId)
        .orderBy("position")
        .executeTakeFirstOrThrow()
    ).channel_id;
  });
  afterAll(() => world.close());

  const insert = (readings: [number, number][]) => writeReadings(world, channelId, readings);
  const unpackedHours = async () =>
    (await unpackedReadings(world.pool, channelId)).map(({ ts }) => Math.floor(ts / hour));
  /** Sessions of this database that wait for a lock. */
  const waiting = () => lockWaits(world.pool);
  const all = async () =>
    (await pointsOf(world.pool, channelId, 0, begin + 1000 * hour, { page: 1, size: 100_000 })).rows.reverse();

  it("moves an hour into one row and gives back every reading as it was", async () => {
    const readings = Array.from({ length: 3600 }, (_, at): [number, number] => [
      begin + at * 1000 + (at % 7),
      Math.round(50 + 30 * Math.sin(at / 300)) / 10,
    ]);
    await insert(readings);
    await packRange(world.pool, firstHour, firstHour + 1);
    expect(await unpackedHours()).toEqual([]);
    expect((await all()).map(({ ts, value }) => [ts, value])).toEqual(readings);
  });

  it("keeps the status with which a reading was judged when it is sent again later, which is not judged", async () => {
    const { AI1: own = 0 } = (await world.device()).channels;
    const at = begin + 40 * hour;
    const judged = { ts: at, value: 90, status: 0 };
    const repeat = (status: number) => writeReadings(world, own, [[at, 90, status]]);
    await repeat(judged.status);
    await packRange(world.pool, firstHour + 40, firstHour + 41);
    await repeat(1);
    const stored = async () =>
      (await pointsOf(world.pool, own, at, at + 1, { page: 1, size: 10 })).rows.map(({ ts, value, status }) => ({
        ts,
        value,
        status,
      }));
    expect(await stored()).toEqual([judged]);
    await packRange(world.pool, firstHour + 40, firstHour + 41);
    expect(await stored()).toEqual([judged]);
  });

  it("keeps it, too, where a long backlog with the judged reading is packed after the repeat", async () => {
    const { deviceId, channels } = await world.device();
    const own = Number(channels.AI1);
    const at = begin + 50 * hour;
    const backlog = Array.from({ length: 600 }, (_, n) => [at + n, 90, 0] as const);
    await writeReadings(world, own, backlog);
    await mergeNow(world, [deviceId]);
    await writeReadings(world, own, [[at, 90, 1]]);
    const statuses = async () =>
      new Set(
        (await pointsOf(world.pool, own, at, at + 599, { page: 1, size: 1000 })).rows.map(({ status }) => status),
      );
    expect(await statuses()).toEqual(new Set([0]));
    await packRange(world.pool, firstHour + 50, firstHour + 51);
    expect(await statuses()).toEqual(new Set([0]));
  });

  it("merges late readings into a packed hour, and a repeated one only once", async () => {
    const before = await all();
    const [first] = before;
    await insert([
      [begin + 500, 99],
      [first?.ts ?? 0, first?.value ?? 0],
      [begin + hour, 7],
    ]);
    expect(await unpackedHours()).toEqual(expect.arrayContaining([firstHour, firstHour + 1]));
    await packRange(world.pool, firstHour, firstHour + 2);
    const after = await all();
    expect(after).toHaveLength(before.length + 2);
    expect(after[1]).toEqual({ ts: begin + 500, value: 99, status: 1 });
    expect(after.at(-1)).toEqual({ ts: begin + hour, value: 7, status: 1 });
  });

  it("draws the same extremes from readings, minutes and hours", async () => {
    for (const maxPoints of [2000, 100, 20, 2]) {
      const line = await chartOf(world.pool, channelId, begin, begin + 2 * hour, maxPoints);
      expect(line.xs.length).toBeLessThanOrEqual(maxPoints);
      expect(line.count).toBe(3602);
      expect(Math.max(...line.ys)).toBe(99);
      expect(Math.min(...line.ys)).toBe(2);
      expect(line.xs).toEqual(line.xs.toSorted((a, b) => a - b));
    }
  });

  it("draws minutes that were counted when counts were small, and packs such an hour anew", async () => {
    await world.pool.query("UPDATE packed_hours SET minute_count = minute_counts, minute_counts = NULL");
    const line = () => chartOf(world.pool, channelId, begin, begin + 2 * hour, 100);
    const before = await line();
    expect(before.count).toBe(3602);
    await insert([[begin + 500, 99]]);
    await packRange(world.pool, firstHour, firstHour + 1);
    expect(await line()).toEqual(before);
  });

  it("draws hot and packed readings as one line", async () => {
    await insert([[begin + 5 * hour, -40]]);
    const line = await chartOf(world.pool, channelId, begin, begin + 10 * hour, 200);
    expect(Math.min(...line.ys)).toBe(-40);
    expect(line.count).toBe(3603);
  });

  it("draws few readings at their exact times, however far apart they are, packed or hot", async () => {
    const sparse = Array.from({ length: 6 }, (_, at): [number, number] => [
      begin + (2000 + at * 700) * hour + 1_234_567,
      at,
    ]);
    await insert(sparse.slice(0, 4));
    for (const [ts] of sparse.slice(0, 4))
      await packRange(world.pool, Math.floor(ts / hour), Math.floor(ts / hour) + 1);
    await insert(sparse.slice(4));
    const line = await chartOf(world.pool, channelId, begin + 1000 * hour, begin + 9000 * hour, 2000);
    expect(line).toEqual({ xs: sparse.map(([ts]) => ts), ys: sparse.map(([, value]) => value), count: 6 });
  });

  it("loses nothing when two pack the same hour at the same time", async () => {
    const at = firstHour + 20;
    const start = at * hour;
    const readings = Array.from({ length: 1000 }, (_, n): [number, number] => [start + n * 1000, n]);
    await insert([[start + 3_599_000, -1]]);
    await packRange(world.pool, at, at + 1);
    await insert(readings);
    // The first one blocks in the middle of its statement, at the packed row that is locked until `held` ends.
    const held = await world.pool.connect();
    await held.query("BEGIN");
    const packed = `SELECT FROM packed_hours WHERE channel_id = $1 AND hour = $2${partOf(deviceId).condition} FOR UPDATE`;
    await held.query(packed, [channelId, at]);
    const first = packRange(world.pool, at, at + 1);
    await expect.poll(() => waiting(), { timeout: 10_000 }).toBe(1);
    await insert([[start + 500, 0.5]]);
    const second = packRange(world.pool, at, at + 1);
    await expect.poll(() => waiting(), { timeout: 10_000 }).toBe(2);
    await held.query("COMMIT");
    held.release();
    await Promise.all([first, second]);
    const line = await pointsOf(world.pool, channelId, start, start + hour - 1, { page: 1, size: 10 });
    expect(line.total).toBe(1002);
    expect(await unpackedHours()).not.toContain(at);
    await world.pool.query("DELETE FROM packed_hours WHERE channel_id = $1 AND hour = $2", [channelId, at]);
  });

  it("pages through readings newest first without losing or repeating one", async () => {
    const pages = await Promise.all(
      [1, 2, 3, 361].map((page) => pointsOf(world.pool, channelId, 0, begin + 100 * hour, { page, size: 10 })),
    );
    expect(pages[0]?.total).toBe(3603);
    expect(pages.map((page) => page.rows.length)).toEqual([10, 10, 10, 3]);
    const times = pages.flatMap((page) => page.rows.map((row) => row.ts));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it("counts a range exactly although it cuts hours", async () => {
    const { total, rows } = await pointsOf(world.pool, channelId, begin + 10_000, begin + 19_999, {
      page: 1,
      size: 50,
    });
    expect(total).toBe(10);
    expect(rows).toHaveLength(10);
  });
});
