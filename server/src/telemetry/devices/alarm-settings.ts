import { isDeepStrictEqual } from "node:util";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { type CustomAlarm, rulesOf } from "../../alarms/rules/channel.rules.ts";
import { type Held, isSameScale } from "../scaling.ts";
import type { AlarmSettings, EarlierAlarmSettings } from "./known-device.ts";

/** A channel as far as its rules need it. */
interface Ruled {
  channelId: number;
  channelType: ChannelType;
  /** Off, nothing judges it. */
  isOn: boolean;
  custom: readonly CustomAlarm[];
}

const alarmSettings = (
  { channelId, channelType, isOn, custom }: Ruled,
  settings: ChannelSettings,
  inForce: ChannelSettings,
): AlarmSettings => {
  // A custom alarm's value is in the unit in force; under another scale it says nothing.
  const comparable = isSameScale(settings, inForce) ? custom : [];
  const rules = isOn ? rulesOf(channelId, channelType, settings, comparable) : [];
  return { unit: settings.unit, reportInterval: settings.reportInterval, rules };
};

/** What judges a channel's readings, at whatever time they were made. */
export interface AlarmsOverTime extends AlarmSettings {
  evaluatedFrom: number;
  earlierAlarms: readonly EarlierAlarmSettings[];
}

/**
 * The alarm settings of a channel by its settings periods, the one in force first and then backwards. Periods that judge alike are one; the first
 * reaches back to whatever the device had measured before.
 */
export const alarmsOverTime = (channel: Ruled, [inForce, ...earlier]: readonly [Held, ...Held[]]): AlarmsOverTime => {
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
 * A reading that is no older than this on arrival, milliseconds, may be a live one by a clock that is slow: what holds now judges it, or a save
 * would be undone until that clock has passed it.
 */
const liveFor = 600_000;

/** What judges a reading that arrives at `now`: the alarm settings of its own time. */
export const alarmsAt = (channel: AlarmsOverTime, ts: number, now: number): AlarmSettings => {
  if (ts >= channel.evaluatedFrom || now - ts <= liveFor) return channel;
  return channel.earlierAlarms.find(({ from }) => ts >= from) ?? channel;
};
