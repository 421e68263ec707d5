import type { Input } from "@telltale/contract/call/call";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, aReading } from "../../test/test-devices.ts";
import { anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const minutesAgo = (minutes: number) => new Date(server.world.clock.now() - minutes * 60_000);

const change = (deviceId: number, columns: object) =>
  server.world.db.updateTable("devices").set(columns).where("device_id", "=", deviceId).execute();

const hear = (deviceId: number) => change(deviceId, { is_online: true, last_seen_time: server.world.clock.date() });

/** A station with two sub-devices, and a single device, all heard. */
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

/** Names in the list: `Station[Pressure,Vibration]`. */
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

  test("has each device's time zone, here and on the dashboard", async () => {
    const { owner, fan, vibration } = await aPlant();
    for (const { deviceId } of [fan, vibration]) await change(deviceId, { time_zone_id: "Europe/Berlin" });
    for (const call of [devices.list, devices.onDashboard]) {
      const { data } = await server.as(owner)(call);
      expect(data.map((device) => device.timeZoneId)).toEqual(["UTC", "Europe/Berlin"]);
      expect(data[0]?.subDevices.map((sub) => sub.timeZoneId)).toEqual(["UTC", "Europe/Berlin"]);
    }
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

  test("moves a device from status to status the moment something happens to it, rows and total alike", async () => {
    const { owner, pressure } = await aPlant();
    const { db, clock } = server.world;
    const { alert, normal, inactive, offline, paymentDue } = DeviceStatus;
    const expectOnly = async (status: DeviceStatus, names: string) => {
      for (const input of [alert, inactive, offline, paymentDue])
        expect(await shown(owner, { status: [input] })).toBe(input === status ? names : "");
      const { total } = await server.as(owner)(devices.list, { status: [status], size: 1 });
      expect(total).toBe(names.split(" ").length);
    };
    const clear = (alertId: number) =>
      db.updateTable("alerts").set({ cleared_time: clock.date() }).where("alert_id", "=", alertId).execute();

    await anAlert(server.world, owner, { deviceId: pressure.deviceId, alarmClass: AlertClass.notification });
    await expectOnly(normal, "Station[Pressure,Vibration] Fan");
    // Concurrently, as two writers do it.
    const raised = await Promise.all(
      [1, 2, 3].map(() => anAlert(server.world, owner, { deviceId: pressure.deviceId })),
    );
    await expectOnly(alert, "Station[Pressure]");
    for (const alertId of raised.slice(1)) await clear(alertId);
    await expectOnly(alert, "Station[Pressure]");
    await clear(Number(raised[0]));
    await expectOnly(normal, "Station[Pressure,Vibration] Fan");
    await change(pressure.deviceId, { is_online: false });
    await expectOnly(offline, "Station[Pressure]");
    const soon = new Date(clock.now() + 1000);
    await change(pressure.deviceId, { expire_time: soon });
    await expectOnly(offline, "Station[Pressure]");
    clock.pass(1000);
    await expectOnly(paymentDue, "Station[Pressure]");
    await change(pressure.deviceId, { is_disabled: true });
    await expectOnly(inactive, "Station[Pressure]");
  });

  test("says of every row whether it was ever heard, whether it reports, and how often it does from the factory", async () => {
    const { owner, station, pressure, vibration, fan } = await aPlant();
    await anAlert(server.world, owner, { deviceId: pressure.deviceId });
    await change(vibration.deviceId, { is_online: false });
    await change(station.deviceId, { periodicity: 300 });
    await change(fan.deviceId, { is_disabled: true });
    await aDevice(server.world, owner, { name: "New" });
    const { data } = await server.as(owner)(devices.list);
    const rows = data.flatMap(({ subDevices, ...row }) => [row, ...subDevices]);
    expect(rows.map((row) => [row.deviceName, row.activate, row.onlineStatus])).toEqual([
      ["Station", 1, 1],
      ["Pressure", 1, 1],
      ["Vibration", 1, 0],
      ["Fan", 1, 0],
      ["New", 0, 0],
    ]);
    expect(rows[0]).toMatchObject({ periodicity: 300, reportIntervalDefault: 60 });
  });

  test("keeps sub-devices with their master when its name or its day of installation is put right", async () => {
    const { owner, station, fan } = await aPlant();
    await change(station.deviceId, { claimed_time: minutesAgo(-10), device_name: "Ring 100%_" });
    expect(await shown(owner)).toBe("Fan Ring 100%_[Pressure,Vibration]");
    expect(await shown(owner, { status: [DeviceStatus.normal] })).toBe("Fan Ring 100%_[Pressure,Vibration]");
    expect(await shown(owner, { deviceName: "RING 100%_" })).toBe("Ring 100%_");
    expect(await shown(owner, { deviceName: "%" })).toBe("Ring 100%_");
    await change(fan.deviceId, { parent_device_id: station.deviceId, device_type: DeviceType.sub });
    expect(await shown(owner, { deviceName: "fan" })).toBe("Ring 100%_[Fan]");
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
    expect(data.map((device) => device.parentDeviceName)).toEqual([null, null]);
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

  test("has a motor controller's registers with their values; any other device has none", async () => {
    const { owner, station } = await aPlant();
    const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
    const motor = await aDevice(server.world, owner, { name: "Motor", model: Model.motorController, ...sub });
    await hear(motor.deviceId);
    await aReading(server.world, Number(motor.channels["I B"]), { value: 12.5 });
    const registersOf = async (deviceId: number) =>
      (await server.as(owner)(devices.detail, { deviceId })).device.modbusChannels;
    expect((await registersOf(motor.deviceId)).slice(0, 2)).toEqual([
      { deviceChannelId: motor.channels["I A"], channelName: expect.any(String), value: null, status: 2, unit: "A" },
      { deviceChannelId: motor.channels["I B"], channelName: expect.any(String), value: 12.5, status: 1, unit: "A" },
    ]);
    expect(await registersOf(station.deviceId)).toEqual([]);
  });

  test("does not exist for another plant, nor for a viewer whose dashboard has no tile of it", async () => {
    const [{ owner, station, pressure }, other] = [await aPlant(), await anOwner(server.world)];
    const viewer = await aViewer(
      server.world,
      owner,
      await aDashboard(server.world, owner, { channels: [Number(pressure.channels.AI1)] }),
    );
    for (const person of [other, viewer])
      await expect(server.as(person)(devices.detail, { deviceId: station.deviceId })).rejects.toEqual(refusal(404));
    const { device } = await server.as(viewer)(devices.detail, { deviceId: pressure.deviceId });
    expect(device.parentDeviceName, "of a master that the viewer may not see").toBeNull();
    const { device: whole } = await server.as(owner)(devices.detail, { deviceId: pressure.deviceId });
    expect(whole.parentDeviceName).toBe("Station");
  });
});
