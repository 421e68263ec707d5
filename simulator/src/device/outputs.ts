import { type ChannelSettings, ControlContact, OutputMode } from "@telltale/contract/domains/channels";
import type { FleetDevice } from "../fleet.ts";
import { isOutput } from "../instrument/sensor.ts";
import { alarmKey } from "./alarms.ts";

/** The digital outputs of a device: 1 when commanded or driven by an alarm, otherwise 0. */
export interface Outputs {
  /** Commanded levels, by code. */
  levels: Map<string, number>;
  state: (code: string) => number;
  /** Applies the active alarms of the device and its master, by key, to the outputs as configured. */
  drive: (alarms: ReadonlySet<string>) => void;
}

const isTriggered = (deviceSnId: string, settings: Partial<ChannelSettings>, alarms: ReadonlySet<string>): boolean => {
  const { outputMode, source = "", sourceDevice = deviceSnId, sourceType } = settings;
  if (outputMode === OutputMode.all) return alarms.size > 0;
  return outputMode === OutputMode.channel && alarms.has(alarmKey(sourceDevice, source, sourceType));
};

/** The level that alarms give an output: 0 or 1. */
const drivenState = (deviceSnId: string, settings: Partial<ChannelSettings>, alarms: ReadonlySet<string>): number => {
  const rests = settings.controlContact === ControlContact.normallyClosed;
  return isTriggered(deviceSnId, settings, alarms) === rests ? 0 : 1;
};

export const createOutputs = (
  { deviceSnId, channels }: FleetDevice,
  settingsOf: (code: string) => Partial<ChannelSettings>,
): Outputs => {
  const levels = new Map(channels.filter(isOutput).map(({ code }) => [code, 0]));
  const driven = new Map<string, number>();
  return {
    levels,
    state: (code) => levels.get(code) || driven.get(code) || 0,
    drive: (alarms) => {
      for (const code of levels.keys()) driven.set(code, drivenState(deviceSnId, settingsOf(code), alarms));
    },
  };
};
