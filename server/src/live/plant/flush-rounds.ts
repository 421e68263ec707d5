import type { PlantChannel, Sent } from "./plant-channel.ts";

/** Flushes the plant channels in rounds while there is anything to send. */
export interface Rounds {
  /** The plant channel has something to send. */
  wake(plantChannel: PlantChannel): void;
  stop(): void;
}

/**
 * Pause after a round as a multiple of its duration, so that rounds take at most a quarter of the time; meanwhile newer values replace older ones.
 */
const share = 3;

/**
 * `gather`: least time between two rounds, milliseconds. The first message after a pause is sent at once, so that a change reaches the consoles with
 * the answer to the call that made it.
 */
export const createRounds = (gather: number, onSent: (sent: Sent) => void): Rounds => {
  let awake = new Set<PlantChannel>();
  let isBusy = false;
  let lastRound = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (pause: number): void => {
    isBusy = true;
    timer = setTimeout(round, pause);
  };

  const round = (): void => {
    const began = performance.now();
    lastRound = began;
    const plantChannels = awake;
    awake = new Set();
    for (const plantChannel of plantChannels) {
      onSent(plantChannel.flush());
      if (plantChannel.isHolding) awake.add(plantChannel);
    }
    isBusy = false;
    if (awake.size > 0) schedule(Math.max(gather, (performance.now() - began) * share));
  };

  return {
    wake: (plantChannel) => {
      awake.add(plantChannel);
      if (!isBusy) schedule(Math.max(0, lastRound + gather - performance.now()));
    },
    stop: () => {
      clearTimeout(timer);
      awake.clear();
    },
  };
};
