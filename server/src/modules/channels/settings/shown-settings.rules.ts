import { channelTypes, reporting } from "@telltale/contract/channel-types/index";
import { Key } from "@telltale/contract/channel-types/keys";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import {
  type ChannelSettings,
  type ChannelType,
  InputMode,
  inputModeLabels,
  type ShownSetting,
  sourceTypeLabels,
} from "@telltale/contract/domains/channels";

const textOf = (key: Key, val: number | string, settings: ChannelSettings): string => {
  const { labels, unit } = settingsByKey[key];
  const label = typeof val === "number" ? labels?.[val] : undefined;
  if (label !== undefined) return label;
  // Every mode other than Status Log and DI counts. (spec 1 §4)
  if (key === Key.inputMode) return inputModeLabels[InputMode.counting];
  const measuredIn = unit === "channel" ? settings.unit : unit === "seconds" ? "s" : "";
  return measuredIn === "" ? String(val) : `${val} ${measuredIn}`;
};

/** What drives an output, such as `Wet well gas High`; `--` while any alarm of its device does. `Souce` is the specification's spelling. */
const sourceOf = ({ source, sourceType }: ChannelSettings, sourceName: string | null): ShownSetting => {
  if (source === undefined) return { name: Key.source, nameVal: "--", val: null };
  const labels: Readonly<Record<number, string>> = sourceTypeLabels;
  const which = labels[sourceType ?? 0] ?? String(sourceType ?? "");
  return { name: Key.source, nameVal: `${sourceName ?? source} ${which}`, val: source };
};

/** A setting for display; none when it is not set. */
const shown = (key: Key, settings: ChannelSettings): ShownSetting[] => {
  const { field } = settingsByKey[key];
  const val = field && settings[field];
  return val === undefined || val === "" ? [] : [{ name: key, nameVal: textOf(key, val, settings), val }];
};

/**
 * The settings of a period as the detail page shows them: those of the channel's type that are set. The names are the specification's, including its
 * spelling. `sourceName`: name of the channel that drives a digital output. (spec 2 §3)
 */
export const shownSettings = (
  channelType: ChannelType,
  settings: ChannelSettings,
  sourceName: string | null = null,
): ShownSetting[] =>
  [...channelTypes[channelType].shown(settings), ...reporting].flatMap((key) =>
    key === Key.source ? [sourceOf(settings, sourceName)] : shown(key, settings),
  );
