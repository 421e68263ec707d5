/** What is shown of a channel and changes all the time. */
export interface Reading {
  value: number | null;
  status: number;
  /** Device time of the reading; of what was loaded for tiles it is not known. */
  updateTime?: Date | null;
}

type Listener = () => void;

/** The newest value of each channel that came over the live socket since the tiles were loaded. */
export interface LiveValues {
  /** The reading of a channel, the same object until the next one; undefined when none came. */
  of: (channelId: number) => Reading | undefined;
  set: (channelId: number, reading: Reading) => void;
  /** Forgets what arrived before `moment`: values loaded since then are newer. */
  forgetBefore: (moment: number) => void;
  /** Calls `listener` once a frame in which one of the channels changed. Gives back how to unsubscribe. */
  subscribe: (channelIds: readonly number[], listener: Listener) => () => void;
}

interface Needs {
  /** Monotonic milliseconds. */
  now: () => number;
  /** Runs the callback before the next painting. */
  nextFrame: (run: () => void) => void;
}

/** Wakes only the listeners of the channels that changed, and those once a frame, however many messages come. */
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
