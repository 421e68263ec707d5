import type { Random } from "../random.ts";
import { sparse, type Watch } from "./watch.ts";

/** A value that goes beyond its limit and back, at times that the alarm's delays make interesting. */
export interface VaryingValue {
  /** Whether it is beyond at this time; call with increasing times, epoch milliseconds. */
  isBeyond(at: number): boolean;
}

const second = 1_000;

/** How long a value stays beyond: too short to be raised, for a while, or for longer than the steps of a plan. */
const stayBeyond = ({ onDelay, times }: Watch, random: Random): number => {
  if (times > 1) return onDelay + second + random.below(2 * second);
  const kind = random.below(10);
  if (kind < 3) return second / 2 + random.below(onDelay - second);
  return onDelay + second + (kind < 7 ? random.below(8 * second) : 75 * second + random.below(75 * second));
};

/** How long it stays back: sometimes too short to be cleared; of a value that is sent only when it changes, sometimes so long that only a timer can. */
const stayBack = ({ offDelay, code }: Watch, random: Random): number => {
  const kind = random.below(10);
  if (kind < 2 && offDelay > second) return second / 2 + random.below(offDelay - second);
  if (kind < 6 && code === sparse) return 70 * second + random.below(30 * second);
  return offDelay + 3 * second + random.below(10 * second);
};

/** Begins back. */
export const createVaryingValue = (watch: Watch, random: Random, from: number): VaryingValue => {
  let isBeyond = false;
  let until = from + stayBack(watch, random);
  return {
    isBeyond: (at) => {
      while (at >= until) {
        isBeyond = !isBeyond;
        until += isBeyond ? stayBeyond(watch, random) : stayBack(watch, random);
      }
      return isBeyond;
    },
  };
};
