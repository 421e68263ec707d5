import { Analog, InputMode, OutputMode, SourceType } from "@telltale/contract/channels";
import { DeviceType, Model } from "@telltale/contract/devices";
import type { PlannedChannel, PlannedDevice } from "./plan.ts";

/** Device IDs, as they are printed on the units. */
export const ids = {
  pumpHouse: "7C9EBD4A3F12",
  boosterSkid: "7C9EBD4A41A7",
  sump: "7C9EBD4A77E0",
  yard: "7C9EBD4A8E31",
  driveEnd: "7C9EBD4A41C0",
  pumpDrive: "7C9EBD4A6D71",
  standbyDrive: "7C9EBD4A6D72",
  controlRoom: "7C9EBD4A6D02",
  compressor: "7C9EBD4A90C4",
  coldStore: "7C9EBD4A5B3E",
  tankFarm: "7C9EBD4A9A40",
  testBench: "7C9EBD4AB001",
} as const;

const reportInterval = 5;

const measured = (name: string, signal: string, settings: PlannedChannel["settings"] = {}): PlannedChannel => ({
  name,
  signal,
  settings: { reportInterval, ...settings },
});

/** A transmitter of 0 to 16 bar. */
export const sixteenBar = { span: 16, higherAlarm: 8, higherHysteresis: 0.2 };

/** A contact that is watched and raises nothing. */
const logged = { inputMode: InputMode.statusLog, reportInterval };

/** An output that one channel's alarm closes. */
const drivenBy = (name: string, source: NonNullable<PlannedChannel["settings"]>): PlannedChannel => ({
  name,
  settings: { outputMode: OutputMode.channel, ...source },
});

const pumpHouse: PlannedDevice = {
  deviceSnId: ids.pumpHouse,
  name: "Pump house 2",
  model: Model.mixed,
  deviceType: DeviceType.main,
  installed: 612,
  paid: 247,
  servedFor: 483,
  channels: {
    AI1: {
      ...measured("Discharge pressure", "dischargePressure", {
        ...sixteenBar,
        lowerAlarm: 2,
        lowerHysteresis: 0.2,
      }),
      earlier: [
        { until: 75, settings: { higherAlarm: 7, lowerAlarm: undefined, reportInterval: 60 } },
        { until: 31, settings: { higherAlarm: 7.5, reportInterval: 15 } },
      ],
    },
    AI2: measured("Wet well level", "wetWellLevel", {
      analogId: Analog.displacement,
      unit: "m",
      span: 4,
      higherAlarm: 3.1,
      higherHysteresis: 0.15,
    }),
    AI3: measured("Feed water flow", "flow"),
    AI4: measured("Wet well gas", "gas", {
      analogId: Analog.gasConcentration,
      unit: "ppm",
      span: 50,
      higherAlarm: 10,
      higherHysteresis: 1,
    }),
    DI1: measured("Sump float switch", "floatSwitch"),
    DI2: measured("Pump house door", "door", logged),
    DI3: measured("Door counter", "doorOpenings", {
      analogId: Analog.countingInput,
      inputMode: InputMode.counting,
      alarmData: 1_000_000,
      reportInterval,
    }),
    DI4: measured("Run feedback, pump 1", "pumpRunning", logged),
    DO1: {
      ...drivenBy("Standby fan relay", { source: "AI4", sourceType: SourceType.high }),
      earlier: [{ until: 58, settings: { outputMode: OutputMode.all, source: undefined, sourceType: undefined } }],
    },
    DO2: { name: "Beacon" },
    TEMP: measured("Pump house temperature", "roomTemperature", { reportInterval: 30 }),
    HUM: measured("Pump house humidity", "roomHumidity", { reportInterval: 30 }),
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
  installed: 612,
  paid: 247,
  servedFor: 483,
  channels: {
    AI1: measured("Bearing temperature, pump 1", "bearingTemperature", {
      ...bearing,
      analogId: Analog.temperature,
      unit: "°C",
    }),
    AI2: measured("Bearing temperature, pump 2", "bearingTemperature", bearing),
    AI3: measured("Shaft speed, pump 1", "speed", { ...shaft, analogId: Analog.speed, unit: "rpm" }),
    AI4: measured("Shaft torque, pump 1", "torque", {
      analogId: Analog.torque,
      unit: "Nm",
      span: 200,
      reportInterval: 10,
    }),
  },
};

const axis = (name: string, signal: string) =>
  measured(name, signal, { higherAlarm: 300, higherHysteresis: 15, span: 2000, reportInterval: 10 });

const subDevices: PlannedDevice[] = [
  boosterSkid,
  {
    deviceSnId: ids.sump,
    name: "Sump station",
    model: Model.digitalInput,
    deviceType: DeviceType.sub,
    parent: ids.pumpHouse,
    installed: 340,
    servedFor: 483,
    channels: {
      DI1: measured("High water float", "floatSwitch"),
      DI2: measured("Hatch contact", "door", logged),
      DI3: measured("Run feedback, pump 2", "pumpRunning", logged),
      DI4: measured("Flow pulses", "flowPulses", {
        analogId: Analog.countingInput,
        inputMode: InputMode.counting,
        alarmData: 100_000_000,
        reportInterval,
      }),
    },
  },
  {
    deviceSnId: ids.yard,
    name: "Yard lighting",
    model: Model.digitalOutput,
    deviceType: DeviceType.sub,
    parent: ids.pumpHouse,
    installed: 232,
    servedFor: 483,
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
    installed: 536,
    paid: 247,
    servedFor: 483,
    channels: {
      VX: axis("Radial vibration X", "vibrationX"),
      VY: axis("Radial vibration Y", "vibrationY"),
      VZ: axis("Axial vibration Z", "vibrationZ"),
      TEMP: measured("Bearing housing temperature", "bearingTemperature", { reportInterval: 30 }),
    },
  },
];

const drive = (deviceSnId: string, name: string, modbusAddress: number): PlannedDevice => ({
  ...{ deviceSnId, name, modbusAddress },
  model: Model.motorController,
  deviceType: DeviceType.sub,
  parent: ids.pumpHouse,
  installed: 113,
  paid: 113,
  servedFor: 252,
  channels: {},
});

const mainDevices: PlannedDevice[] = [
  {
    deviceSnId: ids.controlRoom,
    name: "Control building",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: 279,
    paid: 279,
    servedFor: 86,
    channels: {
      AI1: measured("Outdoor temperature", "ambientTemperature", {
        analogId: Analog.temperature,
        unit: "°C",
        zero: -30,
        span: 60,
        higherAlarm: 45,
        higherHysteresis: 1,
      }),
      AI2: measured("Outdoor humidity", "ambientHumidity", {
        analogId: Analog.humidity,
        unit: "%",
        span: 100,
        higherAlarm: undefined,
        higherHysteresis: undefined,
      }),
      AI3: measured("Daylight", "illuminance", { analogId: Analog.illuminance, unit: "lx", span: 120_000 }),
      AI4: measured("Noise at the fence", "soundLevel", { analogId: Analog.noise, unit: "dB", span: 130 }),
    },
  },
  {
    deviceSnId: ids.compressor,
    name: "Compressor A",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: 370,
    paid: 370,
    servedFor: -5,
    channels: {
      AI1: measured("Line pressure", "dischargePressure", sixteenBar),
      AI2: measured("Winding temperature", "bearingTemperature", { higherAlarm: 95, higherHysteresis: 3 }),
      AI3: measured("Delivered flow", "flow"),
      AI4: measured("Room humidity", "roomHumidity"),
    },
  },
  {
    deviceSnId: ids.coldStore,
    name: "Cold store 4",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: 315,
    paid: 315,
    servedFor: 415,
    isFound: "silent",
    channels: {
      AI1: { name: "Evaporator pressure", settings: sixteenBar },
      AI2: {
        name: "Cold store 4 temperature",
        settings: { zero: -40, span: 40, higherAlarm: 6, higherHysteresis: 0.5 },
      },
      AI3: { name: "Coolant flow" },
      AI4: { name: "Cold store 4 humidity" },
    },
  },
  {
    // Nobody simulates it: it waits for what whoever tries the product lets it say.
    deviceSnId: ids.testBench,
    name: "Test bench",
    model: Model.analog,
    deviceType: DeviceType.main,
    installed: 1,
    servedFor: 364,
    isFound: "never heard",
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
    installed: 3,
    servedFor: 362,
    isFound: "never heard",
    channels: {
      DI1: { name: "Tank 1 full" },
      DI2: { name: "Tank 2 full" },
      DI3: { name: "Bund leak" },
      DI4: { name: "Gate contact" },
    },
  },
];

/** The devices of the demonstration's plant, masters before their sub-devices. */
export const riversideDevices: readonly PlannedDevice[] = [
  pumpHouse,
  ...subDevices,
  drive(ids.pumpDrive, "Feed pump drive", 1),
  drive(ids.standbyDrive, "Standby pump drive 2", 2),
  ...mainDevices,
];
