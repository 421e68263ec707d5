import type { DeviceAttributes } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import type { Station } from "../plant/station.ts";
import type { Device } from "./device.ts";

const tenths = (value: number): number => Math.round(value * 10) / 10;

const wakeupMode = (device: Device): string => {
  if (!device.isOnBattery) return "Always on";
  return device.spec.typeId === Model.vibration ? "Motion" : "Timer";
};

/** The client attributes of a device: room climate, and its battery (mains: 100 %). */
export const attributesOf = (device: Device, { building }: Station): DeviceAttributes => ({
  firmwareVersion: device.firmwareVersion,
  power: device.isOnBattery ? Math.round(device.battery.charge) : 100,
  wakeupMode: wakeupMode(device),
  // Its own electronics warm the housing by a degree or two.
  temperature: tenths(building.temperature + 1.5),
  humidity: Math.round(building.humidity),
  ...(device.settingsVersion === undefined ? {} : { settingsVersion: device.settingsVersion }),
});
