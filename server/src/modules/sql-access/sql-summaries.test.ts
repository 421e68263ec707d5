import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chartOf } from "../../telemetry/index.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { removeSummarised } from "../storage/remove.ts";
import { summariseBefore } from "../storage/summarise.ts";
import { addSqlUser } from "./users.ts";

const hour = 3_600_000;
const start = Math.floor(Date.UTC(2026, 4, 4) / hour);
/** Hours with readings of which only summaries are kept, and all. */
const [removed, hours] = [6, 9];
const keptFrom = (start + removed) * hour;

const all = Array.from({ length: hours * 720 }, (_, n) => {
  const ts = start * hour + n * 5_000;
  return { ts, value: Math.round(Math.sin(ts / 1e7) * 1_000) / 100 };
});

let world: TestWorld;
let access: TestSqlAccess;
let sql: pg.Client;
let channelId: number;

beforeAll(async () => {
  world = await createTestWorld();
  access = await openTestSqlAccess(world);
  const owner = await anOwner(world);
  const { deviceId, channels } = await aDevice(world, owner);
  channelId = Number(channels.AI1);
  await writeReadings(
    world,
    channelId,
    all.map(({ ts, value }) => [ts, value] as const),
  );
  await packRange(world.pool, start, start + hours);
  await summariseBefore(world, { deviceId, hour: start + removed, because: "kept for 1 month" });
  await removeSummarised(world, () => false);
  const name = `summaries_${Date.now() % 1_000_000}`;
  const password = await addSqlUser(world, access.place, { plantId: owner.plantId, name, madeBy: "Olaf" });
  sql = await access.enter(name, password);
});
afterAll(() => access.close());

const asked = async (from: number, to: number, points: number) => {
  const range = [channelId, new Date(from), new Date(to), points];
  const { rows } = await sql.query("SELECT * FROM telltale_chart($1, $2, $3, $4)", range);
  return rows.map(({ time, count, ...row }) => ({ ...row, ts: new Date(time).getTime(), count: Number(count) }));
};

const hourOf = (ts: number): number => Math.floor(ts / hour);

test("an hour whose readings have become a summary is a row of a chart whose rows are shorter, at its middle", async () => {
  const [from, to] = [start * hour, keptFrom - 1];
  const { rows } = await sql.query("SELECT * FROM telltale_readings($1, $2, $3)", [
    channelId,
    new Date(from),
    new Date(to),
  ]);
  expect(rows).toEqual([]);
  for (const points of [100, 1_000, 20_000]) {
    const chart = await asked(from, to, points);
    expect(chart.map(({ ts, count }) => [hourOf(ts), count])).toEqual(
      Array.from({ length: removed }, (_, n) => [start + n, 720]),
    );
    for (const { ts } of chart) expect(Math.abs((ts % hour) - hour / 2)).toBeLessThanOrEqual((to - from) / points);
  }
});

test.each([
  ["a range of removed readings", 0, removed * hour - 1],
  ["a range that begins and ends within removed hours", 1_234_000, 5 * hour - 77_000],
  ["a range within one removed hour", 600_000, 1_200_000],
  ["a range from removed to kept readings", 2 * hour + 1_234_000, 9 * hour - 77_000],
])("a chart of %s has the readings and the extremes of the console's", async (_name, after, until) => {
  const [from, to] = [start * hour + after, start * hour + until];
  const isShown = ({ ts }: { ts: number }): boolean =>
    ts < keptFrom ? hourOf(ts) >= hourOf(from) && hourOf(ts) <= hourOf(to) : ts >= from && ts <= to;
  const shown = all.filter(isShown).map(({ value }) => value);
  for (const points of [1, 4, 100, 1_000, 5_000]) {
    const chart = await asked(from, to, points);
    const count = chart.reduce((sum, row) => sum + row.count, 0);
    const extremes = [Math.min(...chart.map(({ min }) => min)), Math.max(...chart.map(({ max }) => max))];
    expect([count, ...extremes]).toEqual([shown.length, Math.min(...shown), Math.max(...shown)]);
    const mean = chart.reduce((sum, row) => sum + row.avg * row.count, 0) / count;
    expect(mean).toBeCloseTo(shown.reduce((sum, value) => sum + value, 0) / shown.length, 6);
    const line = await chartOf(world.pool, channelId, from, to, 2 * points);
    expect([line.count, Math.min(...line.ys), Math.max(...line.ys)]).toEqual([count, ...extremes]);
    expect(chart.length).toBeLessThanOrEqual(points + 1);
    expect(Math.min(...chart.map(({ ts }) => ts))).toBeGreaterThanOrEqual(hourOf(from) * hour);
    expect(Math.max(...chart.map(({ ts }) => ts))).toBeLessThanOrEqual(to);
  }
});

test("a late reading that is not packed yet counts beside its hour's summary", async () => {
  await writeReadings(world, channelId, [[(start + 2) * hour + 1_000, 999]]);
  for (const points of [1, 100, 1_000]) {
    const chart = await asked(start * hour, keptFrom - 1, points);
    expect(chart.reduce((sum, { count }) => sum + count, 0)).toBe(removed * 720 + 1);
    expect(Math.max(...chart.map(({ max }) => max))).toBe(999);
  }
});
