import { type LiveWatch, mostWatched } from "@telltale/contract/live";

/** The channels whose values are shown. */
export interface WatchedChannels {
  /** Adds these channels until the returned function is called. */
  watch: (channelIds: readonly number[]) => () => void;
  /** The `watch` message that names them; without ids when there are more than a client can name. */
  message: () => string;
}

/** Collects the channels of all parts of the screen; `onChange` is called once after parts of a screen came or went together. */
export const createWatchedChannels = (onChange: () => void): WatchedChannels => {
  const counts = new Map<number, number>();
  let isChanged = false;
  const changed = (): void => {
    if (isChanged) return;
    isChanged = true;
    setTimeout(() => {
      isChanged = false;
      onChange();
    });
  };
  const add = (channelId: number, by: number): void => {
    const before = counts.get(channelId) ?? 0;
    if (before + by === 0) counts.delete(channelId);
    else counts.set(channelId, before + by);
    if (before === 0 || before + by === 0) changed();
  };
  return {
    watch: (channelIds) => {
      for (const channelId of channelIds) add(channelId, 1);
      return () => {
        for (const channelId of channelIds) add(channelId, -1);
      };
    },
    message: () => {
      const deviceChannelIds = counts.size > mostWatched ? undefined : [...counts.keys()];
      return JSON.stringify({ cmd: "watch", deviceChannelIds } satisfies LiveWatch);
    },
  };
};
