import { type Clock, setBy } from "../../platform/clock.ts";

/** After a longer stall, in milliseconds, silence proves nothing. */
const longestStall = 30_000;

/** Inputs of a check for silence. */
export interface SilenceCheck {
  now: number;
  /** Silence counts from this time at the earliest, epoch milliseconds. */
  since: number;
  /** The clock was set since the last check, or this is the first. */
  isClockSet: boolean;
}

/** Since when the server has been able to receive messages. */
export interface Silence {
  /** Call before a check; `stall` is how long the server may not have received messages before, milliseconds. */
  check(stall: number): SilenceCheck;
}

/** A device is not silent because the server was down, stalled or had its clock set: silence is counted anew from each of these. */
export const createSilence = (clock: Clock): Silence => {
  let since = clock.now();
  let last: { ahead: number } | undefined;
  return {
    check: (stall) => {
      const now = clock.now();
      const ahead = now - clock.steady();
      const isClockSet = last === undefined || Math.abs(ahead - last.ahead) > setBy;
      if ((last && isClockSet) || stall > longestStall) since = now;
      last = { ahead };
      return { now, since, isClockSet };
    },
  };
};
