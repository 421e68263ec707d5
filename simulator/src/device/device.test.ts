import { ControlContact, OutputMode, SourceType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { expect, test } from "vitest";
import { random } from "../plant/random.ts";
import { noInfluence, type Station, stationAt, stepStation } from "../plant/station.ts";
import { aFleet } from "../test-fleet.ts";
import { executeCommand } from "./commands.ts";
import { createDevice, type Device } from "./device.ts";

const aDevice = (): Device => {
  const spec = aFleet().find(({ typeId }) => typeId === Model.mixed);
  if (!spec) throw new Error("The fleet has no main device");
  return createDevice(spec, 1);
};

/** The shared attributes of some channels with these changes. */
const settingsOf = (device: Device, changes: Record<string, Record<string, number | string | undefined>>) => ({
  channels: Object.fromEntries(
    Object.entries(changes).map(([code, change]) => {
      const installed = device.spec.channels.find((channel) => channel.code === code);
      return [code, { ...installed?.settings, ...change }];
    }),
  ),
});

/** A station whose pump has run for a while. */
const settled = (): Station => {
  const draw = random(1);
  let station = stationAt(Date.UTC(2026, 2, 1));
  for (let i = 0; i < 60; i++) station = stepStation(station, 10, { ...noInfluence, isForced: true }, draw);
  return station;
};
const values = (device: Device, station: Station): Record<string, number> =>
  JSON.parse(device.sample(station)?.moment ?? '{"values":{}}').values;
const later = (station: Station, seconds: number, more: Partial<Station> = {}): Station => ({
  ...station,
  ...more,
  ts: station.ts + seconds * 1000,
});

test("the first report contains every channel, the next follows when due", () => {
  const device = aDevice();
  const station = settled();
  expect(Object.keys(values(device, station))).toEqual(device.spec.channels.map(({ code }) => code));
  expect(values(device, later(station, 1))).toEqual({});
  expect(values(device, later(station, 60))).toHaveProperty("AI3");
});

test("a contact is reported at once, and again only when it changes", () => {
  const device = aDevice();
  const station = settled();
  values(device, station);
  expect(values(device, later(station, 1, { isFloatUp: true }))).toEqual({ DI1: 1 });
  expect(values(device, later(station, 2, { isFloatUp: true }))).toEqual({});
  expect(values(device, later(station, 3))).toEqual({ DI1: 0 });
});

test("a value that crosses its alarm limit does not wait for its report", () => {
  const device = aDevice();
  const station = settled();
  values(device, station);
  const high = { header: { ...station.header, pressure: 8.5 } };
  expect(values(device, later(station, 1, high)).AI1).toBeGreaterThan(8);
  expect(values(device, later(station, 2, high))).toEqual({});
  const nearly = { header: { ...station.header, pressure: 7.9 } };
  expect(values(device, later(station, 3, nearly))).toEqual({});
  expect(values(device, later(station, 4)).AI1).toBeLessThan(7);
});

test("it applies received settings", () => {
  const device = aDevice();
  const station = settled();
  values(device, station);
  device.apply(settingsOf(device, { AI3: { reportInterval: 5 }, unknown: { reportInterval: 1 } }));
  expect(values(device, later(station, 1))).toHaveProperty("AI3");
  const due = Object.keys(values(device, later(station, 6)));
  expect(due).not.toContain("AI1");
  device.apply(settingsOf(device, { AI1: { unit: "psi", span: 232, higherAlarm: 116 } }));
  expect(values(device, later(station, 60)).AI1).toBeGreaterThan(60);
});

test("an interval set in the console overrides the fleet's", () => {
  const spec = { ...aDevice().spec, deviceType: DeviceType.main };
  const device = createDevice(spec, 1, () => 2);
  const station = settled();
  values(device, station);
  expect(values(device, later(station, 2))).toHaveProperty("AI3");
  device.apply(settingsOf(device, { AI3: { reportInterval: 600 } }));
  expect(values(device, later(station, 4))).toHaveProperty("AI3");
  expect(values(device, later(station, 6))).toHaveProperty("AI1");
  expect(values(device, later(station, 8))).not.toHaveProperty("AI3");
});

test("an output is set and reported; an invalid command is answered and has no effect", () => {
  const device = aDevice();
  const station = settled();
  values(device, station);
  expect(executeCommand(device, "setOutput", { channel: "DO1", value: 1 }).result).toMatchObject({ success: true });
  expect(values(device, later(station, 1))).toEqual({ DO1: 1 });
  for (const params of [{ channel: "DO9", value: 1 }, { channel: "DO1", value: 7 }, null]) {
    expect(executeCommand(device, "setOutput", params).result).toMatchObject({ success: false });
  }
  expect(executeCommand(device, "toString", {}).result).toMatchObject({ success: false });
  expect(executeCommand(device, "restart", {}).restarts).toBe(true);
  expect(values(device, later(station, 2))).toEqual({ DO1: 0 });
});

test("an alarm drives the outputs configured for it, ALL any alarm; a normally closed contact opens", () => {
  const device = aDevice();
  const own = device.spec.deviceSnId;
  const driven = { outputMode: OutputMode.channel, source: "DI1", sourceType: SourceType.high };
  device.apply(
    settingsOf(device, {
      DI1: { alarmData: 1 },
      DO1: driven,
      DO2: { outputMode: OutputMode.all, controlContact: ControlContact.normallyClosed },
    }),
  );
  const statesAt = (station: Station) => {
    device.outputs.drive(new Set(device.alarms(station)));
    return [device.outputs.state("DO1"), device.outputs.state("DO2")];
  };
  const calm = later(settled(), 0, { isFloatUp: false });
  expect(statesAt(calm)).toEqual([0, 1]);
  expect(statesAt(later(calm, 1, { isFloatUp: true }))).toEqual([1, 0]);
  expect(statesAt(later(calm, 2, { header: { ...calm.header, pressure: 12 } })), "another alarm").toEqual([0, 0]);
  expect(statesAt(calm)).toEqual([0, 1]);
  device.apply(settingsOf(device, { DO1: { ...driven, sourceDevice: "7C9EBD00000A" } }));
  expect(statesAt(later(calm, 3, { isFloatUp: true })), "a unit of another name").toEqual([0, 0]);
  device.outputs.drive(new Set(["7C9EBD00000A DI1 1"]));
  expect(device.outputs.state("DO1")).toBe(1);
  expect(device.alarms(later(calm, 4, { isFloatUp: true }))).toEqual([`${own} DI1 1`]);
});

test("an alarm with a delay drives its output when it has lasted, and until it is gone for its clear delay", () => {
  const device = aDevice();
  const own = device.spec.deviceSnId;
  device.apply(
    settingsOf(device, { DI1: { alarmData: 1, alarmDelay: 5 }, AI1: { higherAlarm: 8, higherClearDelay: 10 } }),
  );
  const calm = later(settled(), 0, { isFloatUp: false });
  const alarmsAt = (seconds: number, isFloatUp: boolean, pressure = calm.header.pressure) =>
    device.alarms(later(calm, seconds, { isFloatUp, header: { ...calm.header, pressure } }));
  expect(alarmsAt(0, true)).toEqual([]);
  expect(alarmsAt(4, false)).toEqual([]);
  expect(alarmsAt(5, true)).toEqual([]);
  expect(alarmsAt(10, true)).toEqual([`${own} DI1 1`]);
  expect(alarmsAt(11, false, 12)).toEqual([`${own} AI1 1`]);
  expect(alarmsAt(12, false)).toEqual([`${own} AI1 1`]);
  expect(alarmsAt(22, false)).toEqual([]);
});

test("changing or removing a limit does not change the plant; a channel that is off reports nothing", () => {
  const device = aDevice();
  const station = settled();
  const before = values(device, station).AI1 ?? 0;
  device.apply(settingsOf(device, { AI1: { higherAlarm: 4, reportInterval: 5 } }));
  expect(values(device, later(station, 5)).AI1).toBeCloseTo(before, 0);
  expect(device.alarms(later(station, 6))).toHaveLength(1);
  device.apply(settingsOf(device, { AI1: { higherAlarm: undefined } }));
  expect(device.alarms(later(station, 7))).toEqual([]);
  device.apply({ ...settingsOf(device, { AI1: { channelSwitch: 0 } }), settingsVersion: 4 });
  expect(values(device, later(station, 600))).not.toHaveProperty("AI1");
  expect(device.settingsVersion).toBe(4);
  device.apply(settingsOf(device, { AI1: { channelSwitch: 1 } }));
  expect(values(device, later(station, 601))).toHaveProperty("AI1");
});

test("a device whose link is lost reports nothing", () => {
  const device = aDevice();
  device.isSilent = true;
  expect(device.sample(settled())).toBeUndefined();
});
