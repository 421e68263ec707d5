import { Code } from "@telltale/contract/call/codes";
import { type ChannelKeys, Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { ChannelType, channels, InputMode, ReadingStatus, SourceType } from "@telltale/contract/domains/channels";
import { DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import { modbus } from "@telltale/contract/domains/modbus";
import { history } from "@telltale/contract/domains/readings/history";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, aReading, type TestDevice } from "../../test/test-devices.ts";
import { anInstaller, anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let main: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
  main = await aDevice(server.world, owner, { name: "Pump house", model: Model.mixed });
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });
const subOf = (model: Model, more: object = {}) =>
  aDevice(server.world, owner, { model, deviceType: DeviceType.sub, parentDeviceId: main.deviceId, ...more });

const heard = (deviceId: number) =>
  server.world.db
    .updateTable("devices")
    .set({ is_online: true, last_seen_time: server.world.clock.date() })
    .where("device_id", "=", deviceId)
    .execute();

describe("the configuration of a motor controller", () => {
  test("has channels whose registers hold what the device reported last, with their settings", async () => {
    const motor = await subOf(Model.motorController);
    await heard(motor.deviceId);
    await aReading(server.world, Number(motor.channels["I A"]), { value: 19.72 });
    const as = server.as(owner);
    const { deviceId } = motor;
    expect(await as(modbus.channelList, { deviceId })).toEqual([
      { channelName: "CURRENT", status: ReadingStatus.good },
      { channelName: "POWER", status: ReadingStatus.noData },
      { channelName: "OPERATION", status: ReadingStatus.noData },
    ]);
    const current = await as(modbus.channelDetail, { deviceId, channelName: "CURRENT" });
    expect(current.detailSettings.map(({ keywords }) => keywords)).toEqual(["I A", "I B", "I C"]);
    expect(current.detailSettings[0]).toMatchObject({ value: 19.72, unit: "A", status: ReadingStatus.good });
    expect(current.detailSettings[0]?.settings).toContainEqual({
      name: "Report Interval",
      nameVal: "60 s",
      val: 60,
    });
    expect(current.detailSettings[1]).toMatchObject({ value: null, status: ReadingStatus.noData, updateTime: null });
  });

  test("shows its state, and apart from it the setpoints that it reports", async () => {
    const motor = await subOf(Model.motorController);
    await heard(motor.deviceId);
    await aReading(server.world, Number(motor.channels["Locked Rotor"]), { value: 1, status: ReadingStatus.alarm });
    await aReading(server.world, Number(motor.channels["Under Current Setpoint"]), { value: 17 });
    const as = server.as(owner);
    const { deviceId } = motor;
    const status = await as(modbus.status, { deviceId });
    expect(status).toContainEqual(expect.objectContaining({ keywords: "Locked Rotor", value: 1, status: 0 }));
    const setpoints = await as(modbus.setpoints, { deviceId });
    expect(setpoints).toContainEqual(
      expect.objectContaining({ keywords: "Under Current Setpoint", value: 17, unit: "A" }),
    );
    expect(setpoints.find(({ keywords }) => keywords === "Rated Current")?.value).toBeNull();
    const shown = [...status, ...setpoints].map(({ deviceChannelId }) => deviceChannelId);
    for (const { channelName } of await as(modbus.channelList, { deviceId })) {
      const { detailSettings } = await as(modbus.channelDetail, { deviceId, channelName });
      shown.push(...detailSettings.map(({ deviceChannelId }) => deviceChannelId));
    }
    expect(shown.toSorted(), "every register stands in one place").toEqual(Object.values(motor.channels).toSorted());
  });

  test("is not found for a channel it has not, another kind of device or another plant, nor open to a viewer", async () => {
    const motor = await subOf(Model.motorController);
    const { deviceId } = motor;
    const as = server.as(owner);
    for (const channelName of ["SETPOINTS", "nothing", ""])
      await expect(as(modbus.channelDetail, { deviceId, channelName })).rejects.toEqual(refusal(Code.notFound));
    const stranger = server.as(await anOwner(server.world));
    const viewer = server.as(await aViewer(server.world, owner));
    const installer = server.as(await anInstaller(server.world, owner));
    for (const call of [modbus.channelList, modbus.setpoints, modbus.status]) {
      await expect(as(call, { deviceId: main.deviceId })).rejects.toEqual(refusal(Code.notFound));
      await expect(stranger(call, { deviceId })).rejects.toEqual(refusal(Code.notFound));
      await expect(viewer(call, { deviceId })).rejects.toEqual(refusal(Code.notAllowed));
      expect((await installer(call, { deviceId })).length).toBeGreaterThan(0);
    }
  });
});

test("the head of a device's configuration says what it is and how often it reports", async () => {
  const motor = await subOf(Model.motorController, { name: "Feed pump drive" });
  expect(await server.as(owner)(devices.header, { deviceId: motor.deviceId })).toMatchObject({
    deviceName: "Feed pump drive",
    deviceSn: "MPA2-240-32",
    typeId: Model.motorController,
    parentDeviceName: "Pump house",
    periodicity: 60,
    reportIntervalDefault: 60,
    reportIntervalLimit: 10,
    isDisabled: false,
    lastSeen: null,
  });
});

test("a device's channels come with the settings in force", async () => {
  const infos = await server.as(owner)(channels.info, { deviceId: main.deviceId });
  expect(infos.map(({ channelCn }) => channelCn).slice(0, 3)).toEqual(["AI1", "AI2", "AI3"]);
  const settings = infos.find(({ channelCn }) => channelCn === "AI1")?.settings;
  expect(settings).toContainEqual({ name: "Higher Alarm", nameVal: "80 bar", val: 80 });
});

test("a channel tells a limit that somebody has set from those that it came with", async () => {
  const device = await aDevice(server.world, owner, { model: Model.mixed });
  const as = server.as(owner);
  const limited = async () =>
    (await as(channels.info, { deviceId: device.deviceId })).flatMap((info) =>
      info.hasOwnLimit ? info.channelCn : [],
    );
  const save = (code: string, channelKeys: ChannelKeys) =>
    as(channelSettings.modify, {
      deviceId: device.deviceId,
      payload: [{ channelId: Number(device.channels[code]), channelKeys }],
    });
  expect(await limited(), "AI1 came with a limit of 80 bar, DI1 with one for ON").toEqual([]);
  await save("AI1", { [Key.reportInterval]: 90 });
  await save("DI1", { [Key.alarmData]: null });
  expect(await limited(), "no limit has been set").toEqual([]);
  await save("AI1", { [Key.higherAlarm]: 70, [Key.higherHysteresis]: 2 });
  await save("AI3", { [Key.lowerAlarm]: 5, [Key.lowerHysteresis]: 1 });
  expect(await limited()).toEqual(["AI1", "AI3"]);
});

describe.each([
  [
    "a form",
    "application/x-www-form-urlencoded",
    (body: object) => new URLSearchParams(Object.entries(body)).toString(),
  ],
  ["JSON", "application/json", JSON.stringify],
])("a digital output saved by %s", (_what, type, written) => {
  const save = async (body: object) => {
    const url = `${channelSettings.modifyOutput.path}?token=${owner.token}`;
    const headers = { "content-type": type };
    return (await server.app.inject({ method: "POST", url, headers, payload: written(body) })).json();
  };

  test("has its name and its settings from then on, and a settings list that cannot be read is named", async () => {
    const channelId = String(main.channels.DO1);
    const keys = { [Key.mode]: 1, [Key.controlContact]: 2 };
    const channelKeys = type.includes("json") ? keys : JSON.stringify(keys);
    expect(await save({ channelId, channelName: `Beacon by ${type}`, channelKeys })).toMatchObject({ code: 0 });
    const setup = await server.as(owner)(channelSettings.setup, { deviceId: main.deviceId });
    const output = setup.channels.find(({ channelCn }) => channelCn === "DO1");
    expect(output).toMatchObject({ channelName: `Beacon by ${type}`, channelKeys: keys });
    const refused = { code: Code.invalid, msg: "Settings list has to be a set of fields" };
    expect(await save({ channelId, channelKeys: "{'Mode': 1}" })).toMatchObject(refused);
  });
});

describe("what may drive a digital output", () => {
  const sourcesOf = async (deviceId: number, person = owner) =>
    (await server.as(person)(channels.outputSources, { deviceId })).map(
      ({ deviceName, channelName, type, flag }) => `${deviceName} ${channelName} ${type} ${flag}`,
    );

  test("is High and Low of its device's inputs and its master's, flagged where such an alarm is set", async () => {
    const inputs = {
      AI1: { name: "Pressure", settings: { lowerAlarm: 2 } },
      AI2: { name: "Level" },
      AI3: { name: "Flow" },
      DI1: { name: "Float" },
      DI2: { name: "Gate", settings: { alarmData: 0 } },
      DI3: { name: "Door", settings: { inputMode: InputMode.statusLog } },
      DI4: { name: "Strokes", settings: { inputMode: InputMode.counting, alarmData: 500 } },
    };
    const master = await aDevice(server.world, owner, { name: "Mill", model: Model.mixed, channels: inputs });
    const outputs = await aDevice(server.world, owner, {
      model: Model.digitalOutput,
      deviceType: DeviceType.sub,
      parentDeviceId: master.deviceId,
    });
    const sources = await sourcesOf(outputs.deviceId);
    expect(sources).toEqual(await sourcesOf(master.deviceId));
    expect(sources).toEqual(
      [
        ["Pressure", 1, 1],
        ["Level", 1, 0],
        ["Flow", 0, 0],
        ["AI4", 0, 0],
        ["TEMP", 0, 0],
        ["HUM", 0, 0],
        ["Float", 1, 0],
        ["Gate", 0, 1],
        ["Door", 0, 0],
        ["Strokes", 1, 0],
      ]
        .flatMap(([name, high, low]) => [
          `Mill ${name} ${SourceType.high} ${high}`,
          `Mill ${name} ${SourceType.low} ${low}`,
        ])
        // The list of a device keeps the order of its channels: the unit's own sensors come last.
        .toSorted((a, b) => sources.indexOf(a) - sources.indexOf(b)),
    );
  });

  test("is its own inputs before its master's, and of a viewer's dashboard only", async () => {
    const sub = await subOf(Model.analog, { name: "Skid" });
    const devicesOf = async (person: Person) =>
      (await server.as(person)(channels.outputSources, { deviceId: sub.deviceId })).map((source) => source.deviceName);
    const [first, ...rest] = await devicesOf(owner);
    expect([first, rest.at(-1)]).toEqual(["Skid", "Pump house"]);
    const dashboard = await aDashboard(server.world, owner, { channels: [Number(sub.channels.AI1)] });
    const viewer = await aViewer(server.world, owner, dashboard);
    expect(new Set(await devicesOf(viewer))).toEqual(new Set(["Skid"]));
    await expect(server.as(viewer)(channels.outputSources, { deviceId: main.deviceId })).rejects.toEqual(
      refusal(Code.notFound),
    );
  });

  test("stands by its name among the settings of the output's period", async () => {
    const outputs = await subOf(Model.digitalOutput, {
      channels: {
        DO1: {
          settings: { outputMode: 2, source: "AI1", sourceDevice: main.deviceSnId, sourceType: SourceType.low },
        },
      },
    });
    await server.world.db
      .updateTable("channels")
      .set({ channel_name: "Discharge pressure" })
      .where("channel_id", "=", Number(main.channels.AI1))
      .execute();
    const settingsOf = async (code: string) => {
      const { data } = await server.as(owner)(history.periods, { channelId: Number(outputs.channels[code]) });
      return data[0]?.channelSettingChangeDto.slice(0, 3);
    };
    const driven = [
      { name: "Mode", nameVal: "Channel", val: 2 },
      { name: "Control Contact", nameVal: "Normally open", val: 1 },
      { name: "Souce", nameVal: "Discharge pressure Low", val: "AI1" },
    ];
    expect(await settingsOf("DO1")).toEqual(driven);
    expect((await settingsOf("DO2"))?.map(({ nameVal }) => nameVal)).toEqual(["ALL", "Normally open", "--"]);
    const infos = await server.as(owner)(channels.info, { deviceId: outputs.deviceId });
    expect(infos[0]).toMatchObject({ channelCn: "DO1", channelType: ChannelType.digitalOutput });
    expect(infos[0]?.settings.slice(0, 3)).toEqual(driven);
  });
});
