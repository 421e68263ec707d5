import { Code } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { DeviceType } from "@telltale/contract/domains/devices";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../test/test-alarm-times.ts";
import { type AlarmInput, aLowFlow } from "../test/test-alarms.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let station: TimedStation;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  station = await aTimedStation(server, telemetry, owner);
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const channel = (code: string) => Number(station.watchable.station.channels[code]);
/** Low flow counts only while DI1 is ON. */
const whileOn = (more: AlarmInput = {}): AlarmInput =>
  aLowFlow(station.watchable, { gateChannelId: channel("DI1"), gateType: GateType.on, ...more });
const add = (more: AlarmInput = {}) => server.as(owner)(alarms.add, whileOn(more));
/** A sub-device of the station. */
const aSubDevice = (): Promise<TestDevice> =>
  aDevice(server.world, owner, {
    name: "Pump",
    deviceType: DeviceType.sub,
    parentDeviceId: station.watchable.station.deviceId,
  });
/** Another telemetry, as after a restart or on another node. */
const another = async (work: (by: Telemetry) => Promise<void>): Promise<void> => {
  const by = createTelemetry({ ...server.world, metrics: new Registry() });
  await work(by);
  await by.stop();
};
/** One message with several values of the station. */
const message = async (at: number, values: Record<string, number>, by = telemetry): Promise<void> => {
  await station.wait(at, by);
  const device = await by.registry.find({ token: station.watchable.station.accessToken });
  if (!device) throw new Error("The device is not known");
  const channels = Object.keys(values).flatMap((code) => device.channels.get(code) ?? []);
  const { promise, resolve } = Promise.withResolvers<string>();
  const times = channels.map(() => station.start + at * 1000);
  by.writer.submit({ devices: [device], channels, times, values: Object.values(values), done: resolve });
  expect(await promise).toBe("stored");
  device.heardAt = server.world.clock.now();
  await by.alarmTimers.run();
};
/** A value of another device of the family. */
const sendOf = async (sub: TestDevice, at: number, code: string, value: number, by = telemetry): Promise<void> => {
  await station.wait(at, by);
  const device = await by.registry.find({ token: sub.accessToken });
  const found = device?.channels.get(code);
  if (!device || !found) throw new Error("The device is not known");
  const { promise, resolve } = Promise.withResolvers<string>();
  const times = [station.start + at * 1000];
  by.writer.submit({ devices: [device], channels: [found], times, values: [value], done: resolve });
  expect(await promise).toBe("stored");
  device.heardAt = server.world.clock.now();
  await by.alarmTimers.run();
};

describe("an alarm with a gate", () => {
  test("is raised only while the gate is open, with the values of one message taken together in either order", async () => {
    await add();
    await message(0, { AI3: 5, DI1: 0 });
    await message(10, { AI3: 50, DI1: 1 });
    await message(20, { AI3: 5, DI1: 0 });
    await message(30, { DI1: 1, AI3: 50 });
    expect(await station.raised()).toEqual([]);
    await message(40, { AI3: 5 });
    expect(await station.raised()).toEqual([[40, null, 5, 5]]);
    await message(50, { DI1: 0 });
    expect(await station.raised()).toEqual([[40, 50, 5, 5]]);
  });

  test("waits for the start-up time and its delay, also across a restart, and is raised by a timer", async () => {
    await add({ startUp: 60, onDelay: 30 });
    await message(0, { AI3: 5, DI1: 1 });
    await another(async (by) => {
      await message(50, { AI3: 6 }, by);
      await station.wait(89, by);
      expect(await station.raised()).toEqual([]);
    });
    await station.wait(200);
    expect(await station.raised()).toEqual([[90, null, 6, 6]]);
  });

  test("has a gate on another device of the family, heard by the same node or another, and loaded again after a restart", async () => {
    const pump = await aSubDevice();
    await add({ gateChannelId: Number(pump.channels.AI1), gateType: GateType.above, gateValue: 10 });
    await message(0, { AI3: 5 });
    await sendOf(pump, 10, "AI1", 40);
    await station.wait(12);
    expect(await station.raised()).toEqual([[10, null, 5, 5]]);
    await another(async (by) => {
      await sendOf(pump, 20, "AI1", 5, by);
      expect(await station.raised()).toEqual([[10, 20, 5, 5]]);
      // The first node has the station in memory as it was.
      await message(30, { AI3: 6 });
      expect(await station.raised()).toHaveLength(1);
      await sendOf(pump, 40, "AI1", 50, by);
    });
    await message(45, { AI3: 4 });
    expect(await station.raised()).toEqual([
      [10, 20, 5, 5],
      [40, null, 6, 4],
    ]);
  });

  test("takes the gate as it is when it is configured, and follows a changed one", async () => {
    await message(0, { AI3: 50, DI1: 1, DI2: 0 });
    const { alarmId } = await add();
    await message(10, { AI3: 5 });
    expect(await station.raised()).toEqual([[10, null, 5, 5]]);
    await server.as(owner)(alarms.update, { ...whileOn({ gateChannelId: channel("DI2") }), alarmId });
    await message(20, { AI3: 5 });
    expect(await station.raised()).toEqual([[10, 20, 5, 5]]);
    await message(30, { DI2: 1 });
    await station.wait(32);
    expect((await station.raised())[1]).toEqual([30, null, 5, 5]);
    // Without a gate it counts always; a client that does not know gates leaves it.
    await server.as(owner)(alarms.update, { ...aLowFlow(station.watchable), alarmId });
    expect(await server.as(owner)(alarms.info, { alarmId })).toMatchObject({
      gateChannelId: channel("DI2"),
      gateDeviceName: "Station",
      gateType: GateType.on,
    });
    await server.as(owner)(alarms.update, { ...aLowFlow(station.watchable), alarmId, gateChannelId: 0 });
    expect(await server.as(owner)(alarms.info, { alarmId })).toMatchObject({ gateChannelId: null, gateType: null });
    await message(40, { DI2: 0, AI3: 4 });
    expect((await station.raised())[1]?.[1]).toBeNull();
  });

  test("that turns no more, because its channel is switched off or its device disabled, is none: an alert is better raised than not", async () => {
    const pump = await aSubDevice();
    await add({ gateChannelId: Number(pump.channels.AI1), gateType: GateType.above, gateValue: 10 });
    await add();
    await sendOf(pump, 0, "AI1", 5);
    await message(10, { AI3: 5, DI1: 0 });
    expect(await station.raised()).toEqual([]);
    const change = { deviceSnId: pump.deviceSnId, isDisabled: 1 as const };
    await server.as(owner)(deviceConfiguration.updateStatus, change);
    await message(20, { AI3: 5 });
    expect(await station.raised()).toEqual([[20, null, 5, 5]]);
    const switched = { channelId: channel("DI1"), channelName: "Pump runs", channelSwitch: 0 as const };
    await server.as(owner)(channelSettings.modifyBasic, switched);
    await message(30, { AI3: 4 });
    expect(await station.raised()).toEqual([
      [20, null, 5, 4],
      [30, null, 4, 4],
    ]);
  });

  test("of missing data waits only while the gate is open, and ends when it shuts", async () => {
    await add({ condition: AlarmCondition.noData, window: 60 });
    await message(0, { AI3: 50, DI1: 0 });
    for (let at = 20; at <= 200; at += 20) await message(at, { AI4: 1 });
    expect(await station.raised()).toEqual([]);
    await message(220, { DI1: 1 });
    for (let at = 240; at <= 400; at += 20) await message(at, { AI4: 1 });
    expect(await station.raised()).toEqual([[280, null, null, null]]);
    await message(420, { DI1: 0 });
    expect(await station.raised()).toEqual([[280, 420, null, null]]);
  });
});

describe("a gate is refused", () => {
  test("when it is incomplete, the watched channel itself, or would never open", async () => {
    const refused = async (more: AlarmInput, message: string) => expect(add(more)).rejects.toMatchObject({ message });
    await refused({ gateType: undefined }, "Choose when the alert is active");
    await refused(
      { gateChannelId: channel("AI3") },
      "The alert watches this channel itself. Choose another one for Only while",
    );
    await refused(
      { gateChannelId: channel("AI4"), gateType: GateType.above },
      "Enter the value from which the alert is active",
    );
    await refused(
      { gateChannelId: channel("AI4"), gateType: GateType.on },
      "This channel is measured. Choose above or below",
    );
    await refused({ gateType: GateType.above, gateValue: 0 }, "A contact is ON or OFF. Choose is ON");
    const [other] = (
      await server.as(owner)(alarms.gateChannels, { deviceId: station.watchable.station.deviceId })
    ).filter(({ deviceChannelId }) => deviceChannelId === channel("AI4"));
    await refused(
      { gateChannelId: channel("AI4"), gateType: GateType.above, gateValue: other?.span ?? 0 },
      `The channel never reads more, so that the alert would never be raised. Enter less than ${other?.span}`,
    );
  });

  test("when its channel is of another family or plant", async () => {
    const stranger = await anOwner(server.world);
    for (const person of [owner, stranger]) {
      const device = await aDevice(server.world, person);
      await expect(add({ gateChannelId: Number(device.channels.AI1) })).rejects.toMatchObject({ code: Code.notFound });
    }
  });
});

test("channels of the device and its family can be gates, its own first", async () => {
  const pump = await aSubDevice();
  await aDevice(server.world, owner);
  const listed = await server.as(owner)(alarms.gateChannels, { deviceId: pump.deviceId });
  expect([...new Set(listed.map(({ deviceName }) => deviceName))]).toEqual(["Pump", "Station"]);
  const stranger = await anOwner(server.world);
  await expect(server.as(stranger)(alarms.gateChannels, { deviceId: pump.deviceId })).rejects.toMatchObject({
    code: Code.notFound,
  });
});
