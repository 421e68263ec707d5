import { alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { tileOffers } from "@telltale/contract/domains/dashboard/tile-offers";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../../test/test-dashboards.ts";
import { aDevice, anUnclaimedDevice } from "../../../test/test-devices.ts";
import { anAdmin, anInstaller, anOwner, aSupportView, aViewer } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const day = 86_400_000;

/** An owner's station with a sub-device. */
const aStation = async () => {
  const owner = await anOwner(server.world);
  const station = await aDevice(server.world, owner, { name: "Station", model: Model.mixed });
  const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
  return { owner, station, pressure: await aDevice(server.world, owner, { name: "Pressure", ...sub }) };
};

describe("adding a device", () => {
  test("looks the unit up by its ID, in capitals or not", async () => {
    const owner = await anOwner(server.world);
    const unit = await anUnclaimedDevice(server.world);
    const found = await server.as(owner)(devices.lookUp, { deviceSnId: ` ${unit.deviceSnId.toLowerCase()} ` });
    expect(found).toEqual({ deviceSn: unit.deviceSn, deviceSnId: unit.deviceSnId, deviceType: 1, typeId: 1 });
  });

  test("claims the unit for the plant with a year of service, and notifies caches and consoles", async () => {
    const owner = await anOwner(server.world);
    const unit = await anUnclaimedDevice(server.world);
    const heard: unknown[] = [];
    const offs = [
      server.world.bus.on("live", ({ plantId, message }) => heard.push([plantId, message.cmd])),
      server.world.bus.on("deviceChange", ({ deviceId }) => heard.push(["deviceChange", deviceId])),
    ];
    const { deviceId } = await server.as(owner)(devices.add, { deviceSnId: unit.deviceSnId, deviceName: "Boiler" });
    expect(deviceId).toBe(unit.deviceId);
    await expect
      .poll(() => heard)
      .toEqual([
        ["deviceChange", deviceId],
        [owner.plantId, LiveCommand.dashboardChange],
        [owner.plantId, LiveCommand.alertChange],
      ]);
    for (const off of offs) off();
    const { data } = await server.as(owner)(devices.list);
    expect(data).toMatchObject([
      { deviceName: "Boiler", status: DeviceStatus.inactive, createdTime: server.world.clock.date() },
    ]);
    const days = (Number(data[0]?.expireTime) - server.world.clock.now()) / day;
    expect([365, 366]).toContain(days);
    const log = await server.as(owner)(alerts.notifications);
    expect(log.data).toMatchObject([{ deviceId, msg: "Added to this plant", status: 3 }]);
    expect(await server.as(owner)(alerts.unconfirmed)).toEqual([]);
  });

  test("shows the device on the plant's default dashboard, which the first device makes", async () => {
    const owner = await anOwner(server.world);
    const station = await anUnclaimedDevice(server.world, { model: Model.mixed });
    const { deviceId } = await server.as(owner)(devices.add, { deviceSnId: station.deviceSnId, deviceName: "Station" });
    const motor = await anUnclaimedDevice(server.world, { model: Model.motorController, deviceType: DeviceType.sub });
    const input = { deviceSnId: motor.deviceSnId, deviceName: "Motor", parentDeviceId: deviceId };
    await server.as(owner)(devices.add, input);
    const tiles = await server.as(owner)(dashboards.tiles);
    expect(tiles.map(({ kind, channelName }) => [kind, channelName])).toMatchObject([
      [TileKind.channel, "AI1"],
      [TileKind.channel, "AI2"],
      [TileKind.channel, "AI3"],
      [TileKind.channel, "AI4"],
      [TileKind.modbus, expect.any(String)],
    ]);
  });

  test("offers the tiles where the dashboard has more than 24, and adds them when they are taken", async () => {
    const owner = await anOwner(server.world);
    const as = server.as(owner);
    const claimed: number[] = [];
    for (let at = 1; at <= 7; at += 1) {
      const { deviceSnId } = await anUnclaimedDevice(server.world, { model: Model.mixed });
      claimed.push((await as(devices.add, { deviceSnId, deviceName: `Station ${at}` })).deviceId);
      if (at === 6) expect(await as(tileOffers.list), "six times four are shown").toEqual([]);
    }
    expect(await as(dashboards.tiles)).toHaveLength(24);
    const [, , , , , , deviceId = 0] = claimed;
    expect(await as(tileOffers.list)).toEqual([{ deviceId, deviceName: "Station 7", channels: 4 }]);
    await as(tileOffers.add, { deviceId });
    await as(tileOffers.add, { deviceId });
    const tiles = await as(dashboards.tiles);
    expect(tiles.slice(24).map((tile) => [tile.deviceId, tile.channelName])).toEqual(
      ["AI1", "AI2", "AI3", "AI4"].map((name) => [deviceId, name]),
    );
    expect(await as(tileOffers.list)).toEqual([]);
    await expect(server.as(await anOwner(server.world))(tileOffers.add, { deviceId })).rejects.toEqual(refusal(404));
  });

  test("offers nothing after a week, and a motor controller as one tile", async () => {
    const owner = await anOwner(server.world);
    const as = server.as(owner);
    const full = await aDevice(server.world, owner, { model: Model.motorController, deviceType: DeviceType.sub });
    const registers = Object.values(full.channels).slice(0, 24);
    await aDashboard(server.world, owner, { isDefault: true, channels: registers });
    const { deviceSnId } = await anUnclaimedDevice(server.world, { model: Model.mixed });
    const { deviceId } = await as(devices.add, { deviceSnId, deviceName: "Station" });
    const motor = await anUnclaimedDevice(server.world, { model: Model.motorController, deviceType: DeviceType.sub });
    const input = { deviceSnId: motor.deviceSnId, deviceName: "Drive", parentDeviceId: deviceId };
    const added = await as(devices.add, input);
    const offers = await as(tileOffers.list);
    expect(offers.find((offer) => offer.deviceId === added.deviceId)).toMatchObject({
      deviceName: "Drive",
      channels: null,
    });
    await server.world.db
      .updateTable("devices")
      .set({ claimed_time: new Date(server.world.clock.now() - 8 * day) })
      .where("plant_id", "=", owner.plantId)
      .execute();
    expect(await as(tileOffers.list)).toEqual([]);
  });

  test("an unknown ID is 404, a claimed one 409, for every user", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const { deviceSnId } = await aDevice(server.world, other);
    const name = { deviceName: "Mine" };
    await expect(server.as(owner)(devices.lookUp, { deviceSnId: "NOSUCH" })).rejects.toEqual(refusal(404));
    await expect(server.as(owner)(devices.add, { deviceSnId: "NOSUCH", ...name })).rejects.toEqual(refusal(404));
    await expect(server.as(owner)(devices.lookUp, { deviceSnId })).rejects.toEqual(refusal(409));
    await expect(server.as(owner)(devices.add, { deviceSnId, ...name })).rejects.toEqual(refusal(409));
  });

  test("of ten people who claim one unit at once, one has it", async () => {
    const unit = await anUnclaimedDevice(server.world);
    const owners = [];
    for (let i = 0; i < 10; i += 1) owners.push(await anOwner(server.world));
    const input = { deviceSnId: unit.deviceSnId, deviceName: "Mine" };
    const answers = await Promise.allSettled(owners.map((owner) => server.as(owner)(devices.add, input)));
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toEqual(refusal(409));
  });

  test("a sub-device needs a main device of the same plant, and shares its service", async () => {
    const { owner, station, pressure } = await aStation();
    const other = await aDevice(server.world, await anOwner(server.world));
    const { deviceSnId } = await anUnclaimedDevice(server.world, {
      model: Model.motorController,
      deviceType: DeviceType.sub,
    });
    const add = (parentDeviceId?: number) =>
      server.as(owner)(devices.add, { deviceSnId, deviceName: "Motor", ...(parentDeviceId ? { parentDeviceId } : {}) });
    await expect(add()).rejects.toEqual(refusal(422));
    await expect(add(pressure.deviceId)).rejects.toEqual(refusal(422));
    await expect(add(other.deviceId)).rejects.toEqual(refusal(404));
    const expire_time = new Date("2030-01-01");
    await server.world.db
      .updateTable("devices")
      .set({ expire_time })
      .where("device_id", "=", station.deviceId)
      .execute();
    const { deviceId } = await add(station.deviceId);
    const { device } = await server.as(owner)(devices.detail, { deviceId });
    expect(device).toMatchObject({ parentDeviceName: "Station", expireTime: expire_time });
  });

  test("a main device has no master", async () => {
    const { owner, station } = await aStation();
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const input = { deviceSnId, deviceName: "Main", parentDeviceId: station.deviceId };
    await expect(server.as(owner)(devices.add, input)).rejects.toEqual(refusal(422, "A main device has no PARENT"));
  });

  test("another of the user's own accounts may be named, no other user's", async () => {
    const [owner, stranger] = [await anOwner(server.world), await anOwner(server.world)];
    const admin = await anAdmin(server.world, owner);
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const input = { deviceSnId, deviceName: "Boiler" };
    await expect(server.as(admin)(devices.add, { ...input, accountId: stranger.accountId })).rejects.toEqual(
      refusal(404),
    );
    await server.as(admin)(devices.add, { ...input, accountId: admin.accountId });
    expect((await server.as(owner)(devices.list)).data).toMatchObject([{ deviceName: "Boiler" }]);
  });

  test("asks for ID and name in the specification's words", async () => {
    const owner = await anOwner(server.world);
    const post = async (body: object) =>
      (
        await server.app.inject({ method: "POST", url: `${devices.add.path}?token=${owner.token}`, payload: body })
      ).json();
    expect(await post({ deviceName: "x" })).toMatchObject({ code: 422, msg: "Device ID cannot be blank" });
    expect(await post({ deviceSnId: " ", deviceName: "x" })).toMatchObject({
      code: 422,
      msg: "Device ID cannot be blank",
    });
    expect(await post({ deviceSnId: "x", deviceName: "" })).toMatchObject({
      code: 422,
      msg: "DEVICE NAME Cannot be blank",
    });
  });

  test("is for everybody but viewers and support views", async () => {
    const owner = await anOwner(server.world);
    const unit = await anUnclaimedDevice(server.world);
    const input = { deviceSnId: unit.deviceSnId, deviceName: "Boiler" };
    for (const person of [await aViewer(server.world, owner), await aSupportView(server.world, owner)])
      await expect(server.as(person)(devices.add, input)).rejects.toEqual(refusal(403));
    await server.as(await anInstaller(server.world, owner))(devices.add, input);
  });

  test("limits guessing of IDs", async () => {
    const guesser = await anOwner(server.world);
    const guess = () =>
      server
        .as(guesser)(devices.lookUp, { deviceSnId: "GUESS" })
        .catch(({ code }) => code);
    const codes = [];
    for (let i = 0; i < 25; i += 1) codes.push(await guess());
    expect(codes.at(-1)).toBe(429);
    server.world.clock.pass(300_000);
    expect(await guess()).toBe(404);
  });

  test("IDs cannot be guessed faster by concurrent tries", async () => {
    const guesser = await anOwner(server.world);
    server.world.clock.pass(300_000);
    const guess = (_: unknown, at: number) =>
      server
        .as(guesser)(devices.lookUp, { deviceSnId: `GUESS${at}` })
        .catch(({ code }) => code);
    const codes = await Promise.all(Array.from({ length: 60 }, guess));
    expect(codes.filter((code) => code === 404)).toHaveLength(20);
  });
});
