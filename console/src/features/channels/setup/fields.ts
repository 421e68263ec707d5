import { keysOf } from "@telltale/contract/channel-types/index";
import { alarmPairs, type ChannelKeys, type ChannelKind, Key } from "@telltale/contract/channel-types/keys";
import { analogUnits, measuredAnalogs, ntcRange, ntcTypes } from "@telltale/contract/channel-types/options";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import {
  Analog,
  analogLabels,
  ChannelType,
  InputMode,
  inputModeLabels,
  type OutputSource,
  SensorType,
  sourceTypeLabels,
} from "@telltale/contract/domains/channels";
import { missing } from "../../../ui/format/time.ts";
import type { Draft } from "./drafts.ts";

/** One of the choices of a field. */
export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** A setting as it stands in the form. */
export interface ShownKey {
  key: Key;
  isDisabled: boolean;
}

/** The settings that the form shows, in their order: a thermistor disables ZERO and SPAN, anything else the NTC type. (spec 2 §4) */
export const shownKeys = (kind: ChannelKind, after: ChannelKeys): ShownKey[] => {
  const active = keysOf(kind, after);
  if (kind.channelType !== ChannelType.analogInput || kind.isBuiltIn)
    return active.map((key) => ({ key, isDisabled: false }));
  const inOrder = active.flatMap((key) => {
    if (key === Key.zero) return [Key.ntcType, key];
    return key === Key.ntcType ? [key, Key.zero, Key.span] : [key];
  });
  return inOrder.map((key) => ({ key, isDisabled: !active.includes(key) }));
};

/** What stands in a field that is disabled: the ends of a thermistor's table. */
export const disabledText = (key: Key): string => {
  if (key === Key.zero) return String(ntcRange.min);
  return key === Key.span ? String(ntcRange.max) : "";
};

const labelled = (labels: Readonly<Record<number, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** Status Log is none of the configuration's modes (spec 2 §4): it is shown where the device came with it. */
const inputModes = (saved: ChannelKeys): Option[] =>
  labelled(inputModeLabels).filter(
    ({ value }) => Number(value) !== InputMode.statusLog || saved[Key.inputMode] === InputMode.statusLog,
  );

/** A unit that is in force and none of the quantity's stays to be chosen. */
const units = (after: ChannelKeys): Option[] | undefined => {
  const analog = after[Key.analog] as Analog;
  if (analog === Analog.other) return undefined;
  const known = analogUnits[analog] ?? [];
  const unit = String(after[Key.unit] ?? "");
  return plain(known.includes(unit) ? known : [unit, ...known]);
};

const nameOfSource = ({ channelName, deviceName, type }: OutputSource, own: string): string =>
  `${channelName} ${sourceTypeLabels[type]}${deviceName === own ? "" : ` (${deviceName})`}`;

/** What may drive an output: a channel's name with High or Low; disabled while no such alarm is set. (spec 2 §2) */
export const sourceOptions = (sources: readonly OutputSource[], ownDevice: string): Option[] =>
  sources.map((source) => ({
    value: `${source.deviceChannelId}:${source.type}`,
    label: nameOfSource(source, ownDevice),
    disabled: source.flag === 0,
  }));

/** Choices that are not simply the setting's labels. */
const choices: Partial<Record<Key, Option[]>> = {
  [Key.analog]: measuredAnalogs.map((analog) => ({ value: String(analog), label: analogLabels[analog] })),
  [Key.ntcType]: plain(Object.keys(ntcTypes)),
};

/** What a field can be set to; undefined where a number or a text is typed. */
export const optionsOf = (
  key: Key,
  { saved, after, sources }: { saved: ChannelKeys; after: ChannelKeys; sources: readonly Option[] },
): readonly Option[] | undefined => {
  if (key === Key.unit) return units(after);
  if (key === Key.source) return sources;
  if (key === Key.inputMode) return inputModes(saved);
  if (key === Key.alarmData && after[Key.inputMode] === InputMode.digital) return plain(["0", "1"]);
  const { labels } = settingsByKey[key];
  return choices[key] ?? (labels && labelled(labels));
};

/** What a number is measured in; empty for none. */
export const unitOf = (key: Key, unit: string): string => {
  const measuredIn = settingsByKey[key].unit;
  if (measuredIn === "channel") return unit;
  return measuredIn === "seconds" ? "s" : "";
};

/** A setting in words, as 'was' and 'saved meanwhile' say it. */
export const wordsOf = (key: Key, draft: Draft, options: readonly Option[] | undefined, unit: string): string => {
  if (draft === null || draft.trim() === "") return missing;
  const label = options?.find(({ value }) => value === draft)?.label ?? draft;
  return `${label} ${unitOf(key, unit)}`.trim();
};

/** A thermistor's own unit stays: it can't be read in any other. */
export const isFixed = (key: Key, after: ChannelKeys): boolean =>
  (key === Key.analog || key === Key.unit) && after[Key.inputSensorType] === SensorType.ntc;

const togetherWith: Partial<Record<Key, Key>> = {
  [Key.zero]: Key.span,
  ...Object.fromEntries(alarmPairs.map(({ alarm, hysteresis }) => [alarm, hysteresis])),
};

/** The fields in groups that are read together: both ends of the range, an alarm with its hysteresis; any other by itself. */
export const fieldGroups = (shown: readonly ShownKey[]): ShownKey[][] => {
  const groups: ShownKey[][] = [];
  for (const field of shown) {
    const before = groups.at(-1);
    const [first] = before ?? [];
    if (before?.length === 1 && first && togetherWith[first.key] === field.key) before.push(field);
    else groups.push([field]);
  }
  return groups;
};
