import type { PlantChannel, Sent } from "./plant-channel.ts";

/** Sends the rooms' messages in rounds, while there is anything to send. */
export interface Rounds {
  /** The room has something to send. */
  wake(room: PlantChannel): void;
  stop(): void;
}

/** A round takes at most a quarter of the time: after a long one the next waits longer, and more is replaced by newer values meanwhile. */
const share = 3;

/** `gather`: the shortest time between two rounds, in milliseconds. */
export const createRounds = (gather: number, onSent: (sent: Sent) => void): Rounds => {
  let awake = new Set<PlantChannel>();
  let isBusy = false;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (pause: number): void => {
    isBusy = true;
    timer = setTimeout(() => void round(), pause);
  };

  const round = async (): Promise<void> => {
    const began = performance.now();
    const rooms = awake;
    awake = new Set();
    for (const room of rooms) {
      onSent(await room.flush());
      if (room.isHolding) awake.add(room);
    }
    isBusy = false;
    if (awake.size > 0) schedule(Math.max(gather, (performance.now() - began) * share));
  };

  return {
    wake: (room) => {
      awake.add(room);
      if (!isBusy) schedule(gather);
    },
    stop: () => {
      clearTimeout(timer);
      awake.clear();
    },
  };
};
