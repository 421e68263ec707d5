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

/** One option of a field. */
export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** A setting as the form shows it. */
export interface ShownKey {
  key: Key;
  isDisabled: boolean;
}

/** The settings that the form shows, in order: a thermistor disables ZERO and SPAN, any other sensor the NTC type. (spec 2 §4) */
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

/** Text of a disabled field: the ends of a thermistor's table. */
export const disabledText = (key: Key): string => {
  if (key === Key.zero) return String(ntcRange.min);
  return key === Key.span ? String(ntcRange.max) : "";
};

const labelled = (labels: Readonly<Record<number, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const plain = (values: readonly string[]): Option[] => values.map((value) => ({ value, label: value }));

/** Status Log is not offered by the configuration (spec 2 §4); it is listed only for a device that came with it. */
const inputModes = (saved: ChannelKeys): Option[] =>
  labelled(inputModeLabels).filter(
    ({ value }) => Number(value) !== InputMode.statusLog || saved[Key.inputMode] === InputMode.statusLog,
  );

/** The current unit stays selectable even when it does not belong to the quantity. */
const units = (after: ChannelKeys): Option[] | undefined => {
  const analog = after[Key.analog] as Analog;
  if (analog === Analog.other) return undefined;
  const known = analogUnits[analog] ?? [];
  const unit = String(after[Key.unit] ?? "");
  return plain(known.includes(unit) ? known : [unit, ...known]);
};

const nameOfSource = ({ channelName, deviceName, type }: OutputSource, own: string): string =>
  `${channelName} ${sourceTypeLabels[type]}${deviceName === own ? "" : ` (${deviceName})`}`;

/** Possible sources of an output: a channel's name with High or Low; disabled when that alarm is not set. (spec 2 §2) */
export const sourceOptions = (sources: readonly OutputSource[], ownDevice: string): Option[] =>
  sources.map((source) => ({
    value: `${source.deviceChannelId}:${source.type}`,
    label: nameOfSource(source, ownDevice),
    disabled: source.flag === 0,
  }));

/** Options that are not simply the setting's labels. */
const choices: Partial<Record<Key, Option[]>> = {
  [Key.analog]: measuredAnalogs.map((analog) => ({ value: String(analog), label: analogLabels[analog] })),
  [Key.ntcType]: plain(Object.keys(ntcTypes)),
};

/** The options of a field; undefined for a number or text field. */
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

/** Unit of a number; empty for none. */
export const unitOf = (key: Key, unit: string): string => {
  const measuredIn = settingsByKey[key].unit;
  if (measuredIn === "channel") return unit;
  return measuredIn === "seconds" ? "s" : "";
};

/** A setting as text, for 'was' and 'saved meanwhile'. */
export const valueText = (key: Key, draft: Draft, options: readonly Option[] | undefined, unit: string): string => {
  if (draft === null || draft.trim() === "") return missing;
  const label = options?.find(({ value }) => value === draft)?.label ?? draft;
  return `${label} ${unitOf(key, unit)}`.trim();
};

/** A thermistor's unit is fixed. */
export const isFixed = (key: Key, after: ChannelKeys): boolean =>
  (key === Key.analog || key === Key.unit) && after[Key.inputSensorType] === SensorType.ntc;

const togetherWith: Partial<Record<Key, Key>> = {
  [Key.zero]: Key.span,
  ...Object.fromEntries(
    alarmPairs.flatMap(({ alarm, hysteresis, delay, clearDelay }) => [
      [alarm, hysteresis],
      [delay, clearDelay],
    ]),
  ),
};

/** The fields in groups that belong together: both ends of the range, an alarm with its hysteresis, its two delays; all others singly. */
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
