import { alerts } from "@telltale/contract/alerts";
import type { Input } from "@telltale/contract/call";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/devices";
import { LiveCommand } from "@telltale/contract/live";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../test/test-alerts.ts";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice, anUnclaimedDevice } from "../test/test-devices.ts";
import { anAdmin, anInstaller, anOwner, aSupportView, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const day = 86_400_000;
const minutesAgo = (minutes: number) => new Date(server.world.clock.now() - minutes * 60_000);

const change = (deviceId: number, columns: object) =>
  server.world.db.updateTable("devices").set(columns).where("device_id", "=", deviceId).execute();

const hear = (deviceId: number) => change(deviceId, { is_online: true, last_seen_time: server.world.clock.date() });

/** A station with two sub-devices, and a device of its own, all heard of. */
const aPlant = async () => {
  const { world } = server;
  const owner = await anOwner(world);
  const station = await aDevice(world, owner, { name: "Station", model: Model.mixed });
  const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
  const pressure = await aDevice(world, owner, { name: "Pressure", ...sub });
  const vibration = await aDevice(world, owner, { name: "Vibration", model: Model.vibration, ...sub });
  const fan = await aDevice(world, owner, { name: "Fan" });
  for (const { deviceId } of [station, pressure, vibration, fan]) await hear(deviceId);
  return { owner, station, pressure, vibration, fan };
};

type Filter = Partial<Input<typeof devices.list>>;

/** Names of what the list shows: `Station[Pressure,Vibration]`. */
const shown = async (person: Person, filter: Filter = {}): Promise<string> => {
  const { data } = await server.as(person)(devices.list, filter);
  return data
    .map(
      (device) =>
        device.deviceName + (device.subDevices.length ? `[${device.subDevices.map((sub) => sub.deviceName)}]` : ""),
    )
    .join(" ");
};

describe("the device list", () => {
  test("has sub-devices under their master, first installed first", async () => {
    const { owner, station, pressure } = await aPlant();
    expect(await shown(owner)).toBe("Station[Pressure,Vibration] Fan");
    const { data, total } = await server.as(owner)(devices.list);
    expect(total).toBe(2);
    expect(data[0]).toMatchObject({
      deviceId: station.deviceId,
      deviceSn: "MIX-420-10",
      status: DeviceStatus.normal,
      payTime: "N/A",
      parentDeviceName: null,
      createdTime: server.world.clock.date(),
    });
    expect(data[0]?.subDevices[0]).toMatchObject({
      deviceId: pressure.deviceId,
      parentDeviceId: station.deviceId,
      parentDeviceName: "Station",
    });
  });

  test("shows a master for the sake of a sub-device that the filter asks for", async () => {
    const { owner, pressure } = await aPlant();
    expect(await shown(owner, { deviceName: "press" })).toBe("Station[Pressure]");
    expect(await shown(owner, { deviceSnId: pressure.deviceSnId.toLowerCase() })).toBe("Station[Pressure]");
    expect(await shown(owner, { deviceSn: "VBS" })).toBe("Station[Vibration]");
    expect(await shown(owner, { deviceName: "station" })).toBe("Station");
    expect(await shown(owner, { deviceName: "nothing" })).toBe("");
  });

  test("filters by status, that of the moment", async () => {
    const { owner, pressure, fan, vibration } = await aPlant();
    await anAlert(server.world, owner, { deviceId: pressure.deviceId });
    await change(vibration.deviceId, { is_online: false });
    await change(fan.deviceId, { expire_time: minutesAgo(1) });
    expect(await shown(owner, { status: [DeviceStatus.alert] })).toBe("Station[Pressure]");
    expect(await shown(owner, { status: [DeviceStatus.offline] })).toBe("Station[Vibration]");
    expect(await shown(owner, { status: [DeviceStatus.paymentDue] })).toBe("Fan");
    expect(await shown(owner, { status: [DeviceStatus.normal] })).toBe("Station");
    expect(await shown(owner, { status: [DeviceStatus.inactive] })).toBe("");
    expect(await shown(owner, { status: [1, 4, 5] })).toBe("Station[Pressure,Vibration] Fan");
  });

  test("filters by installed, renewed and pay date, both ends included", async () => {
    const { owner, station, pressure, fan } = await aPlant();
    const [from, to] = [minutesAgo(100), minutesAgo(90)];
    await change(fan.deviceId, { claimed_time: from });
    await change(pressure.deviceId, { expire_time: to });
    await change(station.deviceId, { pay_time: to });
    expect(await shown(owner, { statTime: from, endTime: to })).toBe("Fan");
    expect(await shown(owner, { statTimeTwo: from, endTimeTwo: to })).toBe("Station[Pressure]");
    expect(await shown(owner, { statTimeThree: from, endTimeThree: to })).toBe("Station");
    await expect(shown(owner, { statTime: from })).rejects.toEqual(refusal(422, "Please select end date"));
    await expect(shown(owner, { endTimeTwo: to })).rejects.toEqual(refusal(422, "Please select start date"));
  });

  test("comes in pages that neither repeat nor leave out a device", async () => {
    const owner = await anOwner(server.world);
    for (let i = 0; i < 7; i += 1) await aDevice(server.world, owner, { name: `Device ${i}` });
    const names: string[] = [];
    for (const page of [1, 2, 3]) {
      const { data, total, total_pages } = await server.as(owner)(devices.list, { page, size: 3 });
      expect({ total, total_pages }).toEqual({ total: 7, total_pages: 3 });
      names.push(...data.map((device) => device.deviceName));
    }
    expect(names).toEqual(Array.from({ length: 7 }, (_, i) => `Device ${i}`));
    expect(await server.as(owner)(devices.list, { page: 9 })).toMatchObject({ data: [], total: 7 });
  });

  test("is not for a viewer, whose dashboard has a device table of its own", async () => {
    const { owner, pressure, fan } = await aPlant();
    const tiles = { channels: [Number(pressure.channels.AI1), Number(fan.channels.AI1)] };
    const viewer = await aViewer(server.world, owner, await aDashboard(server.world, owner, tiles));
    await expect(server.as(viewer)(devices.list)).rejects.toEqual(refusal(403));
    const { data, total } = await server.as(viewer)(devices.onDashboard);
    // Its master is not on the dashboard, so the sub-device stands alone.
    expect(data.map((device) => device.deviceName)).toEqual(["Pressure", "Fan"]);
    expect(total).toBe(2);
    expect((await server.as(owner)(devices.onDashboard)).data.map((device) => device.deviceName)).toEqual([
      "Station",
      "Fan",
    ]);
  });
});

describe("a device's own screen", () => {
  test("has what the device says of itself", async () => {
    const { owner, station } = await aPlant();
    await change(station.deviceId, { temperature: 21.5, power: 88, firmware_version: "1.4.2" });
    const { device, deviceInfo } = await server.as(owner)(devices.detail, { deviceId: station.deviceId });
    expect(device).toMatchObject({ deviceName: "Station", offlineReport: 30, periodicity: 60, timeZoneId: "UTC" });
    expect(deviceInfo).toMatchObject({ temperature: 21.5, humidity: null, power: 88, firmwareVersion: "1.4.2" });
    expect(deviceInfo.lastSeen).toEqual(server.world.clock.date());
  });

  test("does not exist for another plant, nor for a viewer whose dashboard has no tile of it", async () => {
    const [{ owner, station, fan }, other] = [await aPlant(), await anOwner(server.world)];
    const viewer = await aViewer(
      server.world,
      owner,
      await aDashboard(server.world, owner, { channels: [Number(fan.channels.AI1)] }),
    );
    for (const person of [other, viewer])
      await expect(server.as(person)(devices.detail, { deviceId: station.deviceId })).rejects.toEqual(refusal(404));
    await server.as(viewer)(devices.detail, { deviceId: fan.deviceId });
  });
});

describe("adding a device", () => {
  test("looks the unit up by its ID, in capitals or not", async () => {
    const owner = await anOwner(server.world);
    const unit = await anUnclaimedDevice(server.world);
    const found = await server.as(owner)(devices.lookUp, { deviceSnId: ` ${unit.deviceSnId.toLowerCase()} ` });
    expect(found).toEqual({ deviceSn: unit.deviceSn, deviceSnId: unit.deviceSnId, deviceType: 1, typeId: 1 });
  });

  test("gives the unit to the plant with a year of service, and tells whoever should know", async () => {
    const owner = await anOwner(server.world);
    const unit = await anUnclaimedDevice(server.world);
    const heard: unknown[] = [];
    const offs = [
      server.world.bus.on("live", ({ plantId, message }) => heard.push([plantId, message.cmd])),
      server.world.bus.on("deviceChange", ({ deviceId }) => heard.push(["deviceChange", deviceId])),
    ];
    const { deviceId } = await server.as(owner)(devices.add, { deviceSnId: unit.deviceSnId, deviceName: "Boiler" });
    for (const off of offs) off();
    expect(deviceId).toBe(unit.deviceId);
    expect(heard).toEqual([
      ["deviceChange", deviceId],
      [owner.plantId, LiveCommand.dashboardChange],
      [owner.plantId, LiveCommand.alertChange],
    ]);
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

  test("an ID that nobody knows is 404, one that is taken 409, for whoever asks", async () => {
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
    const asked = { deviceSnId: unit.deviceSnId, deviceName: "Mine" };
    const answers = await Promise.allSettled(owners.map((owner) => server.as(owner)(devices.add, asked)));
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    expect(refused).toHaveLength(9);
    for (const reason of refused) expect(reason).toEqual(refusal(409));
  });

  test("a sub-device needs a main device of the same plant, and shares its service", async () => {
    const { owner, station, pressure } = await aPlant();
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
    await change(station.deviceId, { expire_time: new Date("2030-01-01") });
    const { deviceId } = await add(station.deviceId);
    const { device } = await server.as(owner)(devices.detail, { deviceId });
    expect(device).toMatchObject({ parentDeviceName: "Station", expireTime: new Date("2030-01-01") });
  });

  test("a main device has no master", async () => {
    const { owner, station } = await aPlant();
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const asked = { deviceSnId, deviceName: "Main", parentDeviceId: station.deviceId };
    await expect(server.as(owner)(devices.add, asked)).rejects.toEqual(refusal(422, "A main device has no PARENT"));
  });

  test("another of the user's accounts may be named, nobody else's", async () => {
    const [owner, stranger] = [await anOwner(server.world), await anOwner(server.world)];
    const admin = await anAdmin(server.world, owner);
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const asked = { deviceSnId, deviceName: "Boiler" };
    await expect(server.as(admin)(devices.add, { ...asked, accountId: stranger.accountId })).rejects.toEqual(
      refusal(404),
    );
    await server.as(admin)(devices.add, { ...asked, accountId: admin.accountId });
    expect(await shown(owner)).toBe("Boiler");
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
    const asked = { deviceSnId: unit.deviceSnId, deviceName: "Boiler" };
    for (const person of [await aViewer(server.world, owner), await aSupportView(server.world, owner)])
      await expect(server.as(person)(devices.add, asked)).rejects.toEqual(refusal(403));
    await server.as(await anInstaller(server.world, owner))(devices.add, asked);
  });

  test("stops who guesses IDs", async () => {
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
});
