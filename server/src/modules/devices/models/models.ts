import { channelTypes } from "@telltale/contract/channel-types/index";
import { defaultAlarmData } from "@telltale/contract/channel-types/options";
import { Analog, type ChannelSettings, ChannelType, SensorType } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { channelCodes, channelTypeOf } from "@telltale/contract/domains/fleet/provisioning";
import { type ChannelModel, defaultReportInterval } from "./channel-model.ts";
import { motorRegisters } from "./motor-registers.ts";

/** Report interval and STATIC DATA of a new channel, seconds. */
const reporting = { reportInterval: defaultReportInterval, staticData: 600 };

type FactorySettings = Pick<ChannelSettings, "analogId" | "unit"> & Partial<ChannelSettings>;

/** A channel with its type's defaults, and what its model sets otherwise. */
const channel = (type: ChannelType, group: string, code: string, settings: FactorySettings): ChannelModel => ({
  code,
  type,
  group,
  settings: { ...reporting, ...channelTypes[type].defaults, ...settings },
});

const analog = (code: string, settings: FactorySettings): ChannelModel =>
  channel(ChannelType.analogInput, "AI", code, { sensorType: SensorType.milliamps4to20, ...settings });

const analogInputs: readonly ChannelModel[] = [
  analog("AI1", { analogId: Analog.pressure, unit: "bar", zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 2 }),
  analog("AI2", { analogId: Analog.temperature, unit: "°C", zero: 0, span: 150, higherAlarm: 90, higherHysteresis: 2 }),
  analog("AI3", { analogId: Analog.flow, unit: "m³/h", zero: 0, span: 100 }),
  analog("AI4", { analogId: Analog.humidity, unit: "%", zero: 0, span: 100 }),
];

/** By default a contact's ON raises an alert. (spec 2 §9: default alarm data 1, debounce 2) */
const digitalInput = (code: string): ChannelModel =>
  channel(ChannelType.digitalInput, "DI", code, {
    analogId: Analog.digitalInput,
    unit: "",
    alarmData: defaultAlarmData,
  });

/** By default an output closes with any alarm of its device. */
const digitalOutput = (code: string): ChannelModel =>
  channel(ChannelType.digitalOutput, "DO", code, { analogId: Analog.digitalOutput, unit: "" });

/** A built-in sensor of the unit, which has no electrical range to set. */
const builtIn = (code: string, settings: FactorySettings): ChannelModel =>
  channel(ChannelType.analogInput, "AI", code, settings);

const ownTemperature = builtIn("TEMP", { analogId: Analog.temperature, unit: "°C", zero: -40, span: 125 });
const ownHumidity = builtIn("HUM", { analogId: Analog.humidity, unit: "%", zero: 0, span: 100 });

const axis = (code: string): ChannelModel =>
  channel(ChannelType.vibration, "VBS", code, {
    analogId: Analog.vibrationMg,
    unit: "mg",
    zero: 0,
    span: 16_000,
    higherAlarm: 550,
    higherHysteresis: 25,
  });

const axes = ["VX", "VY", "VZ"].map(axis);
const named = new Map([...analogInputs, ...axes, ownTemperature, ownHumidity].map((each) => [each.code, each]));

/** The channel with this code: contacts and outputs are all alike. */
const channelOf = (code: string): ChannelModel =>
  named.get(code) ?? (channelTypeOf(code) === ChannelType.digitalInput ? digitalInput(code) : digitalOutput(code));

const vibration = channelCodes[Model.vibration].map((code) => ({ ...channelOf(code), group: "VBS" }));

const channels: Record<Model, readonly ChannelModel[]> = {
  [Model.analog]: channelCodes[Model.analog].map(channelOf),
  [Model.digitalInput]: channelCodes[Model.digitalInput].map(channelOf),
  [Model.digitalOutput]: channelCodes[Model.digitalOutput].map(channelOf),
  [Model.mixed]: channelCodes[Model.mixed].map(channelOf),
  [Model.vibration]: vibration,
  [Model.motorController]: motorRegisters,
};

/** The channels of a model in order. */
export const channelsOf = (model: Model, deviceType: DeviceType): readonly ChannelModel[] =>
  model === Model.vibration && deviceType === DeviceType.main
    ? // A main device's list hides the group VBS (spec 1 §2), which is meant for the axes of its sub-devices.
      vibration.map((channel) => ({ ...channel, group: "VIBRATION" }))
    : channels[model];

const partNumbers: Record<Model, string> = {
  [Model.analog]: "AIS-420-16",
  [Model.digitalInput]: "DIS-024-04",
  [Model.digitalOutput]: "DOS-240-04",
  [Model.mixed]: "MIX-420-10",
  [Model.vibration]: "VBS-3A-16G",
  [Model.motorController]: "MPA2-240-32",
};

/** P/N: battery sub-devices end in `-B`; the third-party controller has one P/N only. (spec 2 §9) */
export const partNumberOf = (model: Model, deviceType: DeviceType): string =>
  deviceType === DeviceType.sub && model !== Model.motorController ? `${partNumbers[model]}-B` : partNumbers[model];

/** Whether devices of the model may have this type; see `Model`. */
export const existsAs = (model: Model, deviceType: DeviceType): boolean => {
  if (model === Model.mixed) return deviceType === DeviceType.main;
  if (model === Model.motorController) return deviceType === DeviceType.sub;
  return true;
};
