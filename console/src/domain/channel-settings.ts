import { AlertType } from "@telltale/contract/domains/alerts";
import { InputMode, type LogGroup, type ShownSetting } from "@telltale/contract/domains/channels";
import type { RuleLimit } from "@telltale/contract/domains/readings/trends";
import type { Intervals } from "./held.ts";

/** A limit line: values should stay below a `high` one and above a low one. */
export interface Threshold {
  name: string;
  value: number;
  high: boolean;
  /** Of a custom alert, rather than of the channel's settings. */
  isRule?: boolean;
  /** While it was in force, where that is not all the time that is shown; the end is not part of it. */
  during?: { from: number; until: number };
}

/** Setting keys as the specification spells them. */
export const key = {
  lower: "Lower Alarm",
  higher: "Higher Alarm",
  interval: "Report Interval",
  unchanged: "STATIC DATA",
  source: "Souce",
  mode: "Input mode",
  alarm: "Alarm Data",
} as const;

const numberOf = (settings: ShownSetting[], name: string): number | undefined => {
  const found = settings.find((setting) => setting.name === name)?.val;
  const value = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
};

export type Settings = Pick<LogGroup, "channelSettingChangeDto">;

/** The mode of a digital input; null of other channels. */
export const inputModeOf = (settings: ShownSetting[]): number | null => numberOf(settings, key.mode) ?? null;

/** Whether a digital input counts: in any mode but Status Log and DI. (spec 1 §4) */
export const isCounting = (inputMode: number | null): boolean =>
  inputMode !== null && inputMode !== InputMode.statusLog && inputMode !== InputMode.digital;

/** The alarm thresholds of a period, as chart lines: those of a measurement, or the count of a counter. */
export const thresholdsOf = ({ channelSettingChangeDto: settings }: Settings): Threshold[] => {
  const threshold = (name: string, high: boolean): Threshold[] => {
    const value = numberOf(settings, name);
    return value === undefined ? [] : [{ name, value, high }];
  };
  const counts = isCounting(inputModeOf(settings)) ? threshold(key.alarm, true) : [];
  return [...threshold(key.lower, false), ...threshold(key.higher, true), ...counts];
};

/** The limits of custom alerts, as chart lines; a limit that is set all the time is not drawn twice. */
export const ruleThresholds = (rules: readonly RuleLimit[], own: readonly Threshold[]): Threshold[] =>
  rules
    .map(({ alarmName, type, alarmValue }) => ({
      name: alarmName,
      value: alarmValue,
      high: type === AlertType.high,
      isRule: true,
    }))
    .filter(({ value, high }) => !own.some((each) => !each.during && each.value === value && each.high === high));

const second = 1000;

/** The report intervals of a period, milliseconds; 0 where its settings do not say. */
export const intervalsOf = ({ channelSettingChangeDto: settings }: Settings): Intervals => ({
  report: (numberOf(settings, key.interval) ?? 0) * second,
  unchanged: (numberOf(settings, key.unchanged) ?? 0) * second,
});
