import { keysOf } from "@telltale/contract/channel-types/index";
import { alarmPairs, type ChannelKeys, Key, type KeyValue } from "@telltale/contract/channel-types/keys";
import {
  analogUnits,
  defaultAlarmData,
  defaultDebounce,
  defaultNtc,
  ntcUnit,
} from "@telltale/contract/channel-types/options";
import { changedKeys, channelErrors, type ValidationErrors } from "@telltale/contract/channel-types/rules";
import { valueIn } from "@telltale/contract/channel-types/settings";
import type { ChannelSetup, DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { Analog, InputMode, SensorType } from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";

/** Content of a field: text, also for numbers; null where the setting is deliberately empty, for example an alarm that is off. */
export type Draft = string | null;

/** The unsaved changes of a channel. */
export interface ChannelDraft {
  name?: string;
  keys: Partial<Record<Key, Draft>>;
}

/** Changes of several channels, by id. */
export type Drafts = Readonly<Record<number, ChannelDraft>>;

const words: readonly Key[] = [Key.unit, Key.ntcType];

/** A setting as a field holds it. */
const draftOf = (value: KeyValue | undefined): Draft => {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? `${value.deviceChannelId}:${value.type}` : String(value);
};

/** A saved setting as a field shows it; one that is not set shows what means the same. */
export const savedDraft = (keys: ChannelKeys | undefined, key: Key): Draft => draftOf(valueIn(keys ?? {}, key));

/** A field's content as the call takes it; text that is not a number stays as typed, so that validation reports it. */
const valueOfDraft = (key: Key, draft: Draft): KeyValue => {
  if (draft === null || words.includes(key)) return draft;
  const text = draft.trim();
  if (key === Key.source) {
    const [deviceChannelId = Number.NaN, type = Number.NaN] = text.split(":").map(Number);
    return Number.isInteger(deviceChannelId) && Number.isInteger(type) ? { deviceChannelId, type } : "";
  }
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? text : value;
};

/** All settings of a channel with its draft applied. */
const settingsWith = ({ channelKeys }: ChannelSetup, draft: ChannelDraft | undefined): ChannelKeys => {
  const typed = Object.entries(draft?.keys ?? {}) as [Key, Draft][];
  return { ...channelKeys, ...Object.fromEntries(typed.map(([key, text]) => [key, valueOfDraft(key, text)])) };
};

/** A channel with its draft applied. */
export interface Edited {
  name: string;
  /** All settings after the change. */
  after: ChannelKeys;
  changed: Key[];
  isRenamed: boolean;
  validationErrors: ValidationErrors;
  nameError: string | undefined;
}

/** Applies a draft to a channel; returns the result, what changes, and the validation errors. */
export const editedChannel = (device: DeviceSetup, channel: ChannelSetup, draft: ChannelDraft | undefined): Edited => {
  const after = settingsWith(channel, draft);
  const { channelType, isBuiltIn, channelKeys: before } = channel;
  const name = draft?.name ?? channel.channelName;
  const changed = changedKeys({ channelType, isBuiltIn, before, after });
  const found = channelErrors({
    channelType,
    isBuiltIn,
    before,
    after,
    isOn: channel.channelSwitch === 1,
    isSubDevice: device.deviceType === DeviceType.sub,
    reportIntervalLimit: device.reportIntervalLimit,
  });
  return {
    name: name.trim(),
    after,
    changed,
    isRenamed: name.trim() !== channel.channelName,
    // An untouched channel is not validated: its existing settings may predate a rule.
    validationErrors: changed.length > 0 ? found : {},
    nameError: name.trim() === "" ? "Cannot be blank" : undefined,
  };
};

export const isChanged = ({ changed, isRenamed }: Edited): boolean => changed.length > 0 || isRenamed;
export const isFaulty = ({ validationErrors, nameError }: Edited): boolean =>
  nameError !== undefined || Object.keys(validationErrors).length > 0;

/** What a save sends for a channel: the changed settings only. */
export const changeOf = (channelId: number, { name, after, changed, isRenamed }: Edited) => ({
  channelId,
  ...(isRenamed ? { channelName: name } : {}),
  channelKeys: Object.fromEntries(changed.map((key) => [key, after[key] ?? null])) as ChannelKeys,
});

const sensorFollows = (text: Draft, { channelKeys }: ChannelSetup): ChannelDraft["keys"] =>
  Number(text) === SensorType.ntc
    ? {
        [Key.analog]: String(Analog.temperature),
        [Key.unit]: ntcUnit,
        [Key.ntcType]: savedDraft(channelKeys, Key.ntcType) ?? defaultNtc,
      }
    : {};

const modeFollows = (text: Draft, { channelKeys }: ChannelSetup): ChannelDraft["keys"] => ({
  [Key.alarmData]:
    Number(text) === channelKeys[Key.inputMode]
      ? savedDraft(channelKeys, Key.alarmData)
      : Number(text) === InputMode.statusLog
        ? null
        : String(defaultAlarmData),
  [Key.debounce]: savedDraft(channelKeys, Key.debounce) ?? String(defaultDebounce),
});

/** An alarm that is turned on gets its previous value; its hysteresis follows it. */
const alarmFollows = (key: Key, text: Draft, { channelKeys }: ChannelSetup): ChannelDraft["keys"] => {
  const pair = alarmPairs.find(({ alarm }) => alarm === key);
  if (!pair) return {};
  if (text === null) return { [pair.hysteresis]: null };
  return { [pair.hysteresis]: savedDraft(channelKeys, pair.hysteresis) ?? "0" };
};

/** Changes of other settings that a choice implies. */
const consequences = (key: Key, text: Draft, channel: ChannelSetup): ChannelDraft["keys"] => {
  switch (key) {
    case Key.inputSensorType:
      return sensorFollows(text, channel);
    case Key.analog:
      return { [Key.unit]: analogUnits[Number(text) as Analog]?.[0] ?? "" };
    case Key.inputMode:
      return modeFollows(text, channel);
    default:
      return {};
  }
};

/** A channel's draft after a field was changed. */
export const withField = (
  draft: ChannelDraft | undefined,
  channel: ChannelSetup,
  key: Key,
  text: Draft,
): ChannelDraft => ({
  ...draft,
  keys: { ...draft?.keys, [key]: text, ...consequences(key, text, channel) },
});

/** A channel's draft after one of its alarms was turned on or off. */
export const withAlarm = (
  draft: ChannelDraft | undefined,
  channel: ChannelSetup,
  alarm: Key,
  isOn: boolean,
): ChannelDraft => {
  const text = isOn ? (savedDraft(channel.channelKeys, alarm) ?? "") : null;
  return { ...draft, keys: { ...draft?.keys, [alarm]: text, ...alarmFollows(alarm, text, channel) } };
};

/** A setting that another user has saved since editing began: its value then, and the saved one. */
export interface ConcurrentSave {
  before: Draft;
  now: Draft;
}

/** Drafts without values equal to the device's at the start of editing: those were not changed here. */
export const localChanges = (began: DeviceSetup, drafts: Drafts): Drafts =>
  Object.fromEntries(
    Object.entries(drafts).map(([channelId, draft]) => {
      const channel = began.channels.find(({ deviceChannelId }) => deviceChannelId === Number(channelId));
      const keys = Object.entries(draft.keys).filter(
        ([key, text]) => text !== savedDraft(channel?.channelKeys, key as Key),
      );
      const { name, ...rest } = draft;
      const renamed = name === undefined || name === channel?.channelName ? {} : { name };
      return [channelId, { ...rest, ...renamed, keys: Object.fromEntries(keys) }];
    }),
  );

/** Drafts without these settings of these channels: other users' saved values are kept. */
export const withoutKeys = (drafts: Drafts, kept: Readonly<Record<number, readonly Key[]>>): Drafts =>
  Object.fromEntries(
    Object.entries(drafts).map(([channelId, draft]) => {
      const keys = Object.entries(draft.keys).filter(([key]) => !kept[Number(channelId)]?.includes(key as Key));
      return [channelId, { ...draft, keys: Object.fromEntries(keys) }];
    }),
  );

/** What other users have saved of each channel since editing began. */
export const concurrentSaves = (
  seen: DeviceSetup,
  now: DeviceSetup,
): Record<number, Partial<Record<Key, ConcurrentSave>>> =>
  Object.fromEntries(
    now.channels.map((channel) => {
      const old = seen.channels.find(({ deviceChannelId }) => deviceChannelId === channel.deviceChannelId);
      const keys = [
        ...new Set([...keysOf(channel, channel.channelKeys), ...(old ? keysOf(old, old.channelKeys) : [])]),
      ];
      const changed = keys.flatMap((key): [Key, ConcurrentSave][] => {
        const each = { before: savedDraft(old?.channelKeys, key), now: savedDraft(channel.channelKeys, key) };
        return each.before === each.now ? [] : [[key, each]];
      });
      return [channel.deviceChannelId, Object.fromEntries(changed)];
    }),
  );
