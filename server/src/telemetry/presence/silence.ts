import type { Clock } from "../../platform/clock.ts";

/** A difference between clock and passed time that no clock gets by running slow, milliseconds. */
const setBy = 1_000;
/** Who has not listened for so long, in milliseconds, may have missed what was said. */
const deafFor = 30_000;

/** What is asked before silence is judged. */
export interface SilenceLook {
  now: number;
  /** Silence counts from here on at the earliest, epoch milliseconds. */
  since: number;
  /** The clock goes by another time than at the last look, or this is the first. */
  isClockSet: boolean;
}

/** Since when the server has been able to hear devices. */
export interface Silence {
  /** The server is about to look; `deaf` is how long it may not have listened before that, in milliseconds. */
  look(deaf: number): SilenceLook;
}

/**
 * Devices are not silent because the server was not there, did not get to listen, or had its clock set: silence is counted anew from each of
 * these.
 */
export const createSilence = (clock: Clock): Silence => {
  let since = clock.now();
  let last: { ahead: number } | undefined;
  return {
    look: (deaf) => {
      const now = clock.now();
      const ahead = now - clock.steady();
      const isClockSet = last === undefined || Math.abs(ahead - last.ahead) > setBy;
      if ((last && isClockSet) || deaf > deafFor) since = now;
      last = { ahead };
      return { now, since, isClockSet };
    },
  };
};
