import type { ContactStatus, ContactType } from "@telltale/contract/contacts";
import type { DeviceType, Model } from "@telltale/contract/devices";
import type { Role } from "@telltale/contract/permissions";
import type { ChannelChange } from "../devices/provision.ts";

/** A channel of a demonstration device; `signal` is the quantity of the simulated station that it measures. */
export interface PlannedChannel extends ChannelChange {
  name: string;
  signal?: string;
  /** Settings that were in force before, oldest first: those that differ from the present ones, and until how many days ago. */
  earlier?: readonly { until: number; settings: NonNullable<ChannelChange["settings"]> }[];
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
  /** Days ago that it was installed and that its service was paid; `servedFor` days from now its service ends. */
  installed: number;
  paid?: number;
  servedFor: number;
  channels: Record<string, PlannedChannel>;
  /**
   * How it is found: simulated (the default), never heard of, or silent since yesterday.
   * Payment Due needs no word: its service has ended.
   */
  isFound?: "never heard" | "silent";
}

export interface PlannedUser {
  email: string;
  firstName: string;
  lastName: string;
  roleType: Role;
  cellNumber: string;
}

/** A tile: a channel as device ID and code, a group of channels, or a whole modbus device. */
export type PlannedTile =
  | { channel: readonly [deviceSnId: string, code: string] }
  | { group: string; icon: number; deviceSnId: string; codes: readonly string[] }
  | { device: string };

export interface PlannedDashboard {
  name: string;
  notes: string;
  isDefault: boolean;
  tiles: readonly PlannedTile[];
}

/** Whom alerts may be told besides the users, asked so many days ago. */
export interface PlannedContact {
  firstName: string;
  lastName: string;
  type: ContactType;
  contactInfo: string;
  status: ContactStatus;
  asked: number;
}

/** A custom alarm on a channel, or a device's own limits or notifications by a name; `recipients` are contacts by their address or number. */
export type PlannedAlarm = { name: string; recipients: readonly string[] } & (
  | { channel: readonly [deviceSnId: string, code: string]; type: number; value: number; hysteresis: number }
  | { device: string; alarmClass: number }
);

export interface PlannedPlant {
  name: string;
  timeZoneId: string;
  devices: readonly PlannedDevice[];
  dashboards: readonly PlannedDashboard[];
  contacts: readonly PlannedContact[];
  alarms: readonly PlannedAlarm[];
}
