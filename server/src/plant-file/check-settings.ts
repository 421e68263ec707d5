import { channelTypes, keysOf, reporting } from "@telltale/contract/channel-types/index";
import { type ChannelKeys, isSameValue, Key, type KeyValue } from "@telltale/contract/channel-types/keys";
import { changedKeys, channelErrors } from "@telltale/contract/channel-types/rules";
import type { ChannelSetup } from "@telltale/contract/domains/channel-settings";
import { type ChannelType, SourceType } from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";
import { channelTypeOf } from "@telltale/contract/domains/fleet/provisioning";
import type { ChannelEntry, DeviceEntry } from "./document/document.ts";
import type { PlantDevice } from "./plant.ts";

/** What is wrong with a channel's settings: of one of them, or of all together. */
interface Fault {
  code: string;
  key?: string;
  text: string;
}

/** A setting as the rules know it. Whether the source exists is looked up elsewhere. */
const keyValue = (key: string, value: string | number | null): KeyValue =>
  key === Key.source && typeof value === "string" ? { deviceChannelId: 0, type: SourceType.high } : value;

const missing = (type: ChannelType, settings: NonNullable<ChannelEntry["settings"]>): string[] => {
  const known: readonly string[] = [...channelTypes[type].stored, ...reporting];
  return Object.keys(settings).filter((key) => !known.includes(key));
};

/** What the server would refuse of a channel that the plant has: the same rules, on what it would be after the change. */
const refusals = (
  { reportEvery }: DeviceEntry,
  { row, setup }: PlantDevice,
  channel: ChannelSetup,
  { on, settings = {} }: ChannelEntry,
): Fault[] => {
  // The device's interval is given to all its channels before their own settings.
  const ofDevice =
    reportEvery !== undefined && reportEvery !== row.periodicity ? { [Key.reportInterval]: reportEvery } : {};
  const said = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, keyValue(key, value)]));
  const before: ChannelKeys = { ...channel.channelKeys, ...ofDevice };
  const edited = {
    ...{ channelType: channel.channelType, isBuiltIn: channel.isBuiltIn, before, after: { ...before, ...said } },
    ...{ isOn: on ?? channel.channelSwitch === 1, isSubDevice: setup.deviceType === DeviceType.sub },
    reportIntervalLimit: setup.reportIntervalLimit,
  };
  const code = channel.channelCn;
  const has: readonly string[] = keysOf(edited, edited.after);
  const stored = new Map(Object.entries(channel.channelKeys));
  const idle = Object.entries(said).filter(
    ([key, value]) => value !== null && !has.includes(key) && !isSameValue(value, stored.get(key)),
  );
  const without = idle.map(([key]) => ({ code, key, text: "it means nothing with the channel's other settings" }));
  if (changedKeys(edited).length === 0) return without;
  const errors = Object.entries(channelErrors(edited)).map(([key, text]) => ({
    code,
    ...(Object.hasOwn(settings, key) ? { key, text } : { text: `${key}: ${text}` }),
  }));
  return [...without, ...errors];
};

/** What is wrong with the settings that the file gives a device's channels, as far as it is told before the device is in the plant. */
export const settingFaults = (device: DeviceEntry, present: PlantDevice | undefined): Fault[] =>
  Object.entries(device.channels ?? {}).flatMap(([code, entry]): Fault[] => {
    const channel = present?.setup.channels.find(({ channelCn }) => channelCn === code);
    const type = channel?.channelType ?? channelTypeOf(code);
    if (type === undefined || entry.settings === undefined) return [];
    const { label = "such a channel", stored } = channelTypes[type];
    const none = missing(type, entry.settings);
    if (none.length > 0)
      return none.map((key) => ({ code, key, text: `${label} has no such setting; it has ${stored.join(", ")}` }));
    return present && channel ? refusals(device, present, channel, entry) : [];
  });
