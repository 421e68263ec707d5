import { ChannelType, InputMode, type LogGroup, type ShownSetting } from "@telltale/contract/channels";
import type { Threshold } from "./chart/thresholds.ts";

/** Keys of settings as the specification spells them. */
const key = {
  lower: "Lower Alarm",
  higher: "Higher Alarm",
  hysteresis: "Hysteresis",
  debounce: "Debounce(ms)",
  interval: "Report Interval",
  unchanged: "STATIC DATA",
} as const;

const numberOf = (settings: ShownSetting[], name: string): number | undefined => {
  const found = settings.find((setting) => setting.name === name)?.val;
  const value = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

/**
 * The settings of a period that are shown: a DI has no debounce, a vibration channel no lower alarm, nor the hysteresis
 * that follows it. (spec 1 §4)
 */
export const shownSettings = ({ channelSettingChangeDto, inputMode }: LogGroup, channelType: number): ShownSetting[] =>
  channelSettingChangeDto.filter(({ name }, index, all) => {
    if (name === key.debounce) return inputMode !== InputMode.digital;
    if (channelType !== ChannelType.vibration) return true;
    return name !== key.lower && !(name === key.hysteresis && all[index - 1]?.name === key.lower);
  });

/** The alarm thresholds of a period, as lines of the chart. */
export const thresholdsOf = (period: LogGroup, channelType: number): Threshold[] => {
  const settings = shownSettings(period, channelType);
  const threshold = (name: string, high: boolean): Threshold[] => {
    const value = numberOf(settings, name);
    return value === undefined ? [] : [{ name, value, high }];
  };
  return [...threshold(key.lower, false), ...threshold(key.higher, true)];
};

const second = 1000;
const minute = 60 * second;

/** Milliseconds within which a working device reports, changed or not; a minute where the settings do not say. */
export const expectedStep = ({ channelSettingChangeDto: settings }: LogGroup): number => {
  const seconds = Math.max(numberOf(settings, key.interval) ?? 0, numberOf(settings, key.unchanged) ?? 0);
  return seconds > 0 ? seconds * second : minute;
};
