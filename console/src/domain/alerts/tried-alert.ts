import type { Threshold } from "../channel-settings.ts";

/** A time span in epoch milliseconds. */
interface Span {
  start: number;
  end: number;
}

/** What an alert that is tried would have raised, for the chart of its channel. */
export interface TriedAlert {
  deviceChannelId: number;
  channelName: string;
  /** The time on which it was tried. */
  range: Span;
  /** Its limit; undefined for a condition that has none. */
  limit: Threshold | undefined;
  /** When it would have been in alarm. */
  raised: Span[];
  /** What it would have raised without the delay that is compared. */
  spared: Span[];
}
