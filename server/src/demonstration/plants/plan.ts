import type { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import type { Analog, ChannelSettings } from "@telltale/contract/domains/channels";
import type { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { ContactStatus, ContactType } from "@telltale/contract/domains/people/contacts";
import type { Role } from "@telltale/contract/permissions";
import type { ChannelChange } from "../../modules/devices/index.ts";
import type { Moment } from "./moments.ts";

/** A channel of a demonstration device; `signal` is the quantity of the simulated station that it measures. */
export interface PlannedChannel extends ChannelChange {
  name: string;
  signal?: string;
  /** Which of two like machines it is fitted to, where the names don't tell. */
  number?: 1 | 2;
  /** Seconds between its reports until the last change, which brought the report interval of now. */
  usualInterval?: number;
}

/** A save of a device's settings: what it changed, as it was before. */
export interface PlannedSave {
  on: Moment;
  by: Role;
  before: Record<string, Partial<ChannelSettings>>;
}

/** Network services that were bought for a device. */
export interface PlannedOrder {
  on: Moment;
  years: number;
  reportIntervalLimit: number;
}

export interface PlannedDevice {
  deviceSnId: string;
  name: string;
  model: Model;
  deviceType: DeviceType;
  /** Device ID of its master. */
  parent?: string;
  /** Of a third-party device: where its master finds it on the line. */
  modbusAddress?: number;
  installed: Moment;
  installedBy: Role;
  /** Of a main device; sub-devices share its service. */
  orders?: readonly PlannedOrder[];
  /** Saves of its settings, the earliest first. */
  saves?: readonly PlannedSave[];
  /** Nights in which its battery was low, until somebody put in another one. */
  lowBattery?: { on: Moment; power: number; confirmed: Moment; confirmedBy: Role; replaced: Moment };
  channels: Record<string, PlannedChannel>;
  /** Nobody simulates it. Payment Due needs no word: its service has ended. */
  isNeverHeard?: true;
  /** Since when nothing has been heard of it. */
  silentSince?: Moment;
}

export interface PlannedUser {
  email: string;
  firstName: string;
  lastName: string;
  roleType: Role;
  cellNumber: string;
  /** When the user came to the plant, and signed in last. */
  joined: Moment;
  signedIn: Moment;
}

/** A tile: a channel as device ID and code, a group of channels, or a whole modbus device. */
export type PlannedTile =
  | { channel: readonly [deviceSnId: string, code: string] }
  | { group: string; icon: Analog; deviceSnId: string; codes: readonly string[] }
  | { device: string };

export interface PlannedDashboard {
  name: string;
  notes: string;
  isDefault: boolean;
  made: Moment;
  tiles: readonly PlannedTile[];
}

/** Whom alerts may be told besides the users. */
export interface PlannedContact {
  firstName: string;
  lastName: string;
  type: ContactType;
  contactInfo: string;
  status: ContactStatus;
  asked: Moment;
}

/** A custom alarm on a channel, or a device's own limits or notifications by a name; `recipients` are contacts by their address or number. */
export type PlannedAlarm = { name: string; made: Moment; recipients: readonly string[] } & (
  | { channel: readonly [deviceSnId: string, code: string]; type: AlertType; value: number; hysteresis: number }
  | { device: string; alarmClass: AlertClass }
);

export interface PlannedPlant {
  name: string;
  timeZoneId: string;
  opened: Moment;
  devices: readonly PlannedDevice[];
  dashboards: readonly PlannedDashboard[];
  contacts: readonly PlannedContact[];
  alarms: readonly PlannedAlarm[];
}
