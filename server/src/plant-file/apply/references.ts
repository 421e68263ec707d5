import type { Plant, PlantDevice } from "../plant.ts";

const missing = (what: string): Error => new Error(`There is no ${what}: what it depends on was refused`);

/** The device of this name in the file. */
export const deviceNamed = (plant: Plant, name: string): PlantDevice => {
  const device = plant.devices.get(name);
  if (!device) throw missing(`device ${name}`);
  return device;
};

const parted = (reference: string): [device: string, rest: string] => {
  const at = reference.lastIndexOf("/");
  return [reference.slice(0, at), reference.slice(at + 1)];
};

/** The id of the channel with this code of a device. */
export const channelOf = ({ setup }: PlantDevice, code: string): number => {
  const channel = setup.channels.find(({ channelCn }) => channelCn === code);
  if (!channel) throw missing(`channel ${setup.deviceName}/${code}`);
  return channel.deviceChannelId;
};

/** The id of a channel by its reference, `DEVICE/CHANNEL`. */
export const channelIdOf = (plant: Plant, reference: string): number => {
  const [device, code] = parted(reference);
  return channelOf(deviceNamed(plant, device), code);
};

/** The id of an alert by its reference, `DEVICE/ALERT`. */
export const alarmIdOf = (plant: Plant, reference: string): number => {
  const [device, name] = parted(reference);
  const alert = deviceNamed(plant, device).alerts.get(name);
  if (!alert) throw missing(`alert ${reference}`);
  return alert.alarmId;
};

/** The id of a group of a motor controller's channels by its reference, `DEVICE/GROUP`. */
export const groupIdOf = (plant: Plant, reference: string): number => {
  const [device, name] = parted(reference);
  const group = deviceNamed(plant, device).groups.get(name);
  if (!group) throw missing(`group ${reference}`);
  return group.dashboardGroupId;
};
