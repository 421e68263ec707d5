import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { Tile, TileChannel } from "@telltale/contract/domains/dashboard/tiles";
import { periodAt, type Rewind, readingAt, stoodAt } from "@telltale/contract/domains/readings/rewind";
import type { LiveValues, Reading } from "../../../session/live/live-values.ts";
import { hasChannels } from "../view/tile-state.ts";

/** The values of one moment, for the parts that show live ones. */
export interface RewoundValues extends LiveValues {
  /** Shows the values of the moment of this index, and wakes who shows one that changes. */
  show: (index: number) => void;
}

const isSame = (a: Reading | undefined, b: Reading): boolean =>
  a?.value === b.value && a.status === b.status && a.updateTime?.getTime() === b.updateTime?.getTime();

/** The reading of each channel at the moment of this index. */
const readingsAt = (rewound: Rewind, index: number): Map<number, Reading> => {
  const stood = stoodAt(rewound.alerts, rewound.from + index * rewound.step);
  const alarmed = new Set(stood.map(({ alert }) => alert.deviceChannelId));
  return new Map(
    rewound.channels.map((channel) => {
      const reading = readingAt(channel, rewound, index);
      // An alert that time alone has raised stands before the next reading says so.
      const isAlarm = reading.status === ReadingStatus.good && alarmed.has(channel.deviceChannelId);
      return [channel.deviceChannelId, isAlarm ? { ...reading, status: ReadingStatus.alarm } : reading];
    }),
  );
};

/** The values of a window, of which those of one moment are shown. */
export const createRewoundValues = (rewound: Rewind, first: number): RewoundValues => {
  const shown = new Map<number, Reading>();
  const listeners = new Map<number, Set<() => void>>();
  let shownAt = rewound.from;
  const show = (index: number) => {
    shownAt = rewound.from + index * rewound.step;
    const woken = new Set<() => void>();
    for (const [deviceChannelId, next] of readingsAt(rewound, index)) {
      if (isSame(shown.get(deviceChannelId), next)) continue;
      shown.set(deviceChannelId, next);
      for (const listener of listeners.get(deviceChannelId) ?? []) woken.add(listener);
    }
    for (const listener of woken) listener();
  };
  show(first);
  return {
    show,
    of: (channelId) => shown.get(channelId),
    moment: () => new Date(shownAt),
    // Nothing else changes the past.
    set: () => undefined,
    forgetBefore: () => undefined,
    subscribe: (channelIds, listener) => {
      for (const channelId of channelIds)
        listeners.set(channelId, (listeners.get(channelId) ?? new Set()).add(listener));
      return () => {
        for (const channelId of channelIds) listeners.get(channelId)?.delete(listener);
      };
    },
  };
};

/** Which settings of each channel a moment has: equal for two moments whose tiles have the same units, report intervals and ranges. */
export const settingsKey = ({ channels }: Rewind, at: number): string =>
  channels.map((channel) => periodAt(channel, at)?.startTime?.getTime() ?? "").join();

/** The tiles with the settings of a moment. */
export const tilesAt = ({ tiles, channels }: Rewind, at: number): Tile[] => {
  const known = new Map(channels.map((channel) => [channel.deviceChannelId, periodAt(channel, at)]));
  const settingsOf = (channel: Pick<TileChannel, "deviceChannelId" | "unit" | "reportWithin">) => {
    const { unit, reportWithin } = known.get(channel.deviceChannelId) ?? channel;
    return { unit, reportWithin };
  };
  return tiles.map((tile) => {
    const period = known.get(tile.deviceChannelId);
    return {
      ...tile,
      ...(!hasChannels(tile) && { ...settingsOf(tile), sensorRange: (period ?? tile).sensorRange }),
      channelAnalogId: period?.channelAnalogId ?? tile.channelAnalogId,
      modbusChannels: tile.modbusChannels.map((channel) => ({ ...channel, ...settingsOf(channel) })),
    };
  });
};
