import { history } from "@telltale/contract/domains/readings/history";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestExports, testExports } from "../../test/test-exports.ts";
import { unpackedReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createTelemetry } from "../telemetry.ts";

let server: TestServer;
let plant: TestExports;

beforeAll(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterAll(() => server.close());

const [hour, day] = [3_600_000, 86_400_000];

const job = () => createTelemetry({ ...server.world, metrics: new Registry() }).packing;
const hotTimes = async (channelId: number): Promise<number[]> => {
  const readings = await unpackedReadings(server.world.pool, channelId);
  return readings.map(({ ts }) => ts);
};
/** Refuses the packed row of this hour of a channel. */
const refuse = (channelId: number, from: number) =>
  server.world.pool.query(
    `ALTER TABLE packed_hours ADD CONSTRAINT refused CHECK (channel_id <> ${channelId} OR hour <> ${from / hour})`,
  );
const accept = () => server.world.pool.query("ALTER TABLE packed_hours DROP CONSTRAINT refused");

test("a minute may hold more readings than a small integer counts, and charts count every one", async () => {
  const { owner, device, AI1 } = await plant.aPlant();
  const from = plant.daysAgo(20);
  await plant.write(AI1, from, 60_000, 1);
  await plant.write(AI1, from + 7 * day, 1);
  await job().run();
  expect(await hotTimes(AI1)).toEqual([]);
  const { logGroupId: logId = 0 } =
    (await server.as(owner)(history.periods, { channelId: Number(device.channels.AI1) })).data[0] ?? {};
  expect((await server.as(owner)(history.chart, { logId })).count).toBe(60_001);
});

test("an hour that can't be packed does not block others, and is retried", async () => {
  const { AI1, AI2 } = await plant.aPlant();
  const from = plant.daysAgo(10);
  await plant.write(AI1, from, 24, hour);
  await plant.write(AI1, from + 3 * day, 1);
  await plant.write(AI2, from + 5 * hour, 2);
  await refuse(AI2, from + 5 * hour);
  const packing = job();
  await expect(packing.run()).rejects.toMatchObject({
    cause: { message: expect.stringContaining(`"refused"`) },
  });
  expect(await hotTimes(AI1)).toEqual([from + 5 * hour]);
  await accept();
  server.world.clock.pass(60_000);
  expect(await packing.run()).toBe(2);
  expect(await hotTimes(AI1)).toEqual([]);
});
