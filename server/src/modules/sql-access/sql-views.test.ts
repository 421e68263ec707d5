import { ReadingStatus } from "@telltale/contract/domains/channels";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { mergeNow } from "../../readings/index.ts";
import { anAlert } from "../../test/test-alerts.ts";
import { loseParts, manyFrom } from "../../test/test-damage.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { addSqlUser } from "./users.ts";

let world: TestWorld;
let access: TestSqlAccess;
let owner: Person;
let device: TestDevice;
let sql: pg.Client;

beforeAll(async () => {
  world = await createTestWorld();
  access = await openTestSqlAccess(world);
  owner = await anOwner(world);
  device = await aDevice(world, owner, { name: "Pump house" });
  const name = `views_${Date.now() % 1_000_000}`;
  const password = await addSqlUser(world, access.place, { plantId: owner.plantId, name, madeBy: "Olaf" });
  sql = await access.enter(name, password);
});
afterAll(() => access.close());

test("an alert of a channel's own limit is called by its channel and the limit", async () => {
  const channelId = Number(device.channels.AI1);
  const alertId = await anAlert(world, owner, { deviceId: device.deviceId, channelId, value: 90, threshold: 80 });
  const { rows } = await sql.query(
    "SELECT a.name, a.value, c.name AS channel FROM alerts a JOIN channels c USING (channel_id) WHERE alert_id = $1",
    [alertId],
  );
  expect(rows).toEqual([{ name: `${rows[0]?.channel} High`, value: 90, channel: expect.stringMatching(/./) }]);
});

test("a channel whose newest reading is no measurement has no last value, as the reading has none", async () => {
  const channelId = Number(device.channels.AI2);
  const last = async () =>
    (await sql.query("SELECT last_value FROM channels WHERE channel_id = $1", [channelId])).rows[0]?.last_value;
  const newest = (status: number) =>
    world.pool.query(
      `INSERT INTO latest (channel_id, ts, value, status, received_ts) VALUES ($1, $2, 200, $3, $2)
       ON CONFLICT (channel_id) DO UPDATE SET status = excluded.status`,
      [channelId, world.clock.now(), status],
    );
  await newest(ReadingStatus.good);
  expect(await last()).toBe(200);
  await newest(ReadingStatus.noData);
  expect(await last()).toBeNull();
});

/** The parts are elsewhere in a database in parts. */
test.skipIf(inject("workerUrls").length > 0).each(["batches", "chunks"] as const)(
  "readings are answered while parts of a row of %s are lost, without that row",
  async (table) => {
    const own = await aDevice(world, owner);
    const channelId = Number(own.channels.AI1);
    const now = world.clock.now() - 60_000;
    await writeReadings(world, channelId, manyFrom(now));
    if (table === "chunks") await mergeNow(world, [own.deviceId]);
    await loseParts(world.url, table);
    await writeReadings(world, channelId, [[now + 3_000, 7]]);
    const readings = "SELECT value FROM telltale_readings($1, $2, $3)";
    const range = [new Date(now - 1_000), new Date(now + 60_000)];
    expect((await sql.query(readings, [channelId, ...range])).rows).toEqual([{ value: 7 }]);
  },
);
