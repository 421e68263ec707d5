import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mergeNow } from "../../readings/index.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { createLastLines, type LastLines, thinned } from "./last-lines.ts";

const minute = 60_000;
const hour = 60 * minute;
const firstHour = 489_000;
const begin = firstHour * hour;
const range = { from: begin + 30 * minute, to: begin + 90 * minute };
const mostPoints = 240;

describe("the lines of many channels over an hour", () => {
  let world: DeviceWorld;
  let deviceId: number;
  let dense: number;
  let sparse: number;
  let silent: number;
  beforeAll(async () => {
    world = await createDeviceWorld();
    ({ deviceId } = await world.device());
    const rows = world.db.selectFrom("channels").select("channel_id").where("device_id", "=", deviceId);
    [dense = 0, sparse = 0, silent = 0] = (await rows.orderBy("position").execute()).map((row) => row.channel_id);
    const every = (step: number, count: number, valueAt: (at: number) => number) =>
      Array.from({ length: count }, (_, at): [number, number] => [begin + at * step, valueAt(at)]);
    const spiky = (at: number) => (at === 3000 || at === 4000 ? 99 : 8 + Math.sin(at / 300));
    await writeReadings(world, dense, every(1000, 7200, spiky));
    await writeReadings(
      world,
      sparse,
      every(10 * minute, 12, (at) => at),
    );
  });
  afterAll(() => world.close());

  const lines = () => createLastLines(world.pool)([dense, sparse, silent], range, mostPoints);

  const check = async (): Promise<void> => {
    const found = await lines();
    const line = found.get(dense);
    expect(line?.times.length).toBeLessThanOrEqual(mostPoints);
    expect(line?.times).toEqual(line?.times.toSorted((a, b) => a - b));
    expect(
      line?.values.filter((value) => value === 99),
      "both peaks are kept",
    ).toHaveLength(2);
    expect(Math.min(...(line?.times ?? []))).toBeGreaterThanOrEqual(range.from);
    expect(Math.max(...(line?.times ?? []))).toBeLessThanOrEqual(range.to);
    expect(found.get(sparse)?.values, "each reading of a channel with few").toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(found.has(silent)).toBe(false);
  };

  test("keep the extremes of seconds with very many readings, near their time, and none outside", async () => {
    // Each for 20 seconds, the first and the last of them half outside.
    const starts = [-10, 60, 120, 3590].map((second) => range.from + second * 1000);
    for (const start of starts) {
      const valueAt = (at: number) => (at === 300 || at === 700 ? 50 + at / 100 : Math.sin(at));
      await writeReadings(
        world,
        silent,
        Array.from({ length: 1000 }, (_, at): [number, number] => [start + at * 20, valueAt(at)]),
      );
      await mergeNow(world, [deviceId]);
    }
    const { times = [], values = [] } = (await lines()).get(silent) ?? {};
    const peaks = times.flatMap((time, at) => ((values[at] ?? 0) >= 50 ? [[time, values[at]]] : []));
    expect(new Set(peaks.map(([, value]) => value))).toEqual(new Set([57]));
    const isNear = (time: number, start: number) => Math.abs(time - start) < 20_000;
    for (const start of starts) expect(peaks.some(([time = 0]) => isNear(time, start))).toBe(true);
    for (const [time = 0] of peaks) expect(starts.some((start) => isNear(time, start))).toBe(true);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(range.from);
    expect(Math.max(...times)).toBeLessThanOrEqual(range.to);
    await world.pool.query("DELETE FROM chunks WHERE channel_id = $1", [silent]);
  });

  test("keep the extremes of what is not merged yet at their own times, and each of few readings", async () => {
    const other = await world.device();
    const [many = 0, few = 0] = Object.values(other.channels);
    const valueAt = (at: number) => (at === 37 ? -5 : at === 62 ? 60 : 8 + at / 1000);
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at): [number, number] => [range.from + at * 20, valueAt(at)]);
    await writeReadings(world, many, rows(100));
    await writeReadings(world, few, rows(10));
    const found = await createLastLines(world.pool)([many, few], range, mostPoints);
    expect(found.get(many)).toEqual({ times: [37, 62].map((at) => range.from + at * 20), values: [-5, 60] });
    expect(found.get(few)?.times).toHaveLength(10);
  });

  test("keep minima and maxima in few points, and each of few readings", check);

  test("are the same when an hour of it is packed", async () => {
    await packRange(world.pool, firstHour, firstHour + 1);
    await check();
  });

  test("are the same when all of it is packed", async () => {
    await packRange(world.pool, firstHour, firstHour + 2);
    await check();
  });
});

describe("lines that are asked for again", () => {
  let world: DeviceWorld;
  let deviceId: number;
  let channelId: number;
  let lastLines: LastLines;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const device = await world.device();
    ({ deviceId } = device);
    [channelId = 0] = Object.values(device.channels);
    lastLines = createLastLines(world.pool);
  });

  const write = (from: number, values: readonly number[], step = 1000) =>
    writeReadings(
      world,
      channelId,
      values.map((value, at): [number, number] => [from + at * step, value]),
    );
  const line = async (over = range) => (await lastLines([channelId], over, mostPoints)).get(channelId);
  const ramp = (count: number) => Array.from({ length: count }, (_, at) => at / 100);

  test("have what was merged meanwhile, also late and between what they had, and equal those asked for once", async () => {
    await write(range.from, ramp(1500));
    await mergeNow(world, [deviceId]);
    expect((await line())?.values).not.toContain(50);
    await write(range.from + 10 * minute, [50]);
    await mergeNow(world, [deviceId]);
    await write(range.from + 50 * minute, [60, 61]);
    await mergeNow(world, [deviceId]);
    await write(range.from + 20 * minute, [70]);
    const again = await line();
    expect(again?.values.filter((value) => value >= 50)).toEqual([50, 70, 60, 61]);
    expect(again).toEqual((await createLastLines(world.pool)([channelId], range, mostPoints)).get(channelId));
  });

  test("have what was merged and packed meanwhile, and do not lose what they had by that", async () => {
    await write(range.from, ramp(1500));
    await mergeNow(world, [deviceId]);
    const before = await line();
    await packRange(world.pool, firstHour, firstHour + 2);
    expect(await line()).toEqual(before);
    await write(range.from + 10 * minute, [50]);
    await mergeNow(world, [deviceId]);
    await packRange(world.pool, firstHour, firstHour + 2);
    expect((await line())?.values.filter((value) => value >= 50)).toEqual([50]);
  });

  test("have what was after their end, once that has come", async () => {
    await write(range.from, ramp(5));
    await write(range.to + 60_000, [50]);
    await mergeNow(world, [deviceId]);
    expect((await line())?.values).not.toContain(50);
    expect((await line({ from: range.from + 120_000, to: range.to + 120_000 }))?.values).toEqual([50]);
  });

  test("read no chunk again", async () => {
    await write(range.from, ramp(1500));
    await mergeNow(world, [deviceId]);
    const before = await line();
    await world.pool.query("DELETE FROM chunks WHERE device_id = $1", [deviceId]);
    expect(await line()).toEqual(before);
  });

  test("of another channel of the device are read as a whole", async () => {
    await write(range.from, [1, 2]);
    const [other = 0] = (
      await world.pool.query<{ channel_id: number }>(
        "SELECT channel_id FROM channels WHERE device_id = $1 AND channel_id <> $2 LIMIT 1",
        [deviceId, channelId],
      )
    ).rows.map(({ channel_id }) => channel_id);
    await writeReadings(world, other, [[range.from, 7]]);
    await mergeNow(world, [deviceId]);
    expect((await line())?.values).toEqual([1, 2]);
    const both = await lastLines([channelId, other], range, mostPoints);
    expect([channelId, other].map((id) => both.get(id)?.values)).toEqual([[1, 2], [7]]);
  });

  test("have the extremes of rows that are not read in their own half minute, also beside a row of two", async () => {
    // Rows of more than 500 readings, each of ten seconds: the third one is of two half minutes, and none but the first has the peak.
    for (const at of [0, 15_000, 25_000]) {
      const values = Array.from({ length: 600 }, (_, place) => (at === 0 && place === 300 ? 99 : Math.sin(place)));
      await write(range.from + at, values, 16);
      await mergeNow(world, [deviceId]);
    }
    const { times = [], values = [] } = (await line()) ?? {};
    const peaks = times.filter((_, at) => values[at] === 99);
    expect(peaks).toHaveLength(1);
    expect(peaks[0]).toBeLessThan(range.from + minute / 2);
  });

  test("keep of half a minute the least, the greatest and the last", async () => {
    await write(range.from, [5, 1, 9, 4, 6], 2000);
    await mergeNow(world, [deviceId]);
    expect((await line())?.values).toEqual([1, 9, 6]);
  });
});

test("a thinned line has the extremes of each part in the order in which they came", () => {
  const run = {
    times: Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7]),
    values: Float64Array.from([1, 9, 5, 2, 7, 7, 7, 7]),
    statuses: new Uint8Array(8),
  };
  expect(thinned(run, { from: 0, to: 7 }, 4)).toEqual({ times: [0, 1, 4], values: [1, 9, 7] });
});
