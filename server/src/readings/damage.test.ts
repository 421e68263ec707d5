import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { loseParts, manyFrom } from "../test/test-damage.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { writeReadings } from "../test/test-readings.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { groupOf, markUnreadable, mergeNow, theChannels } from "./index.ts";
import { Unreadable } from "./places.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A device whose channel has many readings in one row and, a second later, one in another. */
const aDamagedDevice = async (table: "batches" | "chunks") => {
  const { world } = server;
  const owner = await anOwner(world);
  const device = await aDevice(world, owner);
  const channelId = Number(device.channels.AI1);
  const now = Math.floor(world.clock.now() / 60_000) * 60_000 - 60_000;
  await writeReadings(world, channelId, manyFrom(now));
  if (table === "chunks") await mergeNow(world, [device.deviceId]);
  await loseParts(world.url, table);
  await writeReadings(world, channelId, [[now + 3_000, 7]]);
  return { as: server.as(owner), device, channelId, startTime: new Date(now), endTime: new Date(now + 60_000) };
};

const countedRows = async (): Promise<number> => {
  const metric = server.world.metrics.getSingleMetric("telltale_damaged_rows_total");
  return (await metric?.get())?.values[0]?.value ?? 0;
};

/** The parts are elsewhere in a database in parts. */
const whole = test.skipIf(inject("workerUrls").length > 0);

whole.each(["batches", "chunks"] as const)(
  "lost parts of a row of %s cost no other reading: newest value, list and chart are answered at once without it, and it is counted once",
  async (table) => {
    const { as, device, channelId, startTime, endTime } = await aDamagedDevice(table);
    const before = await countedRows();
    // All at once, as a screen asks.
    const [value, chart, again, points] = await Promise.all([
      as(channels.value, { deviceChannelId: channelId }),
      as(history.chart, { channelId, startTime, endTime }),
      as(history.chart, { channelId, startTime, endTime }),
      as(history.points, { channelId, startTime, endTime }),
    ]);
    expect(value).toMatchObject({ value: 7 });
    for (const line of [chart, again]) expect(line).toMatchObject({ dataYs: [7], count: 1 });
    expect(points.data).toMatchObject([{ value: 7 }]);
    const { rows } = await server.world.pool.query(
      `SELECT count, damage FROM ${table} WHERE damage IS NOT NULL AND ${device.deviceId} = ${table === "chunks" ? "device_id" : "ANY(device_ids)"}`,
    );
    expect(rows).toEqual([{ count: 2_000, damage: expect.stringContaining("missing chunk") }]);
    const late = new Unreadable(theChannels([channelId]), undefined);
    expect(await markUnreadable(server.world, late), "a call that failed before another one marked it").toBe(true);
    expect((await countedRows()) - before).toBe(1);
  },
);

whole.each(["batches", "chunks"] as const)(
  "a file of readings is sent to its end while parts of a row of %s are lost, without that row",
  async (table) => {
    const { as, device, startTime, endTime } = await aDamagedDevice(table);
    const file = await as(downloads.readings, { deviceId: device.deviceId, channels: ["AI1"], startTime, endTime });
    const [, ...lines] = (await file.text()).trimEnd().split("\n");
    expect(lines).toEqual([expect.stringContaining(",AI1,7,")]);
  },
);

whole(
  "a channel's limits are saved while parts of unmerged readings are lost, and its newest reading is that of the others",
  async () => {
    const { as, device, channelId } = await aDamagedDevice("batches");
    const channelKeys = { [Key.higherAlarm]: 5, [Key.higherHysteresis]: 0 };
    await as(channelSettings.modify, {
      deviceId: device.deviceId,
      payload: [{ channelId, channelKeys }],
    } as never);
    expect(await as(channels.value, { deviceChannelId: channelId })).toMatchObject({ value: 7 });
  },
);

// The last: calls that cannot read another device of this group do not search it for some minutes.
test("a group is not searched for damaged rows with every call, when what calls cannot read is elsewhere", async () => {
  const owner = await anOwner(server.world);
  const first = await aDevice(server.world, owner);
  let device = first;
  // Its group has had no damaged rows.
  while (groupOf(device.deviceId) === groupOf(first.deviceId)) device = await aDevice(server.world, owner);
  const unreadable = new Unreadable(theChannels([Number(device.channels.AI1)]), undefined);
  const mark = () => markUnreadable(server.world, unreadable);
  expect(await mark(), "it asks again: another call may have marked the row").toBe(true);
  expect(await mark(), "nothing would be different").toBe(false);
});
