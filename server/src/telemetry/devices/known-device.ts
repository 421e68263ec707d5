import type { Scale } from "@telltale/contract/channel-types/scaling";
import type { Rule, RuleState } from "../../alarms/evaluate.ts";
import type { EarlierScale } from "../scaling.ts";

/** A channel's newest reading and the state of its rules; the next reading is evaluated against it. */
export interface ChannelState {
  /** Device time of the newest reading, epoch milliseconds; -Infinity before the first. */
  ts: number;
  value: number;
  status: number;
  /** When it arrived, by the server's clock, epoch milliseconds. */
  received: number;
  /** When a late reading has arrived since, which is not the newest; epoch milliseconds, 0 when none has. */
  late: number;
  /** States of the rules that are not at rest, by their keys. */
  rules: ReadonlyMap<string, RuleState>;
}

/** Alarm settings of a period: the rules that evaluate scaled readings, and what an alert records besides. */
export interface AlarmSettings {
  unit: string;
  /** Seconds. */
  reportInterval: number;
  rules: readonly Rule[];
}

/** Alarm settings of an earlier period; `from` is epoch milliseconds, -Infinity for the first. */
export interface EarlierAlarmSettings extends AlarmSettings {
  from: number;
}

/** A channel in memory, reloaded when its settings change. */
export interface KnownChannel extends AlarmSettings {
  channelId: number;
  device: KnownDevice;
  code: string;
  /** When off, its readings are refused. */
  isOn: boolean;
  scale: Scale;
  /** Time from which `scale` holds, epoch milliseconds; earlier readings use one of `earlierScales`, newest first. */
  scaledFrom: number;
  earlierScales: readonly EarlierScale[];
  /** Time from which its alarm settings hold, epoch milliseconds; earlier readings use one of `earlierAlarms`, newest first. */
  evaluatedFrom: number;
  earlierAlarms: readonly EarlierAlarmSettings[];
  /** Devices of its family with alarms whose gate it is. */
  gates: readonly number[];
  /** Its own limits have changed: see `KnownDevice.hasNewLimits`. */
  hasNewLimits: boolean;
  state: ChannelState;
  /** The state after the batch in progress; it becomes `state` when the batch is committed. */
  draft: ChannelState | undefined;
  /** An object of an earlier state, for the next draft. */
  spare: ChannelState | undefined;
  /** Its place among the channels of a batch while that is put together; -1 otherwise. */
  place: number;
}

/** A device in memory, used by gateway and writer. */
export interface KnownDevice {
  deviceId: number;
  deviceSnId: string;
  deviceName: string;
  /** Null until the device is claimed. */
  plantId: number | null;
  parentDeviceId: number | null;
  accessToken: string;
  isDisabled: boolean;
  /** End of the paid service, epoch milliseconds; null when it does not end. */
  serviceEnd: number | null;
  /** Readings before are refused, because only summaries of their hours are kept; epoch milliseconds, -Infinity when all are kept. */
  readingsFrom: number;
  channels: Map<string, KnownChannel>;
  /** Devices of its family with alarms whose gates are its channels. */
  gated: readonly number[];
  /** The bridges that its readings are queued for. */
  bridges: readonly number[];
  /** Arrival time of its last message, epoch milliseconds; 0 when none since the server started. */
  heardAt: number;
  /** When its newest MQTT connection to this server was made, epoch milliseconds; undefined when none was since the start. */
  connectedAt: number | undefined;
  /** The last of its MQTT connections to this server has ended. */
  hasDisconnected: boolean;
  /** When its link was reported lost, by the monotonic clock; undefined when it was heard since. */
  linkLostAt: number | undefined;
  /** Whether the database has the device as online. */
  isOnline: boolean;
  /** Limits of its channels have changed: their newest readings are to be evaluated now, without waiting for the next reading. */
  hasNewLimits: boolean;
  /** It has an open firmware update: its firmware reports are recorded. */
  hasOpenUpdate: boolean;
  /** Set when its row, settings or alarms have changed; the writer reloads it before the next batch. */
  isStale: boolean;
  /** Its version in the database when it was loaded or last written: see `raiseVersions`. NaN when it no longer exists. */
  version: number;
  /** How often it was loaded: what was looked up before its last loading may be outdated. */
  loads: number;
}
