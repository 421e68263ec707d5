import type { Client } from "@telltale/contract/call/client";
import { type ChannelKeys, Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Analog, SourceType } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import type { PlannedEntry } from "../differences.ts";
import type { PlantFile } from "../document/document.ts";
import { analogWords, selfRegisteringWords } from "../document/words.ts";
import type { Plant, PlantDevice } from "../plant.ts";
import { channelIdOf, channelOf, deviceNamed } from "./references.ts";

/** Claims a device for the plant, or has the plant expect one that will register itself. */
export const addDevice = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.devices?.[name];
  if (!wanted) return;
  const deviceName = wanted.name ?? name;
  if (wanted.serial !== undefined && wanted.model !== undefined) {
    await client(provisioning.expect, { serial: wanted.serial, deviceName, model: selfRegisteringWords[wanted.model] });
    return;
  }
  const master = wanted.master === undefined ? {} : { parentDeviceId: deviceNamed(plant, wanted.master).row.deviceId };
  await client(devices.add, { deviceSnId: wanted.id ?? "", deviceName, ...master });
};

const source = /^(.+) (High|Low)$/;

/** A setting's value as the call takes it: of an output's source the channel's id. */
const keysOf = (plant: Plant, settings: Record<string, string | number | null | undefined>): ChannelKeys =>
  Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const [, channel, type] = key === Key.source && typeof value === "string" ? (source.exec(value) ?? []) : [];
      if (channel === undefined) return [key, value ?? null];
      const deviceChannelId = channelIdOf(plant, channel);
      return [key, { deviceChannelId, type: type === "High" ? SourceType.high : SourceType.low }];
    }),
  );

/** What differs, below this path of an entry. */
const under = ({ differences }: PlannedEntry, ...path: string[]): { key: string; after: unknown }[] =>
  differences.flatMap(({ path: of, after }) => {
    const own = of.slice(2);
    return path.every((part, at) => own[at] === part) && own.length === path.length + 1
      ? [{ key: own.at(-1) ?? "", after }]
      : [];
  });

const applyFields = async (client: Client, { row }: PlantDevice, entry: PlannedEntry): Promise<void> => {
  const changed = Object.fromEntries(under(entry).map(({ key, after }) => [key, after]));
  const fields = {
    ...(typeof changed.name === "string" && { deviceName: changed.name }),
    ...(typeof changed.offlineAfter === "number" && { offlineReport: changed.offlineAfter }),
    ...(typeof changed.reportEvery === "number" && { periodicity: changed.reportEvery }),
  };
  const { deviceId, version, deviceSnId } = row;
  if (Object.keys(fields).length > 0) await client(deviceConfiguration.update, { deviceId, version, ...fields });
  if (typeof changed.disabled === "boolean")
    await client(deviceConfiguration.updateStatus, { deviceSnId, isDisabled: changed.disabled ? 1 : 0 });
  if (typeof changed.master === "string")
    throw new Error(`Its main device cannot be changed to ${changed.master}: delete the device and add it there`);
};

const applyChannels = async (client: Client, plant: Plant, device: PlantDevice, entry: PlannedEntry): Promise<void> => {
  for (const [, , part, code] of entry.differences.map(({ path }) => path))
    if (part === "channels" && code !== undefined) channelOf(device, code);
  const payload: { channelId: number; channelName?: string; channelKeys: ChannelKeys }[] = [];
  for (const { channelCn, deviceChannelId, channelSwitch } of device.setup.channels) {
    const fields = Object.fromEntries(under(entry, "channels", channelCn).map(({ key, after }) => [key, after]));
    const settings = under(entry, "channels", channelCn, "settings").map(({ key, after }) => [key, after]);
    const on = fields.on === undefined ? undefined : fields.on ? 1 : 0;
    if (on !== undefined && on !== channelSwitch)
      await client(channelSettings.modifyBasic, { channelId: deviceChannelId, channelSwitch: on });
    if (settings.length === 0 && fields.name === undefined) continue;
    payload.push({
      channelId: deviceChannelId,
      ...(typeof fields.name === "string" && { channelName: fields.name }),
      channelKeys: keysOf(plant, Object.fromEntries(settings)),
    });
  }
  if (payload.length > 0) await client(channelSettings.modify, { deviceId: device.row.deviceId, payload });
};

const applyGroups = async (client: Client, device: PlantDevice, file: PlantFile, name: string): Promise<void> => {
  for (const [groupName, { icon, channels }] of Object.entries(file.devices?.[name]?.groups ?? {})) {
    const present = device.groups.get(groupName);
    const deviceChannelIds = channels.map((code) => channelOf(device, code));
    const wanted = icon ? analogWords[icon] : (present?.icon ?? Analog.other);
    if (present?.icon === wanted && present.deviceChannelIds.join() === deviceChannelIds.join()) continue;
    await client(dashboards.editGroup, {
      ...(present && { dashboardGroupId: present.dashboardGroupId, version: present.version }),
      ...{ groupName, icon: wanted, deviceId: device.row.deviceId, deviceChannelIds },
    });
  }
};

/** Changes a device, its channels and its groups. The report interval comes first: it changes that of all channels. */
export const applyDevice = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  entry: PlannedEntry,
): Promise<void> => {
  const device = deviceNamed(plant, entry.name);
  await applyFields(client, device, entry);
  await applyChannels(client, plant, device, entry);
  await applyGroups(client, device, file, entry.name);
};
