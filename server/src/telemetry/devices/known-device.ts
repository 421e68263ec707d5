import type { Scale } from "@telltale/contract/channel-types/scaling";
import type { Rule } from "../../alarms/evaluate.ts";
import type { EarlierScale } from "../scaling.ts";

/** A channel's newest reading and which of its rules have an open alert; what the next reading is judged against. */
export interface ChannelState {
  /** Device time of the newest reading, epoch milliseconds; -Infinity before the first. */
  ts: number;
  value: number;
  status: number;
  openRules: ReadonlySet<string>;
}

/** What the settings of a time make of a reading once it is scaled: the rules that judge it, and what an alert says besides. */
export interface AlarmSettings {
  unit: string;
  /** Seconds. */
  reportInterval: number;
  rules: readonly Rule[];
}

/** Alarm settings that held until they were changed; `from` is epoch milliseconds, -Infinity for the first. */
export interface EarlierAlarmSettings extends AlarmSettings {
  from: number;
}

/** A channel as the writer knows it, kept in memory and loaded again when its settings change. */
export interface KnownChannel extends AlarmSettings {
  channelId: number;
  device: KnownDevice;
  code: string;
  /** Off, it reports nothing and nothing of it is stored. */
  isOn: boolean;
  scale: Scale;
  /** From when on `scale` holds, epoch milliseconds; before that one of the earlier ones, the latest first. */
  scaledFrom: number;
  earlierScales: readonly EarlierScale[];
  /** From when on its alarm settings hold, epoch milliseconds; before that one of the earlier ones, the latest first. */
  evaluatedFrom: number;
  earlierAlarms: readonly EarlierAlarmSettings[];
  /** Its own limits were changed: see `KnownDevice.hasNewLimits`. */
  hasNewLimits: boolean;
  state: ChannelState;
  /** What the batch being written makes of `state`; it becomes `state` when the batch is committed. */
  draft: ChannelState | undefined;
}

/** A device as gateway and writer know it. */
export interface KnownDevice {
  deviceId: number;
  deviceSnId: string;
  deviceName: string;
  /** Null until somebody claims the device. */
  plantId: number | null;
  parentDeviceId: number | null;
  accessToken: string;
  isDisabled: boolean;
  /** When the paid service ends, epoch milliseconds; null when it never does. */
  serviceEnd: number | null;
  channels: Map<string, KnownChannel>;
  /** When the device was last heard, epoch milliseconds; 0 when not since the server came up. */
  heardAt: number;
  /** When its link was said to be gone, by the steady clock; undefined when it was heard since. */
  linkLostAt: number | undefined;
  /** The database says that the device is online. */
  isOnline: boolean;
  /** Limits of its channels were changed: their newest readings are to be judged by these, without waiting for the next. */
  hasNewLimits: boolean;
  /** It is being given another firmware: what it says of that is taken down. */
  isUpdated: boolean;
  /** Set when its row, settings or alarms changed; the writer loads it again before the next batch. */
  isStale: boolean;
}
