import type { LogGroup, ShownSetting } from "@telltale/contract/domains/channels";

/** A limit line: values should stay below a `high` one and above a low one. */
export interface Threshold {
  name: string;
  value: number;
  high: boolean;
}

/** Setting keys as the specification spells them. */
export const key = {
  lower: "Lower Alarm",
  higher: "Higher Alarm",
  interval: "Report Interval",
  unchanged: "STATIC DATA",
  source: "Souce",
} as const;

const numberOf = (settings: ShownSetting[], name: string): number | undefined => {
  const found = settings.find((setting) => setting.name === name)?.val;
  const value = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

/** The alarm thresholds of a period, as chart lines. */
export const thresholdsOf = ({ channelSettingChangeDto: settings }: LogGroup): Threshold[] => {
  const threshold = (name: string, high: boolean): Threshold[] => {
    const value = numberOf(settings, name);
    return value === undefined ? [] : [{ name, value, high }];
  };
  return [...threshold(key.lower, false), ...threshold(key.higher, true)];
};

const second = 1000;
const minute = 60 * second;

/** Maximum milliseconds between two reports of a working device, whether the value changed or not; a minute where the settings do not say. */
export const expectedStep = ({ channelSettingChangeDto: settings }: LogGroup): number => {
  const seconds = Math.max(numberOf(settings, key.interval) ?? 0, numberOf(settings, key.unchanged) ?? 0);
  return seconds > 0 ? seconds * second : minute;
};
