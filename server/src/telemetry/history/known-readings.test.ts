import type { QueryResultRow } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Runner, Statement } from "../../platform/database/runner.ts";
import type { Run } from "../../readings/index.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { knownReadings } from "./known-readings.ts";

let world: TestWorld;
beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

const hour = 3_600_000;
const firstHour = Math.floor(Date.UTC(2025, 0, 1) / hour);

const aChannel = async (): Promise<number> => Number((await aDevice(world, await anOwner(world))).channels.AI1);

const runOf = (times: readonly number[]): Run => ({
  times: Float64Array.from(times),
  values: new Float64Array(times.length).fill(5),
  statuses: new Uint8Array(times.length).fill(1),
});

test("an import with one reading in each of very many hours has few of them in memory at a time", async () => {
  const channelId = await aChannel();
  const hours = Array.from({ length: 1_000 }, (_, at) => firstHour + at);
  await writeReadings(
    world,
    channelId,
    hours.flatMap((at) => [0, 1, 2].map((n) => [at * hour + n * 1_000, 5 + n] as const)),
  );
  await packRange(world.pool, firstHour, firstHour + hours.length);
  let most = 0;
  const counting: Runner = {
    query: async <R extends QueryResultRow>(statement: Statement) => {
      const { rows } = await world.pool.query<R>(statement);
      most = Math.max(most, rows.length);
      return { rows };
    },
  };
  const asked = runOf(hours.map((at) => at * hour + 1_000));
  const known = (await knownReadings(counting, new Map([[channelId, asked]]))).get(channelId);
  expect(Array.from(known?.times ?? [])).toEqual(Array.from(asked.times));
  expect(new Set(known?.values)).toEqual(new Set([6]));
  expect(most).toBeLessThanOrEqual(200);
});

test("readings of equal times are all known, and none is at a time without one", async () => {
  const channelId = await aChannel();
  const start = firstHour * hour;
  await writeReadings(world, channelId, [
    [start, 1],
    [start + 1, 2],
    [start + 1, 3],
    [start + 3, 4],
  ]);
  await packRange(world.pool, firstHour, firstHour + 1);
  const known = (await knownReadings(world.pool, new Map([[channelId, runOf([start + 1, start + 2, start + 3])]]))).get(
    channelId,
  );
  expect(Array.from(known?.values ?? [])).toEqual([2, 3, 4]);
});
