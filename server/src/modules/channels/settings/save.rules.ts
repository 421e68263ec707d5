import { ChannelMessage } from "@telltale/contract/channel-types/checks";
import { type ChannelKeys, isSameValue, Key, type SourceKey } from "@telltale/contract/channel-types/keys";
import { changedKeys, channelErrors } from "@telltale/contract/channel-types/rules";
import { type ChannelSettings, type ChannelType, OutputMode, SourceType } from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";
import { isBuiltIn, keysOfSettings, type SourceFields, settingsWith } from "./keys.rules.ts";
import { shownSettings } from "./shown-settings.rules.ts";

/** A channel as stored. */
export interface SavedChannel {
  channel_id: number;
  channel_name: string;
  channel_type: ChannelType;
  channel_switch: boolean;
  settings: ChannelSettings;
  source_id: number | null;
}

/** Requested changes of a channel; absent fields stay unchanged. */
export interface RequestedChannel {
  channelId: number;
  channelName?: string | undefined;
  channelSwitch?: number | undefined;
  channelKeys?: ChannelKeys | undefined;
}

/** The device that the channels belong to. */
export interface OwnDevice {
  device_sn_id: string;
  device_type: number;
  report_interval_limit: number;
}

/** An input whose alarms can drive an output; `has` tells which of them are set. */
export interface Source {
  channel_id: number;
  channel_cn: string;
  device_sn_id: string;
  has: (type: SourceType) => boolean;
}

/** Planned state of a channel: new settings if they change, name, and whether it is on. */
export interface PlannedChannel {
  channel: SavedChannel;
  settings: ChannelSettings | undefined;
  name: string;
  isOn: boolean;
}

/** What drives a digital output, by the specification's name. */
const sourceKey = ({ source_id, settings }: Pick<SavedChannel, "source_id" | "settings">): SourceKey | undefined =>
  source_id === null ? undefined : { deviceChannelId: source_id, type: settings.sourceType ?? SourceType.high };

/** A channel's settings by their names. */
export const savedKeys = (channel: SavedChannel): ChannelKeys =>
  keysOfSettings(channel.channel_type, channel.settings, sourceKey(channel));

const own = ({ settings }: SavedChannel): SourceFields | undefined => {
  const { source, sourceDevice, sourceType } = settings;
  if (source === undefined) return undefined;
  return { source, ...(sourceDevice === undefined ? {} : { sourceDevice }), sourceType: sourceType ?? SourceType.high };
};

/** The requested source; undefined when any alarm drives the output, "unknown" when there is no such alarm. */
const foundSource = (
  channel: SavedChannel,
  after: ChannelKeys,
  device: OwnDevice,
  sources: readonly Source[],
): SourceFields | undefined | "unknown" => {
  const requested = after[Key.source];
  if (after[Key.mode] !== OutputMode.channel || typeof requested !== "object" || requested === null) return undefined;
  if (isSameValue(requested, sourceKey(channel))) return own(channel);
  const sourceType = Object.values(SourceType).find((each) => each === requested.type);
  const found =
    sourceType && sources.find(({ channel_id, has }) => channel_id === requested.deviceChannelId && has(sourceType));
  if (!found) return "unknown";
  const { channel_cn: source, device_sn_id: sourceDevice } = found;
  return { source, ...(sourceDevice === device.device_sn_id ? {} : { sourceDevice }), sourceType };
};

const sentence = (name: string, key: string, validationError: string): string => `${name}, ${key}: ${validationError}`;

/** The planned state of a channel, or the first validation error as a sentence. */
export const planOf = (
  channel: SavedChannel,
  { channelKeys = {}, channelName, channelSwitch }: RequestedChannel,
  device: OwnDevice,
  sources: readonly Source[],
): PlannedChannel | { validationError: string } => {
  const { channel_type: channelType, settings } = channel;
  const before = savedKeys(channel);
  const after = { ...before, ...channelKeys };
  const edited = { channelType, isBuiltIn: isBuiltIn(channelType, settings), before, after };
  const name = channelName ?? channel.channel_name;
  const isOn = channelSwitch === undefined ? channel.channel_switch : channelSwitch === 1;
  const changed = changedKeys(edited);
  const found = channelErrors({
    ...edited,
    isOn,
    isSubDevice: device.device_type === DeviceType.sub,
    reportIntervalLimit: device.report_interval_limit,
  });
  // A channel that is switched on starts reporting; its other settings were not checked while it was off.
  const counted =
    changed.length > 0
      ? Object.entries(found)
      : isOn && !channel.channel_switch
        ? Object.entries(found).filter(([key]) => key === Key.reportInterval)
        : [];
  const [first] = counted;
  if (first) return { validationError: sentence(name, ...first) };
  const source = foundSource(channel, after, device, sources);
  if (source === "unknown") return { validationError: sentence(name, Key.source, ChannelMessage.choice) };
  const made = changed.length > 0 ? settingsWith(channelType, settings, after, source) : undefined;
  return { channel, settings: made, name, isOn };
};

/** Whether a channel changes. */
export const isChanged = ({ channel, settings, name, isOn }: PlannedChannel): boolean =>
  settings !== undefined || name !== channel.channel_name || isOn !== channel.channel_switch;

type Shown = Record<string, string>;

const settingsText = ({ channel }: PlannedChannel, settings: PlannedChannel["settings"]): Shown =>
  Object.fromEntries(
    shownSettings(channel.channel_type, settings ?? channel.settings).map(({ name, nameVal }) => [
      `${channel.channel_name} ${name}`,
      nameVal,
    ]),
  );

const stateText = ({ channel }: PlannedChannel, name: string, isOn: boolean): Shown => ({
  [`${channel.channel_name} name`]: name,
  [`${channel.channel_name} switch`]: isOn ? "ON" : "OFF",
});

/** The audit record of a save: each changed setting, by channel, as text. */
export const recordedChange = (plans: readonly PlannedChannel[]): { before: Shown; after: Shown } => {
  const before: Shown = {};
  const after: Shown = {};
  for (const plan of plans) {
    const { channel, settings, name, isOn } = plan;
    Object.assign(before, settingsText(plan, undefined), stateText(plan, channel.channel_name, channel.channel_switch));
    Object.assign(after, settingsText(plan, settings), stateText(plan, name, isOn));
  }
  for (const field of Object.keys({ ...before, ...after })) {
    if (before[field] !== after[field]) continue;
    delete before[field];
    delete after[field];
  }
  return { before, after };
};
