import { channelTypes, keysOf, reporting } from "@telltale/contract/channel-types/index";
import { type ChannelKeys, Key, type KeyValue, type SourceKey } from "@telltale/contract/channel-types/keys";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import { type ChannelSettings, ChannelType, type SourceType } from "@telltale/contract/domains/channels";

/** Whether an input has the alarm set that would drive an output. */
export const hasAlarm = (channelType: ChannelType, settings: ChannelSettings, type: SourceType): boolean =>
  channelTypes[channelType].drives?.(settings)[type] ?? false;

/** Whether the channel is a built-in sensor, which has no electrical range to set. */
export const isBuiltIn = (channelType: ChannelType, { sensorType }: ChannelSettings): boolean =>
  channelType === ChannelType.analogInput && sensorType === undefined;

/** Settings by the specification's names, without unset ones. `source` is what drives a digital output. */
export const keysOfSettings = (
  channelType: ChannelType,
  settings: ChannelSettings,
  source: SourceKey | undefined,
): ChannelKeys => {
  const { stored, defaults } = channelTypes[channelType];
  if (stored.length === 0) return {};
  const known = { ...defaults, ...settings };
  const made = [...stored, ...reporting].flatMap((key): [Key, KeyValue][] => {
    const { field } = settingsByKey[key];
    const value = field && known[field];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(source ? [...made, [Key.source, source]] : made);
};

/** Reference to a source: its channel's code, and its unit's device ID unless it is the output's own. */
export interface SourceFields {
  source: string;
  sourceDevice?: string;
  sourceType: number;
}

/** A channel's settings updated by those of `keys` that apply to it; `source` is the resolved `Souce` of an output driven by one channel. */
export const settingsWith = (
  channelType: ChannelType,
  settings: ChannelSettings,
  keys: ChannelKeys,
  source: SourceFields | undefined,
): ChannelSettings => {
  const kind = { channelType, isBuiltIn: isBuiltIn(channelType, settings) };
  const { source: _, sourceDevice: __, sourceType: ___, ...others } = settings;
  const changed: Record<string, unknown> =
    channelType === ChannelType.digitalOutput ? { ...others, ...source } : { ...settings };
  for (const key of keysOf(kind, keys)) {
    const { field, whenAbsent } = settingsByKey[key];
    if (!field) continue;
    const value = keys[key] ?? whenAbsent;
    if (value === whenAbsent) delete changed[field];
    else changed[field] = value;
  }
  // Delays end with their alarm, also for clients that do not know them.
  for (const { setpoint, onDelay, offDelay } of channelTypes[channelType].limits)
    for (const delay of [onDelay, offDelay]) if (delay && changed[setpoint] === undefined) delete changed[delay];
  const made = changed as ChannelSettings;
  return { ...made, ...channelTypes[channelType].consequences(made) };
};
