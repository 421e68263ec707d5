import type { Receipt } from "../device/link.ts";

/** Outcome of the acknowledged readings. */
export interface Tally {
  /** As counted by the server. */
  stored: number;
  refused: number;
  /** Acknowledged without counts: committed, or counted as refused for the device. */
  uncounted: number;
  /** The server's refusal reasons, each with its number of messages. */
  reasons: Map<string, number>;
}

export const createTally = (): Tally => ({ stored: 0, refused: 0, uncounted: 0, reasons: new Map() });

/** Adds the acknowledgement of a message with this many readings. */
export const addReceipt = (tally: Tally, readings: number, { stored, refused, isRefused, reason }: Receipt): void => {
  if (reason !== undefined) tally.reasons.set(reason, (tally.reasons.get(reason) ?? 0) + 1);
  if (isRefused) tally.refused += readings;
  else if (stored === undefined && refused === undefined) tally.uncounted += readings;
  else {
    tally.refused += refused ?? readings - (stored ?? 0);
    tally.stored += stored ?? readings - (refused ?? 0);
  }
};
