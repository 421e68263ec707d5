import type { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import type { Analog, ChannelSettings } from "@telltale/contract/domains/channels";
import type { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { ContactStatus } from "@telltale/contract/domains/people/contacts";
import type { ContactType } from "@telltale/contract/notification-channels";
import type { Role } from "@telltale/contract/permissions";
import type { ChannelChange } from "../../modules/devices/index.ts";
import type { Moment } from "./moments.ts";

/** A channel of a demonstration device; `signal` is the quantity of the simulated station that it measures. */
export interface PlannedChannel extends ChannelChange {
  name: string;
  signal?: string;
  /** Which of two similar machines it belongs to, where the names do not tell. */
  number?: 1 | 2;
  /** Report interval before the last save, which set the current one; seconds. */
  usualInterval?: number;
}

/** A save of a device's settings, with the previous values of what it changed. */
export interface PlannedSave {
  on: Moment;
  by: Role;
  before: Record<string, Partial<ChannelSettings>>;
}

/** Network services bought for a device. */
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
  /** Modbus address of a third-party device. */
  modbusAddress?: number;
  installed: Moment;
  installedBy: Role;
  /** Orders of a main device; sub-devices share its service. */
  orders?: readonly PlannedOrder[];
  /** Saves of its settings, oldest first. */
  saves?: readonly PlannedSave[];
  /** A period of low battery, until the battery was replaced. */
  lowBattery?: { on: Moment; power: number; confirmed: Moment; confirmedBy: Role; replaced: Moment };
  channels: Record<string, PlannedChannel>;
  /** Not simulated. Not needed for Payment Due: its service has ended. */
  isNeverHeard?: true;
  /** Start of its lasting silence. */
  silentSince?: Moment;
}

export interface PlannedUser {
  email: string;
  firstName: string;
  lastName: string;
  roleType: Role;
  cellNumber: string;
  /** When the user joined the plant, and last signed in. */
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

/** Contacts, which can receive alerts besides the users. */
export interface PlannedContact {
  firstName: string;
  lastName: string;
  type: ContactType;
  contactInfo: string;
  status: ContactStatus;
  requestedAt: Moment;
}

/** A custom alarm on a channel, or the alarm for a device's limits or notifications; `recipients` are contacts by address or number. */
export type PlannedAlarm = {
  name: string;
  made: Moment;
  recipients: readonly string[];
  priority: AlertPriority;
  /** What to do. */
  response: string;
} & (
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
