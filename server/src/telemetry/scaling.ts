import { channelTypes } from "@telltale/contract/channel-types/index";
import type { Scale } from "@telltale/contract/channel-types/scaling";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";

/** The settings that change what a value means: readings under different ones cannot be compared. */
const meaning = Object.values(settingsByKey).flatMap(({ field, changesMeaning }) =>
  field && changesMeaning ? [field] : [],
);

/** Whether a reading means the same under both settings. */
export const isSameScale = (a: ChannelSettings, b: ChannelSettings): boolean =>
  meaning.every((field) => a[field] === b[field]);

/** Settings and the time from which they held, epoch milliseconds. */
export interface SettingsPeriod {
  from: number;
  settings: ChannelSettings;
}

/** A scale of an earlier settings period; `from` is epoch milliseconds, -Infinity for the first. */
export interface EarlierScale {
  from: number;
  scale: Scale;
}

/** A channel's scales over time, for readings of any time. */
export interface Scales {
  scale: Scale;
  /** Time from which `scale` holds, epoch milliseconds; -Infinity when there was no other. */
  scaledFrom: number;
  earlierScales: readonly EarlierScale[];
}

/**
 * Derives a channel's scales from its settings periods, given newest first. Adjacent periods with equal scales are merged; the first one reaches back
 * without limit.
 */
export const scalesOf = (
  type: ChannelType,
  [inForce, ...earlier]: readonly [SettingsPeriod, ...SettingsPeriod[]],
): Scales => {
  const runs: [SettingsPeriod, ...SettingsPeriod[]] = [inForce];
  for (const held of earlier) {
    const last = runs.at(-1) ?? inForce;
    if (isSameScale(last.settings, held.settings)) runs[runs.length - 1] = { ...last, from: held.from };
    else runs.push(held);
  }
  const first = runs.length - 1;
  const [current, ...others] = runs;
  return {
    scale: channelTypes[type].scale(current.settings),
    scaledFrom: first === 0 ? Number.NEGATIVE_INFINITY : current.from,
    earlierScales: others.map(({ from, settings }, at) => ({
      from: at === first - 1 ? Number.NEGATIVE_INFINITY : from,
      scale: channelTypes[type].scale(settings),
    })),
  };
};

/** The scale at the time of a reading. `isInForce` is false for readings of earlier settings, whose values are not comparable. */
export const scaleAt = (
  { scale, scaledFrom, earlierScales }: Scales,
  ts: number,
): { scale: Scale; isInForce: boolean } => {
  if (ts >= scaledFrom) return { scale, isInForce: true };
  return { scale: earlierScales.find(({ from }) => ts >= from)?.scale ?? scale, isInForce: false };
};
