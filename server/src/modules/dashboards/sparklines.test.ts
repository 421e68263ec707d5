import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { anOwner, aViewer } from "../../test/test-people.ts";
import { aPlantWithTiles } from "../../test/test-plant-with-tiles.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });

const minute = 60_000;

describe("the sparklines of a dashboard", () => {
  test("are of all channels that its tiles draw: of groups those that are shown, of a motor controller its power", async () => {
    const { owner, motor, ai1, di1, currents } = await aPlantWithTiles(server.world);
    const { lines } = await server.as(owner)(dashboards.sparklines);
    const drawn = [ai1, di1, ...currents, Number(motor.channels["Real Power"])];
    expect(lines.map(({ deviceChannelId }) => deviceChannelId).sort((a, b) => a - b)).toEqual(
      drawn.sort((a, b) => a - b),
    );
  });

  test("have each reading of the last hour at its second, with the limits of the settings", async () => {
    const { owner, ai1 } = await aPlantWithTiles(server.world);
    await server.world.db
      .updateTable("settings_periods")
      .set({ settings: sql`settings || '{"lowerAlarm": 1, "higherAlarm": 9}'::jsonb` })
      .where("channel_id", "=", ai1)
      .execute();
    const now = server.world.clock.now();
    await writeReadings(server.world, ai1, [
      [now - 70 * minute, 1],
      [now - 30 * minute, 2.5],
      [now - minute, 9.5],
    ]);
    const { from, to, lines } = await server.as(owner)(dashboards.sparklines);
    expect(to - from).toBe(60 * minute);
    const line = lines.find(({ deviceChannelId }) => deviceChannelId === ai1);
    expect(line).toMatchObject({ low: 1, high: 9, values: [2.5, 9.5] });
    const ages = line?.steps.map((_, at) => line.steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0)) ?? [];
    for (const [at, ago] of [30, 1].entries())
      expect(Math.abs(from + (ages[at] ?? 0) * 1000 - (now - ago * minute))).toBeLessThan(2000);
  });

  /** Other settings of a channel from so many minutes ago on. */
  const changedAgo = async (channelId: number, ago: number, settings: object) => {
    const { db, clock } = server.world;
    const end_time = new Date(clock.now() - ago * minute);
    const start_time = sql<Date>`least(start_time, ${new Date(end_time.getTime() - minute)})`;
    const open = db.updateTable("settings_periods").where("channel_id", "=", channelId).where("end_time", "is", null);
    const { settings: before } = await open
      .set({ start_time, end_time })
      .returning("settings")
      .executeTakeFirstOrThrow();
    const after = { ...Object(before), ...settings };
    await db
      .insertInto("settings_periods")
      .values({ channel_id: channelId, start_time: end_time, settings: JSON.stringify(after) })
      .execute();
  };

  test("say how often the channel was to report, where that was changed in their time", async () => {
    const { owner, ai1, di1 } = await aPlantWithTiles(server.world);
    const now = server.world.clock.now();
    await changedAgo(di1, 90, { reportInterval: 300 });
    await changedAgo(ai1, 40, { reportInterval: 300, staticData: 0 });
    await changedAgo(ai1, 20, { reportInterval: 10 });
    await changedAgo(ai1, 10, { higherAlarm: 9 });
    const { lines } = await server.as(owner)(dashboards.sparklines);
    const [station, switched] = [ai1, di1].map((id) => lines.find(({ deviceChannelId }) => deviceChannelId === id));
    expect(station?.paces.map(({ reportWithin }) => reportWithin).slice(-2)).toEqual([300, 10]);
    expect(Math.abs((station?.paces.at(-1)?.since ?? 0) - (now - 20 * minute))).toBeLessThan(5000);
    expect(switched?.paces, "before its time").toEqual([]);
  });

  test("have nothing that was read before the unit changed", async () => {
    const { owner, ai1 } = await aPlantWithTiles(server.world);
    const now = server.world.clock.now();
    await changedAgo(ai1, 5, { unit: "psi", reportInterval: 7 });
    await writeReadings(server.world, ai1, [
      [now - 10 * minute, 7.5],
      [now - minute, 109],
    ]);
    const { lines } = await server.as(owner)(dashboards.sparklines);
    expect(lines.find(({ deviceChannelId }) => deviceChannelId === ai1)).toMatchObject({ values: [109], paces: [] });
  });

  test("nor of the minute in which it changed, of which only the extremes are kept", async () => {
    const { owner, ai1 } = await aPlantWithTiles(server.world);
    const now = server.world.clock.now();
    await changedAgo(ai1, 5, { unit: "psi" });
    const everySecond = Array.from({ length: 600 }, (_, at): [number, number] => {
      return [now - 10 * minute + at * 1000, at < 300 ? 7.5 : 109];
    });
    await writeReadings(server.world, ai1, everySecond);
    const hour = Math.floor(now / (60 * minute));
    await packRange(server.world.pool, hour - 1, hour + 1);
    const { lines } = await server.as(owner)(dashboards.sparklines);
    const { values = [] } = lines.find(({ deviceChannelId }) => deviceChannelId === ai1) ?? {};
    expect(new Set(values)).toEqual(new Set([109]));
  });

  test("are of the channels that it has now, not of those that it had when it was last asked for", async () => {
    const { owner, ai1, di1 } = await aPlantWithTiles(server.world);
    const own = await aDashboard(server.world, owner, { name: "Own", channels: [ai1] });
    const idsOf = async () => {
      const { lines } = await server.as(owner)(dashboards.sparklines, { dashboardId: own });
      return lines.map(({ deviceChannelId }) => deviceChannelId);
    };
    expect(await idsOf()).toEqual([ai1]);
    await server.world.db
      .updateTable("dashboard_tiles")
      .set({ channel_id: di1 })
      .where("dashboard_id", "=", own)
      .execute();
    expect(await idsOf()).toEqual([di1]);
    await server.world.db.deleteFrom("dashboard_tiles").where("dashboard_id", "=", own).execute();
    expect(await idsOf()).toEqual([]);
  });

  test("of a viewer are those of its own dashboard, and of another plant do not exist", async () => {
    const { owner, ai1, dashboardId } = await aPlantWithTiles(server.world);
    const own = await aDashboard(server.world, owner, { name: "Own", channels: [ai1] });
    const viewer = server.as(await aViewer(server.world, owner, own));
    expect((await viewer(dashboards.sparklines)).lines).toMatchObject([{ deviceChannelId: ai1 }]);
    // Also where its channels are known, because others have asked for it.
    expect((await server.as(owner)(dashboards.sparklines, { dashboardId })).lines).not.toEqual([]);
    await expect(viewer(dashboards.sparklines, { dashboardId })).rejects.toEqual(refusal(404));
    const stranger = server.as(await anOwner(server.world));
    await expect(stranger(dashboards.sparklines, { dashboardId })).rejects.toEqual(refusal(404));
    expect((await stranger(dashboards.sparklines)).lines).toEqual([]);
  });
});
