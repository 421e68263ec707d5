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

/** Tracks the alarms of a device's inputs; returns the keys of the active ones. */
export const createAlarmWatch = (
  deviceSnId: string,
  reporters: () => readonly Reporter[],
): ((station: Station) => readonly string[]) => {
  const sides = new Map<string, Side>();
  return (station) => {
    const found: string[] = [];
    for (const { code, isWatched, sensor, limits } of reporters()) {
      if (!isWatched) continue;
      const truth = sensor.truth(station);
      const side = sensor.isDiscrete ? contactSide(truth, limits) : sideOf(truth, limits, sides.get(code) ?? 0);
      sides.set(code, side);
      if (side !== 0) found.push(alarmKey(deviceSnId, code, side > 0 ? SourceType.high : SourceType.low));
    }
    return found;
  };
};
