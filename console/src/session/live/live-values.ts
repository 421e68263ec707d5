/** The frequently changing part of a channel. */
export interface Reading {
  value: number | null;
  status: number;
  /** Device time of the reading; unknown for values loaded with tiles of several channels. */
  updateTime?: Date | null;
}

type Listener = () => void;

/** The newest live value of each channel since the tiles were loaded. */
export interface LiveValues {
  /** The live reading of a channel, the same object until the next one; undefined when there is none. */
  of: (channelId: number) => Reading | undefined;
  set: (channelId: number, reading: Reading) => void;
  /** Discards values that arrived before `moment`: values loaded since then are newer. */
  forgetBefore: (moment: number) => void;
  /** Calls `listener` once per animation frame in which one of the channels changed. Returns the unsubscribe function. */
  subscribe: (channelIds: readonly number[], listener: Listener) => () => void;
  /** Of values of the past: their moment. */
  moment?: () => Date;
}

interface Needs {
  /** Monotonic milliseconds. */
  now: () => number;
  /** Runs the callback before the next paint. */
  nextFrame: (run: () => void) => void;
}

/** Creates a store that notifies only listeners of changed channels, once per animation frame, however many messages arrive. */
export const createLiveValues = ({ now, nextFrame }: Needs): LiveValues => {
  const readings = new Map<number, { reading: Reading; arrived: number }>();
  const listeners = new Map<number, Set<Listener>>();
  let changed = new Set<number>();

  const wake = () => {
    const woken = new Set([...changed].flatMap((channelId) => [...(listeners.get(channelId) ?? [])]));
    changed = new Set();
    for (const listener of woken) listener();
  };

  const mark = (channelId: number) => {
    if (changed.size === 0) nextFrame(wake);
    changed.add(channelId);
  };

  const listenersOf = (channelId: number): Set<Listener> => {
    const known = listeners.get(channelId) ?? new Set();
    listeners.set(channelId, known);
    return known;
  };

  return {
    of: (channelId) => readings.get(channelId)?.reading,
    set: (channelId, reading) => {
      readings.set(channelId, { reading, arrived: now() });
      mark(channelId);
    },
    forgetBefore: (moment) => {
      for (const [channelId, { arrived }] of readings) {
        if (arrived >= moment) continue;
        readings.delete(channelId);
        mark(channelId);
      }
    },
    subscribe: (channelIds, listener) => {
      for (const channelId of channelIds) listenersOf(channelId).add(listener);
      return () => {
        for (const channelId of channelIds) listeners.get(channelId)?.delete(listener);
      };
    },
  };
};
