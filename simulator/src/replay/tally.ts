import type { Receipt } from "../device/link.ts";

/** What became of the readings that were acknowledged. */
export interface Tally {
  /** As the server has counted them. */
  stored: number;
  refused: number;
  /** Acknowledged without a count: committed, or counted as refused for the device. */
  uncounted: number;
  /** The server's words about what was refused, each with how many messages it was said of. */
  reasons: Map<string, number>;
}

export const createTally = (): Tally => ({ stored: 0, refused: 0, uncounted: 0, reasons: new Map() });

/** Adds what an acknowledgement says of a message of so many readings. */
export const addReceipt = (tally: Tally, readings: number, { stored, refused, isRefused, reason }: Receipt): void => {
  if (reason !== undefined) tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
  if (isRefused) tally.refused += readings;
  else if (stored === undefined && refused === undefined) tally.uncounted += readings;
  else {
    tally.refused += refused ?? readings - (stored ?? 0);
    tally.stored += stored ?? readings - (refused ?? 0);
  }
};
