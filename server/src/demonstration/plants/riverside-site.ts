import { Analog } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { Role } from "@telltale/contract/permissions";
import { ids, measured, sixteenBar, slow } from "./measured.ts";
import type { PlannedChannel, PlannedDevice, PlannedSave } from "./plan.ts";

/** In their first months, as a trial, these devices reported once an hour. */
const trial = (...codes: string[]): PlannedSave => ({
  on: [92, "15:10"],
  by: Role.owner,
  before: Object.fromEntries(codes.map((code) => [code, { reportInterval: 3600 }])),
});
const inputs = ["AI1", "AI2", "AI3", "AI4"];

/** A channel of the second cold store, whose settings were changed once. */
const stored = (name: string, signal: string, settings: PlannedChannel["settings"] = {}): PlannedChannel => ({
  name,
  signal,
  number: 2,
  settings: { reportInterval: slow, ...settings },
});

/** Devices around the pump house that were installed before it: the first ones are a year old. */
export const siteDevices: readonly PlannedDevice[] = [
  {
    deviceSnId: ids.controlRoom,
    name: "Control building",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: [372, "11:05"],
    installedBy: Role.owner,
    orders: [{ on: [9, "10:20"], years: 1, reportIntervalLimit: 10 }],
    saves: [trial(...inputs)],
    channels: {
      AI1: measured(
        "Outdoor temperature",
        "ambientTemperature",
        {
          ...{ analogId: Analog.temperature, unit: "°C", zero: -30, span: 60 },
          ...{ higherAlarm: 45, higherHysteresis: 1, reportInterval: 30 },
        },
        slow,
      ),
      AI2: measured(
        "Outdoor humidity",
        "ambientHumidity",
        {
          ...{ analogId: Analog.humidity, unit: "%", span: 100, reportInterval: 30 },
          ...{ higherAlarm: undefined, higherHysteresis: undefined },
        },
        slow,
      ),
      AI3: measured(
        "Daylight",
        "illuminance",
        { analogId: Analog.illuminance, unit: "lx", span: 120_000, reportInterval: 30 },
        slow,
      ),
      AI4: measured(
        "Noise at the fence",
        "soundLevel",
        { analogId: Analog.noise, unit: "dB", span: 130, reportInterval: 30 },
        slow,
      ),
    },
  },
  {
    deviceSnId: ids.compressor,
    name: "Compressor A",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: [370, "13:30"],
    installedBy: Role.owner,
    saves: [trial(...inputs)],
    channels: {
      AI1: measured("Line pressure", "linePressure", { ...sixteenBar, reportInterval: 15 }, slow),
      AI2: measured(
        "Winding temperature",
        "windingTemperature",
        { higherAlarm: 95, higherHysteresis: 3, reportInterval: 30 },
        slow,
      ),
      AI3: measured("Delivered flow", "airFlow", { reportInterval: 15 }, slow),
      AI4: measured("Room humidity", "roomHumidity", { reportInterval: 30 }, slow),
    },
  },
  {
    deviceSnId: ids.coldStore,
    name: "Cold store 4",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: [88, "14:10"],
    installedBy: Role.deviceManager,
    silentSince: [1, "04:37"],
    channels: {
      AI1: stored("Evaporator pressure", "evaporatorPressure", sixteenBar),
      AI2: stored("Cold store 4 temperature", "storeTemperature", {
        ...{ zero: -40, span: 40, higherAlarm: 6, higherHysteresis: 0.5 },
      }),
      AI3: stored("Coolant flow", "coolantFlow"),
      AI4: stored("Cold store 4 humidity", "storeHumidity"),
    },
  },
  {
    // Not simulated: it waits for the readings that users of the demonstration send.
    deviceSnId: ids.testBench,
    name: "Test bench",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: [1, "10:02"],
    installedBy: Role.installer,
    isNeverHeard: true,
    channels: {
      AI1: { name: "Test bench pressure" },
      AI2: { name: "Test bench temperature" },
      AI3: { name: "Test bench flow" },
      AI4: { name: "Test bench humidity" },
    },
  },
  {
    deviceSnId: ids.tankFarm,
    name: "Tank farm",
    model: Model.digitalInput,
    deviceType: DeviceType.main,
    installed: [3, "15:45"],
    installedBy: Role.installer,
    isNeverHeard: true,
    channels: {
      DI1: { name: "Tank 1 full" },
      DI2: { name: "Tank 2 full" },
      DI3: { name: "Bund leak" },
      DI4: { name: "Gate contact" },
    },
  },
];
