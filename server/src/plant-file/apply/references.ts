import { ownerWord } from "../document/words.ts";
import { referred } from "../known.ts";
import type { Plant, PlantDevice } from "../plant.ts";

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`There is no ${what}: it was refused, or what it needs was`);
  return value;
};

/** The device of this name in the file. */
export const deviceNamed = (plant: Plant, name: string): PlantDevice =>
  found(plant.devices.get(name), `device ${name}`);

const codeIn = ({ setup }: PlantDevice, code: string): number | undefined =>
  setup.channels.find(({ channelCn }) => channelCn === code)?.deviceChannelId;

/** The id of the channel with this code of a device. */
export const channelOf = (device: PlantDevice, code: string): number => {
  const channelId = codeIn(device, code);
  if (channelId !== undefined) return channelId;
  const codes = device.setup.channels.map(({ channelCn }) => channelCn);
  throw new Error(`There is no channel ${device.setup.deviceName}/${code}: the device has ${codes.join(", ")}`);
};

/** The id of a channel by its reference, `DEVICE/CHANNEL`. */
export const channelIdOf = (plant: Plant, reference: string): number =>
  found(referred(plant, reference, codeIn), `channel ${reference}`);

/** The id of an alert by its reference, `DEVICE/ALERT`. */
export const alarmIdOf = (plant: Plant, reference: string): number =>
  found(
    referred(plant, reference, ({ alerts }, name) => alerts.get(name)?.alarmId),
    `alert ${reference}`,
  );

/** The id of a group of a motor controller's channels by its reference, `DEVICE/GROUP`. */
export const groupIdOf = (plant: Plant, reference: string): number =>
  found(
    referred(plant, reference, ({ groups }, name) => groups.get(name)?.dashboardGroupId),
    `group ${reference}`,
  );

/** The account of a user by mail address, or of the owner. */
export const accountIdOf = (plant: Plant, user: string): number =>
  found(user === ownerWord ? plant.owner?.accountId : plant.users.get(user)?.accountId, `user ${user}`);

export const contactIdOf = (plant: Plant, address: string): number =>
  found(plant.contacts.get(address)?.notifyUserId, `contact ${address}`);

export const rosterIdOf = (plant: Plant, name: string): number =>
  found(plant.rosters.get(name)?.rosterId, `roster ${name}`);

export const webhookIdOf = (plant: Plant, name: string): number =>
  found(plant.webhooks.get(name)?.webhookId, `webhook ${name}`);

export const planIdOf = (plant: Plant, name: string): number =>
  found(plant.plans.get(name)?.planId, `escalation plan ${name}`);

export const dashboardIdOf = (plant: Plant, name: string): number =>
  found(plant.dashboards.get(name)?.dashboardId, `dashboard ${name}`);
