import { channelTypes } from "@telltale/contract/channel-types/index";
import type { Scale } from "@telltale/contract/channel-types/scaling";
import { settingsByKey } from "@telltale/contract/channel-types/settings";
import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";

/** The settings that decide what a value means: readings under different ones can't be compared. */
const meaning = Object.values(settingsByKey).flatMap(({ field, changesMeaning }) =>
  field && changesMeaning ? [field] : [],
);

/** Whether a reading means the same under both settings. */
export const isSameScale = (a: ChannelSettings, b: ChannelSettings): boolean =>
  meaning.every((field) => a[field] === b[field]);

/** Settings and from when on they held, epoch milliseconds. */
export interface Held {
  from: number;
  settings: ChannelSettings;
}

/** A scale that has held until its settings were changed; `from` is epoch milliseconds, -Infinity for the first. */
export interface EarlierScale {
  from: number;
  scale: Scale;
}

/** What a channel's readings are scaled by, at whatever time they were made. */
export interface Scales {
  scale: Scale;
  /** From when on `scale` holds, epoch milliseconds; -Infinity when no other ever did. */
  scaledFrom: number;
  earlierScales: readonly EarlierScale[];
}

/**
 * The scales of a channel by its settings periods, the one in force first and then backwards. Periods that scale alike are one; the first reaches
 * back to whatever the device had measured before.
 */
export const scalesOf = (type: ChannelType, [inForce, ...earlier]: readonly [Held, ...Held[]]): Scales => {
  const runs: [Held, ...Held[]] = [inForce];
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

/** The scale that held when a reading was made. `isInForce` is false for readings of earlier settings: they mean something else. */
export const scaleAt = (
  { scale, scaledFrom, earlierScales }: Scales,
  ts: number,
): { scale: Scale; isInForce: boolean } => {
  if (ts >= scaledFrom) return { scale, isInForce: true };
  return { scale: earlierScales.find(({ from }) => ts >= from)?.scale ?? scale, isInForce: false };
};
