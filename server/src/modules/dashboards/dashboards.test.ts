import { Code } from "@telltale/contract/call/codes";
import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, aReading } from "../../test/test-devices.ts";
import { anInstaller, anOwner, aViewer } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });

const change = (deviceId: number, columns: object) =>
  server.world.db.updateTable("devices").set(columns).where("device_id", "=", deviceId).execute();

/** Creates a station with readings, a motor controller below it, and a default dashboard with a tile of each kind. */
const aPlant = async () => {
  const { world } = server;
  const owner = await anOwner(world);
  const station = await aDevice(world, owner, { name: "Station", model: Model.mixed });
  const motor = await aDevice(world, owner, {
    name: "Motor",
    model: Model.motorController,
    deviceType: DeviceType.sub,
    parentDeviceId: station.deviceId,
  });
  for (const { deviceId } of [station, motor])
    await change(deviceId, { is_online: true, last_seen_time: world.clock.date() });
  const [ai1, di1] = [Number(station.channels.AI1), Number(station.channels.DI1)];
  const currents = ["I C", "I A"].map((code) => Number(motor.channels[code]));
  const dashboardId = await aDashboard(world, owner, {
    name: "Overview",
    isDefault: true,
    channels: [di1, ai1],
    groups: [{ deviceId: motor.deviceId, name: "Currents", icon: Analog.speed, channels: currents }],
    devices: [motor.deviceId],
  });
  return { owner, station, motor, ai1, di1, currents, dashboardId };
};

describe("tiles", () => {
  test("come in the dashboard's order, of every kind, with current values", async () => {
    const { owner, station, motor, ai1, di1, currents } = await aPlant();
    await aReading(server.world, ai1, { value: 9.5, status: ReadingStatus.alarm });
    await aReading(server.world, Number(currents[1]), { value: 12 });
    const tiles = await server.as(owner)(dashboards.tiles);
    expect(tiles).toMatchObject([
      { kind: TileKind.channel, deviceChannelId: di1, value: null, status: 2, icon: Analog.digitalInput },
      { kind: TileKind.channel, deviceChannelId: ai1, value: 9.5, status: 0, unit: "bar", deviceName: "Station" },
      { kind: TileKind.group, deviceChannelId: currents[0], groupName: "Currents", icon: Analog.speed, status: 1 },
      { kind: TileKind.modbus, deviceChannelId: motor.channels["I A"], deviceName: "Motor", channelName: "Motor" },
    ]);
    expect(tiles.map((tile) => tile.deviceId)).toEqual([
      station.deviceId,
      station.deviceId,
      motor.deviceId,
      motor.deviceId,
    ]);
    expect(tiles.every((tile) => tile.modbusChannels.length === 0)).toBe(true);
  });

  test.each([
    ["offline", { is_online: false }],
    ["disabled", { is_disabled: true }],
    ["payment due", { expire_time: new Date(0) }],
  ])("of a device that is %s have no data, whatever was read last", async (_, columns) => {
    const { owner, station, ai1 } = await aPlant();
    await aReading(server.world, ai1, { value: 9.5, status: ReadingStatus.alarm });
    await change(station.deviceId, columns);
    const tiles = await server.as(owner)(dashboards.tiles);
    expect(tiles[1]).toMatchObject({ deviceChannelId: ai1, status: ReadingStatus.noData });
  });

  test("are of the dashboard asked for; without one, of the default; without that, none", async () => {
    const { owner, ai1 } = await aPlant();
    const second = await aDashboard(server.world, owner, { name: "Second", channels: [ai1] });
    expect(await server.as(owner)(dashboards.tiles, { dashboardId: second })).toHaveLength(1);
    expect(await server.as(owner)(dashboards.tiles)).toHaveLength(4);
    expect(await server.as(await anOwner(server.world))(dashboards.tiles)).toEqual([]);
  });

  test("of another plant's dashboard do not exist", async () => {
    const [{ dashboardId }, stranger] = [await aPlant(), await anOwner(server.world)];
    await expect(server.as(stranger)(dashboards.tiles, { dashboardId })).rejects.toEqual(refusal(404));
  });

  test("are of the channels that it has now, not of those that it had when it was last asked for", async () => {
    const { owner, ai1, di1 } = await aPlant();
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

  test("of a viewer are those of its own dashboard", async () => {
    const { owner, ai1, dashboardId } = await aPlant();
    const own = await aDashboard(server.world, owner, { name: "Own", channels: [ai1] });
    const viewer = server.as(await aViewer(server.world, owner, own));
    expect(await viewer(dashboards.tiles)).toMatchObject([{ deviceChannelId: ai1 }]);
    expect(await viewer(dashboards.names)).toEqual([{ dashboardId: own, name: "Own", status: 0 }]);
    await expect(viewer(dashboards.tiles, { dashboardId })).rejects.toEqual(refusal(404));
  });

  test("of a viewer without a dashboard, or whose dashboard is gone, are the default's", async () => {
    const { owner } = await aPlant();
    for (const dashboardId of [undefined, 2_000_000])
      expect(await server.as(await aViewer(server.world, owner, dashboardId))(dashboards.tiles)).toHaveLength(4);
  });

  test("are not for installers", async () => {
    const { owner } = await aPlant();
    await expect(server.as(await anInstaller(server.world, owner))(dashboards.tiles)).rejects.toEqual(refusal(403));
  });
});

const minute = 60_000;

describe("the sparklines of a dashboard", () => {
  test("are of all channels that its tiles draw: of groups those that are shown, of a motor controller its power", async () => {
    const { owner, motor, ai1, di1, currents } = await aPlant();
    const { lines } = await server.as(owner)(dashboards.sparklines);
    const drawn = [ai1, di1, ...currents, Number(motor.channels["Real Power"])];
    expect(lines.map(({ deviceChannelId }) => deviceChannelId).sort((a, b) => a - b)).toEqual(
      drawn.sort((a, b) => a - b),
    );
  });

  test("have each reading of the last hour at its second, with the limits of the settings", async () => {
    const { owner, ai1 } = await aPlant();
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
    const { owner, ai1, di1 } = await aPlant();
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
    const { owner, ai1 } = await aPlant();
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
    const { owner, ai1 } = await aPlant();
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
    const { owner, ai1, di1 } = await aPlant();
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
    const { owner, ai1, dashboardId } = await aPlant();
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

describe("the unit part", () => {
  test("has the channels of group and modbus tiles in order, with values", async () => {
    const { owner, motor, currents } = await aPlant();
    await aReading(server.world, Number(currents[1]), { value: 12 });
    const tiles = await server.as(owner)(dashboards.tiles);
    const deviceChannelIds = tiles.slice(2).map((tile) => tile.deviceChannelId);
    const parts = await server.as(owner)(dashboards.unitPart, { deviceChannelIds });
    expect(parts).toMatchObject([
      {
        deviceChannelId: currents[0],
        dashboardGroupId: tiles[2]?.dashboardGroupId,
        modbusChannels: [
          { channelCn: "I C", value: null, status: 2, unit: "A" },
          { channelCn: "I A", value: 12, status: 1 },
        ],
      },
      { deviceChannelId: motor.channels["I A"], dashboardGroupId: null },
    ]);
    expect(parts?.[1]?.modbusChannels.slice(0, 3).map((channel) => channel.channelCn)).toEqual(["I A", "I B", "I C"]);
  });

  test("of channels that have none is code 110, which counts as success", async () => {
    const { owner, ai1 } = await aPlant();
    expect(await server.as(owner)(dashboards.unitPart, { deviceChannelIds: [ai1] })).toBeNull();
    const answer = await server.app.inject(`${dashboards.unitPart.path}?token=${owner.token}&deviceChannelIds=${ai1}`);
    expect(answer.json()).toEqual({ code: Code.noUnitPart, msg: "", result: null });
  });

  test("of no channels is code 110, too: a dashboard without tiles has none to ask for", async () => {
    const { owner } = await aPlant();
    for (const ids of ["", "&deviceChannelIds=", "&deviceChannelIds[]="]) {
      const answer = await server.app.inject(`${dashboards.unitPart.path}?token=${owner.token}${ids}`);
      expect(answer.json()).toEqual({ code: Code.noUnitPart, msg: "", result: null });
    }
    expect(await server.as(owner)(dashboards.unitPart, {})).toBeNull();
  });

  test("of another plant's channels does not exist", async () => {
    const [{ currents }, stranger] = [await aPlant(), await anOwner(server.world)];
    await expect(server.as(stranger)(dashboards.unitPart, { deviceChannelIds: currents })).rejects.toEqual(
      refusal(404),
    );
  });
});

test("dashboards to choose from are the plant's, the default first", async () => {
  const { owner, dashboardId } = await aPlant();
  const second = await aDashboard(server.world, owner, { name: "A second" });
  expect(await server.as(owner)(dashboards.names)).toEqual([
    { dashboardId, name: "Overview", status: 1 },
    { dashboardId: second, name: "A second", status: 0 },
  ]);
});
