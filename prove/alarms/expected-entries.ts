import type { Measured } from "./alarmed-device.ts";
import { limit, type Watch } from "./watch.ts";

/** When an entry was raised and cleared, by the device's clock; epoch milliseconds. */
export interface Entry {
  raised: number;
  /** Undefined while it stands. */
  cleared: number | undefined;
}

/** An alarm's state between two readings. */
interface State {
  holds: boolean;
  /** Since when it holds, or does not. */
  since: number;
  isCounted: boolean;
  counted: number[];
  open: Entry | undefined;
  entries: Entry[];
}

/** The delay of what is in force may have ended by now. */
const endDelay = (state: State, { onDelay, offDelay, times, window }: Watch, now: number): void => {
  const { open, holds, since } = state;
  if (open && !holds && since + offDelay <= now) {
    open.cleared = since + offDelay;
    state.open = undefined;
  }
  if (open || !holds || state.isCounted || since + onDelay > now) return;
  const at = since + onDelay;
  state.isCounted = true;
  state.counted = [...state.counted.filter((each) => each > at - window), at];
  if (state.counted.length < times) return;
  state.counted = [];
  state.open = { raised: at, cleared: undefined };
  state.entries.push(state.open);
};

/**
 * The entries that readings must have given when all delays have ended. A model of its own, in the words of the specification, so that a fault of the
 * server's is not repeated here: a value is in force until the next one, an entry's time is the beginning of the condition and the delay.
 */
export const expectedEntries = (watch: Watch, measured: readonly Measured[]): Entry[] => {
  const state: State = { holds: false, since: 0, isCounted: false, counted: [], open: undefined, entries: [] };
  for (const { ts, values } of measured) {
    const value = values[watch.code];
    if (value === undefined) continue;
    endDelay(state, watch, ts);
    if (value >= limit !== state.holds) {
      state.holds = !state.holds;
      state.since = ts;
      state.isCounted = false;
    }
    endDelay(state, watch, ts);
  }
  endDelay(state, watch, Number.POSITIVE_INFINITY);
  return state.entries;
};
