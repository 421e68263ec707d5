import { Code } from "@telltale/contract/call/codes";
import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aReading } from "../../test/test-devices.ts";
import { anInstaller, anOwner, aViewer } from "../../test/test-people.ts";
import { aPlantWithTiles } from "../../test/test-plant-with-tiles.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });

const change = (deviceId: number, columns: object) =>
  server.world.db.updateTable("devices").set(columns).where("device_id", "=", deviceId).execute();

describe("tiles", () => {
  test("come in the dashboard's order, of every kind, with current values", async () => {
    const { owner, station, motor, ai1, di1, currents } = await aPlantWithTiles(server.world);
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
    const { owner, station, ai1 } = await aPlantWithTiles(server.world);
    await aReading(server.world, ai1, { value: 9.5, status: ReadingStatus.alarm });
    await change(station.deviceId, columns);
    const tiles = await server.as(owner)(dashboards.tiles);
    expect(tiles[1]).toMatchObject({ deviceChannelId: ai1, status: ReadingStatus.noData });
  });

  test("are of the dashboard asked for; without one, of the default; without that, none", async () => {
    const { owner, ai1 } = await aPlantWithTiles(server.world);
    const second = await aDashboard(server.world, owner, { name: "Second", channels: [ai1] });
    expect(await server.as(owner)(dashboards.tiles, { dashboardId: second })).toHaveLength(1);
    expect(await server.as(owner)(dashboards.tiles)).toHaveLength(4);
    expect(await server.as(await anOwner(server.world))(dashboards.tiles)).toEqual([]);
  });

  test("of another plant's dashboard do not exist", async () => {
    const [{ dashboardId }, stranger] = [await aPlantWithTiles(server.world), await anOwner(server.world)];
    await expect(server.as(stranger)(dashboards.tiles, { dashboardId })).rejects.toEqual(refusal(404));
  });

  test("of a viewer are those of its own dashboard", async () => {
    const { owner, ai1, dashboardId } = await aPlantWithTiles(server.world);
    const own = await aDashboard(server.world, owner, { name: "Own", channels: [ai1] });
    const viewer = server.as(await aViewer(server.world, owner, own));
    expect(await viewer(dashboards.tiles)).toMatchObject([{ deviceChannelId: ai1 }]);
    expect(await viewer(dashboards.names)).toEqual([{ dashboardId: own, name: "Own", status: 0 }]);
    await expect(viewer(dashboards.tiles, { dashboardId })).rejects.toEqual(refusal(404));
  });

  test("of a viewer without a dashboard, or whose dashboard is gone, are the default's", async () => {
    const { owner } = await aPlantWithTiles(server.world);
    for (const dashboardId of [undefined, 2_000_000])
      expect(await server.as(await aViewer(server.world, owner, dashboardId))(dashboards.tiles)).toHaveLength(4);
  });

  test("are not for installers", async () => {
    const { owner } = await aPlantWithTiles(server.world);
    await expect(server.as(await anInstaller(server.world, owner))(dashboards.tiles)).rejects.toEqual(refusal(403));
  });
});

describe("the unit part", () => {
  test("has the channels of group and modbus tiles in order, with values", async () => {
    const { owner, motor, currents } = await aPlantWithTiles(server.world);
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
    const { owner, ai1 } = await aPlantWithTiles(server.world);
    expect(await server.as(owner)(dashboards.unitPart, { deviceChannelIds: [ai1] })).toBeNull();
    const answer = await server.app.inject(`${dashboards.unitPart.path}?token=${owner.token}&deviceChannelIds=${ai1}`);
    expect(answer.json()).toEqual({ code: Code.noUnitPart, msg: "", result: null });
  });

  test("of no channels is code 110, too: a dashboard without tiles has none to ask for", async () => {
    const { owner } = await aPlantWithTiles(server.world);
    for (const ids of ["", "&deviceChannelIds=", "&deviceChannelIds[]="]) {
      const answer = await server.app.inject(`${dashboards.unitPart.path}?token=${owner.token}${ids}`);
      expect(answer.json()).toEqual({ code: Code.noUnitPart, msg: "", result: null });
    }
    expect(await server.as(owner)(dashboards.unitPart, {})).toBeNull();
  });

  test("of another plant's channels does not exist", async () => {
    const [{ currents }, stranger] = [await aPlantWithTiles(server.world), await anOwner(server.world)];
    await expect(server.as(stranger)(dashboards.unitPart, { deviceChannelIds: currents })).rejects.toEqual(
      refusal(404),
    );
  });
});

test("dashboards to choose from are the plant's, the default first", async () => {
  const { owner, dashboardId } = await aPlantWithTiles(server.world);
  const second = await aDashboard(server.world, owner, { name: "A second" });
  expect(await server.as(owner)(dashboards.names)).toEqual([
    { dashboardId, name: "Overview", status: 1 },
    { dashboardId: second, name: "A second", status: 0 },
  ]);
});
