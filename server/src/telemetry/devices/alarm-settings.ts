import { isDeepStrictEqual } from "node:util";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import type { Rule } from "../../alarms/evaluate.ts";
import { type CustomAlarm, rulesOf } from "../../alarms/rules/channel.rules.ts";
import { isSameScale, type SettingsPeriod } from "../scaling.ts";
import type { AlarmSettings, EarlierAlarmSettings } from "./known-device.ts";

/** The parts of a channel that its rules depend on. */
interface Ruled {
  channelId: number;
  channelType: ChannelType;
  /** When off, no rule evaluates it. */
  isOn: boolean;
  custom: readonly CustomAlarm[];
}

const alarmSettings = (
  { channelId, channelType, isOn, custom }: Ruled,
  settings: ChannelSettings,
  inForce: ChannelSettings,
): AlarmSettings => {
  // A custom alarm's value is in the current unit and cannot be compared under another scale.
  const comparable = isSameScale(settings, inForce) ? custom : [];
  const rules = isOn ? rulesOf(channelId, channelType, settings, comparable) : [];
  return { unit: settings.unit, reportInterval: settings.reportInterval, rules };
};

/** A channel's alarm settings over time, for readings of any time. */
export interface AlarmsOverTime extends AlarmSettings {
  evaluatedFrom: number;
  earlierAlarms: readonly EarlierAlarmSettings[];
}

/**
 * Derives a channel's alarm settings from its settings periods, given newest first. Adjacent periods with equal alarm settings are merged; the first
 * one reaches back without limit.
 */
export const alarmsOverTime = (
  channel: Ruled,
  [inForce, ...earlier]: readonly [SettingsPeriod, ...SettingsPeriod[]],
): AlarmsOverTime => {
  const now = alarmSettings(channel, inForce.settings, inForce.settings);
  let run: EarlierAlarmSettings = { ...now, from: inForce.from };
  const runs = [run];
  for (const { from, settings } of earlier) {
    const before = alarmSettings(channel, settings, inForce.settings);
    const { from: _, ...last } = run;
    if (isDeepStrictEqual(last, before)) runs.pop();
    run = { ...before, from };
    runs.push(run);
  }
  const first = runs.length - 1;
  const [current, ...others] = runs.map((run, at) => (at === first ? { ...run, from: Number.NEGATIVE_INFINITY } : run));
  return { ...now, evaluatedFrom: current?.from ?? Number.NEGATIVE_INFINITY, earlierAlarms: others };
};

/**
 * A reading no older than this on arrival, milliseconds, may be live from a slow clock and is evaluated by the current settings. Otherwise a save
 * would have no effect until that clock has passed it.
 */
const liveFor = 600_000;

/** The alarm settings that evaluate a reading of time `ts` which arrives at `now`: those of its own time. */
export const alarmsAt = (channel: AlarmsOverTime, ts: number, now: number): AlarmSettings => {
  if (ts >= channel.evaluatedFrom || now - ts <= liveFor) return channel;
  return channel.earlierAlarms.find(({ from }) => ts >= from) ?? channel;
};

/** When the alarm settings of a time before the current ones ended, which is when the next began; epoch milliseconds. */
export const endOfPeriod = ({ evaluatedFrom, earlierAlarms }: AlarmsOverTime, ts: number): number =>
  earlierAlarms.findLast(({ from }) => from > ts)?.from ?? evaluatedFrom;

/** Whether the same rule, with the same limit and times, is among these. */
export const isAmong = (rules: readonly Rule[], rule: Rule): boolean =>
  rules.some((other) => isDeepStrictEqual(rule, other));
