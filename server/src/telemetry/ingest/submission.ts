import type { KnownChannel, KnownDevice } from "../devices/known-device.ts";

/** First arrival time of a message without a time of its own, stored so that a resend gets the same. */
export interface Arrival {
  deviceId: number;
  slot: number;
  digest: number;
  ts: number;
}

/** Result of a message: committed, refused by the database because of its content, or not written because the server stops or has no room. */
export type Outcome = "stored" | "refused" | "stopped";

/** Accepted readings of one message, in columns. `done` is called once. */
export interface Submission {
  /** Every device that is marked as heard by this message. */
  devices: readonly KnownDevice[];
  channels: readonly KnownChannel[];
  /** Device times, epoch milliseconds. */
  times: readonly number[];
  /** Values as sent, before scaling. */
  values: readonly number[];
  arrival?: Arrival;
  /** Looks the message up again: its first arrival time, epoch milliseconds, when it has been committed meanwhile. */
  findArrival?: () => Promise<number | undefined>;
  /** Size of its payload. */
  bytes?: number;
  done: (outcome: Outcome) => void;
}
