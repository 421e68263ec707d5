import { z } from "zod";
import { get } from "../call/call.ts";
import * as wire from "../call/wire.ts";

/** `channelType`. Registers of the third-party motor controller have their own type. (spec 2 §9) */
export const ChannelType = { analogInput: 1, digitalInput: 2, digitalOutput: 3, modbus: 4, vibration: 6 } as const;
export type ChannelType = (typeof ChannelType)[keyof typeof ChannelType];

/** `channelAnalogId`: what a channel measures. (spec 1 §3) */
export const Analog = {
  pressure: 1,
  temperature: 2,
  humidity: 3,
  flow: 4,
  frequency: 5,
  noise: 6,
  torque: 7,
  displacement: 8,
  speed: 9,
  vibration: 10,
  illuminance: 11,
  acceleration: 12,
  gasConcentration: 13,
  other: 14,
  digitalInput: 100,
  digitalOutput: 101,
  countingInput: 102,
  vibrationMg: 103,
} as const;
export type Analog = (typeof Analog)[keyof typeof Analog];

export const analogLabels: Record<Analog, string> = {
  1: "Pressure",
  2: "Temperature",
  3: "Humidity",
  4: "Flow",
  5: "Frequency",
  6: "Noise",
  7: "Torque",
  8: "Displacement",
  9: "Speed",
  10: "Vibration",
  11: "Illuminance",
  12: "Acceleration",
  13: "Gas Concentration",
  14: "Other",
  100: "DI",
  101: "DO",
  102: "DI",
  103: "Vibration",
};

/** Status of a reading and of its channel: in alarm (red), good, no data (N/A). (spec 1 §4) */
export const ReadingStatus = { alarm: 0, good: 1, noData: 2 } as const;
export type ReadingStatus = (typeof ReadingStatus)[keyof typeof ReadingStatus];

/** `Input Sensor type` of an analog input. */
export const SensorType = { volts10: 1, volts5: 2, milliamps20: 3, milliamps4to20: 4, ntc: 5 } as const;
export type SensorType = (typeof SensorType)[keyof typeof SensorType];
export const sensorTypeLabels: Record<SensorType, string> = {
  1: "0-10V",
  2: "0-5v",
  3: "0-20MA",
  4: "4-20MA",
  5: "NTC",
};

/** Form in which an analog value arrives: the sensor's volts, milliamperes or ohms, or already engineering units. */
export const ValueForm = { engineering: 1, electrical: 2 } as const;
export type ValueForm = (typeof ValueForm)[keyof typeof ValueForm];
export const valueFormLabels: Record<ValueForm, string> = { 1: "Engineering unit", 2: "Sensor signal" };

/** `Input mode` of a digital input. (spec 1 §4) */
export const InputMode = { statusLog: 1, digital: 2, counting: 3 } as const;
export type InputMode = (typeof InputMode)[keyof typeof InputMode];
export const inputModeLabels: Record<InputMode, string> = { 1: "Status Log", 2: "DI", 3: "Counting" };

/** `Mode` of a digital output: driven by the alarms of all channels (ALL), or of one channel (Channel). (spec 2 §4) */
export const OutputMode = { all: 1, channel: 2 } as const;
export type OutputMode = (typeof OutputMode)[keyof typeof OutputMode];
export const outputModeLabels: Record<OutputMode, string> = { 1: "ALL", 2: "Channel" };

/** `Control Contact`: state of a digital output while no source is in alarm. */
export const ControlContact = { normallyOpen: 1, normallyClosed: 2 } as const;
export type ControlContact = (typeof ControlContact)[keyof typeof ControlContact];
export const controlContactLabels: Record<ControlContact, string> = { 1: "Normally open", 2: "Normally closed" };

/** Which alarm of a channel drives a digital output. (spec 2 §2) */
export const SourceType = { high: 1, low: 2 } as const;
export type SourceType = (typeof SourceType)[keyof typeof SourceType];
export const sourceTypeLabels: Record<SourceType, string> = { 1: "High", 2: "Low" };

/** The settings of a channel during one settings period. Numbers are in the channel's engineering unit unless stated otherwise. */
export const ChannelSettings = z.object({
  analogId: z.int(),
  unit: z.string(),
  sensorType: z.int().optional(),
  valueForm: z.int().optional(),
  /** NTC thermistor: resistance at 25 degC in ohms and B constant in kelvin. */
  ntcType: z.string().optional(),
  zero: z.number().optional(),
  span: z.number().optional(),
  lowerAlarm: z.number().optional(),
  lowerHysteresis: z.number().optional(),
  /** Seconds that a value must be beyond the limit before the alert is raised, and back before it clears; absent: at once. */
  lowerAlarmDelay: z.int().optional(),
  lowerClearDelay: z.int().optional(),
  higherAlarm: z.number().optional(),
  higherHysteresis: z.number().optional(),
  higherAlarmDelay: z.int().optional(),
  higherClearDelay: z.int().optional(),
  inputMode: z.int().optional(),
  /** 1 Rising, 2 Down, 3 Both. */
  countingEdge: z.int().optional(),
  /** Contact level that means ON: 0 or 1. */
  userDefinedOn: z.int().optional(),
  /** DI: the level (0 or 1) that raises an alert. Counting: the count that raises one. DO: the output level. */
  alarmData: z.number().optional(),
  /** Seconds for which it must hold before the alert is raised; absent: at once. */
  alarmDelay: z.int().optional(),
  debounce: z.number().optional(),
  outputMode: z.int().optional(),
  controlContact: z.int().optional(),
  /** `channelCn` of the channel whose alarm drives the output; `sourceDevice` is its device ID, absent when it is the output's own device. */
  source: z.string().optional(),
  sourceDevice: z.string().optional(),
  sourceType: z.int().optional(),
  /** Seconds between two reports, and between two reports of an unchanged value. */
  reportInterval: z.int(),
  staticData: z.int().optional(),
});
export type ChannelSettings = z.output<typeof ChannelSettings>;

/** One channel in the grouped channel list of a device. */
export const ChannelRow = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelCn: z.string(),
  channelType: z.enum(ChannelType),
  channelAnalogId: z.int(),
  unit: z.string(),
  channelSwitch: z.int(),
});
export type ChannelRow = z.output<typeof ChannelRow>;

/** A `ReadingStatus`, as the database has it. */
const readingStatus = z
  .int()
  .describe(
    "0: alarm, 1: good, 2: no data; the value of the last is no measurement, such as one beyond the sensor's range",
  );

/** Longest seconds between two reports of a working device: the report interval, or STATIC DATA where that is longer. */
export const reportWithin = z.int();

/** A channel of a device with its newest reading. `value`, `updateTime` and `age` are null before the first. */
export const DeviceChannel = ChannelRow.extend({
  value: z.number().nullable(),
  status: readingStatus,
  updateTime: wire.time().nullable(),
  /** Milliseconds that have passed since `updateTime`, by the server's clock. */
  age: z.int().nullable(),
  reportWithin,
});
export type DeviceChannel = z.output<typeof DeviceChannel>;

/** Channels of a device under one group name: AI, DI, DO, VBS, or a `RegisterGroup` of a modbus device. */
export const ChannelGroup = z.object({ name: z.string(), channels: z.array(DeviceChannel) });
export type ChannelGroup = z.output<typeof ChannelGroup>;

/** A channel's current value. `value` and `updateTime` are null before the first reading. */
export const ChannelValue = z.object({
  deviceChannelId: z.int(),
  value: z.number().nullable(),
  status: readingStatus,
  unit: z.string(),
  channelAnalogId: z.int(),
  channelType: z.enum(ChannelType),
  updateTime: wire.time().nullable(),
});
export type ChannelValue = z.output<typeof ChannelValue>;

/** One setting for display: `name` is the specification's key, `nameVal` the formatted text, `val` the raw value. */
export const ShownSetting = z.object({
  name: z.string(),
  nameVal: z.string(),
  val: z.union([z.number(), z.string()]).nullable(),
});
export type ShownSetting = z.output<typeof ShownSetting>;

/** A channel with its current settings. */
export const ChannelInfo = ChannelRow.extend({
  settings: z.array(ShownSetting),
  /** Whether it has a limit that it did not come with. */
  hasOwnLimit: z.boolean(),
});
export type ChannelInfo = z.output<typeof ChannelInfo>;

/** A channel's alarm as a possible source of a digital output. `flag` is 1 when the channel has that alarm set, otherwise 0. */
export const OutputSource = z.object({
  deviceChannelId: z.int(),
  channelName: z.string(),
  channelCn: z.string(),
  deviceSnId: z.string(),
  deviceName: z.string(),
  type: z.enum(SourceType),
  flag: z.int(),
});
export type OutputSource = z.output<typeof OutputSource>;

/** A settings period from `startTime` to `endTime`; null means NOW. */
export const LogGroup = z.object({
  logGroupId: z.int(),
  startTime: wire.time(),
  endTime: wire.time().nullable(),
  inputMode: z.int().nullable(),
  channelSettingChangeDto: z.array(ShownSetting),
});
export type LogGroup = z.output<typeof LogGroup>;

/** A chart line of at most `maxChartPoints` points that preserves minima and maxima. `dataXs` are epoch milliseconds. */
export const Chart = z.object({
  dataXs: z.array(z.number()),
  dataYs: z.array(z.number()),
  unit: z.string(),
  /** Number of stored readings that the line represents. */
  count: z.int(),
  /** The range that was read in epoch milliseconds, both ends included, by the server's clock; empty when `from` is after `to`. */
  from: z.number(),
  to: z.number(),
});
export type Chart = z.output<typeof Chart>;
export const maxChartPoints = 2000;

export const LogPoint = z.object({
  createdTime: wire.time(),
  value: z.number(),
  valueUnit: z.string(),
  status: readingStatus,
  deviceTimestamp: wire.time(),
});
export type LogPoint = z.output<typeof LogPoint>;

export const channels = {
  grouped: get("/api/device/detail/channel", {
    access: "devices.read",
    summary: "Channels of a device with their newest readings, grouped by name",
    query: z.object({ deviceId: wire.int() }),
    result: z.array(ChannelGroup),
  }),
  ofModbusDevice: get("/api/device/channel/list", {
    access: "devices.read",
    summary: "The one channel list of a third-party modbus device (typeId 6), with the newest readings",
    query: z.object({ deviceId: wire.int(), displayType: wire.int().default(1) }),
    result: z.array(DeviceChannel),
  }),
  value: get("/api/device/getData", {
    access: "devices.read",
    summary: "A channel's current value",
    query: z.object({ deviceChannelId: wire.int() }),
    result: ChannelValue,
  }),
  info: get("/api/channel/info", {
    access: "configuration.read",
    summary: "Channels of a device in order, with their current settings",
    query: z.object({ deviceId: wire.int() }),
    result: z.array(ChannelInfo),
  }),
  outputSources: get("/api/device/getDoSource", {
    access: "devices.read",
    summary:
      "Possible sources of a digital output: High and Low alarms of the analog and digital inputs of the device and its master",
    query: z.object({ deviceId: wire.int() }),
    result: z.array(OutputSource),
  }),
};
