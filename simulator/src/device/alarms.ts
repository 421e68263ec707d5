import { type ChannelSettings, InputMode, SourceType } from "@telltale/contract/domains/channels";
import type { Station } from "../plant/station.ts";
import { type Reporter, type Side, sideOf } from "./reporter.ts";

/** Key of a channel's alarm, in the form in which an output's settings name their source. */
export const alarmKey = (deviceSnId: string, code: string, type: number | undefined): string =>
  `${deviceSnId} ${code} ${type}`;

/** A contact is in alarm at the configured level, High where that is ON; a logged-only contact never is. */
const contactSide = (level: number, { inputMode, alarmData }: Partial<ChannelSettings>): Side => {
  if (inputMode !== InputMode.digital || level !== alarmData) return 0;
  return level > 0 ? 1 : -1;
};

/** One of a channel's alarms: whether its condition holds, since when, and whether it is active. */
interface Alarm {
  holds: boolean;
  since: number;
  isActive: boolean;
}

const atRest: Alarm = { holds: false, since: Number.NEGATIVE_INFINITY, isActive: false };

/** Seconds that each alarm of a channel waits until it is active, and until it is no longer. */
const delaysOf = (isDiscrete: boolean, settings: Partial<ChannelSettings>) => {
  const {
    alarmDelay = 0,
    higherAlarmDelay = 0,
    higherClearDelay = 0,
    lowerAlarmDelay = 0,
    lowerClearDelay = 0,
  } = settings;
  if (isDiscrete) return { high: [alarmDelay, 0], low: [alarmDelay, 0] } as const;
  return { high: [higherAlarmDelay, higherClearDelay], low: [lowerAlarmDelay, lowerClearDelay] } as const;
};

const next = (before: Alarm, holds: boolean, [on, off]: readonly [number, number], ts: number): Alarm => {
  if (!holds && !before.holds && !before.isActive) return atRest;
  const since = before.holds === holds ? before.since : ts;
  const hasWaited = ts - since >= (holds ? on : off) * 1000;
  return { holds, since, isActive: hasWaited ? holds : before.isActive };
};

/** Tracks the alarms of a device's inputs, with their delays; returns the keys of the active ones. */
export const createAlarmWatch = (
  deviceSnId: string,
  reporters: () => readonly Reporter[],
): ((station: Station) => readonly string[]) => {
  const sides = new Map<string, Side>();
  const alarms = new Map<string, { high: Alarm; low: Alarm }>();
  return (station) => {
    const found: string[] = [];
    for (const { code, isWatched, sensor, limits } of reporters()) {
      if (!isWatched) continue;
      const truth = sensor.truth(station);
      const side = sensor.isDiscrete ? contactSide(truth, limits) : sideOf(truth, limits, sides.get(code) ?? 0);
      sides.set(code, side);
      const before = alarms.get(code);
      if (side === 0 && before === undefined) continue;
      const delays = delaysOf(sensor.isDiscrete, limits);
      const high = next(before?.high ?? atRest, side > 0, delays.high, station.ts);
      const low = next(before?.low ?? atRest, side < 0, delays.low, station.ts);
      if (high.isActive) found.push(alarmKey(deviceSnId, code, SourceType.high));
      if (low.isActive) found.push(alarmKey(deviceSnId, code, SourceType.low));
      if (high.holds || high.isActive || low.holds || low.isActive) alarms.set(code, { high, low });
      else alarms.delete(code);
    }
    return found;
  };
};
