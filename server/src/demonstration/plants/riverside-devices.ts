import { Analog, InputMode, OutputMode, SourceType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { Role } from "@telltale/contract/permissions";
import { ids, measured, sixteenBar, slow } from "./measured.ts";
import type { PlannedChannel, PlannedDevice } from "./plan.ts";
import { siteDevices } from "./riverside-site.ts";

/** A contact input without an alarm. */
const logged = { inputMode: InputMode.statusLog };

/** An output driven by one channel's alarm. */
const drivenBy = (name: string, source: NonNullable<PlannedChannel["settings"]>): PlannedChannel => ({
  name,
  settings: { outputMode: OutputMode.channel, ...source },
});

const pumpHouse: PlannedDevice = {
  deviceSnId: ids.pumpHouse,
  name: "Pump house 2",
  model: Model.mixed,
  deviceType: DeviceType.main,
  installed: [91, "09:40"],
  installedBy: Role.installer,
  orders: [{ on: [41, "11:32"], years: 1, reportIntervalLimit: 1 }],
  saves: [
    // The first limit was too low with both pumps running.
    {
      on: [75, "10:52"],
      by: Role.deviceManager,
      before: { AI1: { higherAlarm: 7, lowerAlarm: undefined, lowerHysteresis: undefined, reportInterval: 120 } },
    },
    {
      on: [58, "14:25"],
      by: Role.installer,
      before: { DO1: { outputMode: OutputMode.all, source: undefined, sourceType: undefined } },
    },
    { on: [31, "09:18"], by: Role.deviceManager, before: { AI1: { higherAlarm: 7.5 } } },
  ],
  channels: {
    AI1: measured("Discharge pressure", "dischargePressure", { ...sixteenBar, lowerAlarm: 2, lowerHysteresis: 0.2 }),
    AI2: measured("Wet well level", "wetWellLevel", {
      analogId: Analog.displacement,
      unit: "m",
      span: 4,
      higherAlarm: 3.1,
      higherHysteresis: 0.15,
    }),
    AI3: measured("Feed water flow", "flow"),
    AI4: measured(
      "Wet well gas",
      "gas",
      {
        analogId: Analog.gasConcentration,
        unit: "ppm",
        span: 50,
        higherAlarm: 10,
        higherHysteresis: 1,
        reportInterval: 30,
      },
      slow,
    ),
    DI1: measured("Sump float switch", "floatSwitch"),
    DI2: measured("Pump house door", "door", logged),
    DI3: measured("Door counter", "doorOpenings", {
      analogId: Analog.countingInput,
      inputMode: InputMode.counting,
      alarmData: 1_000_000,
    }),
    DI4: measured("Run feedback, pump 1", "pumpRunning", logged),
    DO1: drivenBy("Standby fan relay", { source: "AI4", sourceType: SourceType.high }),
    DO2: { name: "Beacon" },
    TEMP: measured("Pump house temperature", "roomTemperature", { reportInterval: 30 }, slow),
    HUM: measured("Pump house humidity", "roomHumidity", { reportInterval: 30 }, slow),
  },
};

const bearing = { higherAlarm: 75, higherHysteresis: 3, span: 120, reportInterval: 10 };
const shaft = { span: 3600, reportInterval: 10 };

const boosterSkid: PlannedDevice = {
  deviceSnId: ids.boosterSkid,
  name: "Booster pump skid",
  model: Model.analog,
  deviceType: DeviceType.sub,
  parent: ids.pumpHouse,
  installed: [91, "10:15"],
  installedBy: Role.installer,
  channels: {
    AI1: measured(
      "Bearing temperature, pump 1",
      "bearingTemperature",
      {
        ...bearing,
        analogId: Analog.temperature,
        unit: "°C",
      },
      slow,
    ),
    AI2: measured("Bearing temperature, pump 2", "bearingTemperature", bearing, slow),
    AI3: measured("Shaft speed, pump 1", "speed", { ...shaft, analogId: Analog.speed, unit: "rpm" }, 120),
    AI4: measured(
      "Shaft torque, pump 1",
      "torque",
      {
        analogId: Analog.torque,
        unit: "Nm",
        span: 200,
        reportInterval: 10,
      },
      120,
    ),
  },
};

const axis = (name: string, signal: string) =>
  measured(name, signal, { higherAlarm: 300, higherHysteresis: 15, span: 2000, reportInterval: 10 }, 120);

const subDevices: PlannedDevice[] = [
  boosterSkid,
  {
    deviceSnId: ids.sump,
    name: "Sump station",
    model: Model.digitalInput,
    deviceType: DeviceType.sub,
    parent: ids.pumpHouse,
    installed: [84, "11:00"],
    installedBy: Role.installer,
    channels: {
      DI1: measured("High water float", "highWater"),
      DI2: measured("Hatch contact", "door", logged),
      DI3: measured("Run feedback, pump 2", "pumpRunning", logged),
      DI4: measured("Flow pulses", "flowPulses", {
        analogId: Analog.countingInput,
        inputMode: InputMode.counting,
        alarmData: 100_000_000,
      }),
    },
  },
  {
    deviceSnId: ids.yard,
    name: "Yard lighting",
    model: Model.digitalOutput,
    deviceType: DeviceType.sub,
    parent: ids.pumpHouse,
    installed: [70, "10:30"],
    installedBy: Role.deviceManager,
    channels: {
      DO1: { name: "Gate lamps" },
      DO2: { name: "Path lamps" },
      DO3: drivenBy("Tank lamps", { source: "AI2", sourceDevice: ids.pumpHouse, sourceType: SourceType.high }),
      DO4: drivenBy("Siren", { source: "DI1", sourceDevice: ids.pumpHouse, sourceType: SourceType.high }),
    },
  },
  {
    deviceSnId: ids.driveEnd,
    name: "Feed pump, drive end",
    model: Model.vibration,
    deviceType: DeviceType.sub,
    parent: ids.pumpHouse,
    installed: [90, "15:20"],
    installedBy: Role.installer,
    lowBattery: {
      on: [37, "03:12"],
      power: 18,
      confirmed: [37, "06:21"],
      confirmedBy: Role.deviceManager,
      replaced: [37, "10:44"],
    },
    channels: {
      VX: axis("Radial vibration X", "vibrationX"),
      VY: axis("Radial vibration Y", "vibrationY"),
      VZ: axis("Axial vibration Z", "vibrationZ"),
      TEMP: measured("Bearing housing temperature", "bearingTemperature", { reportInterval: 30 }, slow),
    },
  },
];

const drive = (deviceSnId: string, name: string, modbusAddress: number): PlannedDevice => ({
  ...{ deviceSnId, name, modbusAddress },
  model: Model.motorController,
  deviceType: DeviceType.sub,
  parent: ids.pumpHouse,
  installed: [21, modbusAddress === 1 ? "09:30" : "10:05"],
  installedBy: Role.installer,
  channels: {},
});

/** The devices of the demonstration's plant, masters before their sub-devices. */
export const riversideDevices: readonly PlannedDevice[] = [
  pumpHouse,
  ...subDevices,
  drive(ids.pumpDrive, "Feed pump drive", 1),
  drive(ids.standbyDrive, "Standby pump drive 2", 2),
  ...siteDevices,
];
