import type { KnownChannel, KnownDevice } from "../devices/known-device.ts";

/** The arrival time that a message without a time of its own was given, kept so that its redelivery gets the same. */
export interface Arrival {
  deviceId: number;
  slot: number;
  digest: number;
  ts: number;
}

/** What became of a message: committed, refused by the database for its content, or not written because the server stops. */
export type Outcome = "stored" | "refused" | "stopped";

/** One message's accepted readings in columns, waiting for its batch. `done` is called once. */
export interface Submission {
  /** Every device that was heard by this message. */
  devices: readonly KnownDevice[];
  channels: readonly KnownChannel[];
  /** Device times, epoch milliseconds. */
  times: readonly number[];
  /** Values as sent, before scaling. */
  values: readonly number[];
  arrival?: Arrival;
  /** Of its payload. */
  bytes?: number;
  done: (outcome: Outcome) => void;
}
