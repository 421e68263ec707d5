import type { KnownChannel, KnownDevice } from "../devices/known-device.ts";

/** First arrival time of a message without a time of its own, stored so that a resend gets the same. */
export interface Arrival {
  deviceId: number;
  slot: number;
  digest: number;
  ts: number;
}

/**
 * How a message without a time of its own is looked up: another node may commit it while it waits here. That is found when the batch is written, by the
 * versions of its devices, unless one of them was loaded again since the look-up.
 */
export interface ArrivalLookUp {
  /** How often its devices had been loaded before the last look-up, in all. */
  loads: number;
  /** Returns the message's first arrival time, epoch milliseconds; undefined when it is not to be stored here, but sent again by its device. */
  find(): Promise<number | undefined>;
}

/** How often these devices were loaded, in all. */
export const loadsOf = (devices: readonly KnownDevice[]): number => devices.reduce((sum, { loads }) => sum + loads, 0);

/** Result of a message: committed, refused by the database because of its content, or not written because the server stops or has no room. */
export type Outcome = "stored" | "refused" | "stopped";

/** What is known of a device when time has passed; by the server's clock, epoch milliseconds. */
export interface Tick {
  /** When the timer looked. The batch may be written much later, while readings are still on their way: it lets no more time pass than this. */
  now: number;
  /** When it was heard last. */
  heard: number;
  /** Since when the server has been able to hear it. */
  since: number;
  /** When the server's clock was set last: by the clock as it is now, arrivals before have no known time. */
  setAt: number;
}

/** Accepted readings of one message, in columns. `done` is called once. */
export interface Submission {
  /** Every device that is marked as heard by this message. */
  devices: readonly KnownDevice[];
  channels: readonly KnownChannel[];
  /** Device times, epoch milliseconds. */
  times: readonly number[];
  /** Values as sent, before scaling. */
  values: readonly number[];
  /** No message: time has passed for rules that wait. The devices were not heard. */
  tick?: Tick;
  /** False where there is no message either: the devices have changed, and are loaded again. They were not heard. */
  isHeard?: false;
  arrival?: Arrival;
  lookUp?: ArrivalLookUp;
  /** Size of its payload. */
  bytes?: number;
  done: (outcome: Outcome) => void;
}

/** Number of readings of these messages. */
export const readingsOf = (submissions: readonly Submission[]): number =>
  submissions.reduce((sum, { channels }) => sum + channels.length, 0);
