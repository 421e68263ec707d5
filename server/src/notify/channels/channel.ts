import type { Database } from "../../platform/database/schema/schema.ts";
import type { QueuedMessage } from "../outbox/queries.ts";

/** Called when all but the message's last byte is sent; resolves when that is recorded in the outbox. */
export type HandOver = () => Promise<void>;

/** A message as its recipient reads it. */
export interface FormattedMessage {
  subject: string;
  text: string;
  links: string[];
}

/** How the messages of a kind are sent. */
export interface Pace {
  /** Messages sent concurrently. */
  atOnce: number;
  /** Messages whose turns are looked up together; ones that come meanwhile wait for so many. */
  planned: number;
  /** Most of these of one plant. */
  perPlant: number;
}

/** A way to notify people. The outbox queues, retries and counts; a channel sends. */
export interface NotificationChannel {
  /**
   * Sends a message once. Throws `SendingRefused` when it is refused, any other error when the outcome is unknown or a retry is possible. Undefined
   * without an account: messages are kept unsent.
   */
  send: ((message: QueuedMessage, onHandOver: HandOver) => Promise<void>) | undefined;
  /** Whether the message may be sent, for example because it is paid for. If not, this call also settles the message. */
  admit?(message: QueuedMessage): Promise<boolean>;
  /** Refunds what `admit` charged for a message that certainly was not sent. Runs in the transaction that records it. */
  giveBack?(db: Database, message: QueuedMessage): Promise<void>;
  /** A fault as the outbox keeps it for people; `String` unless given. */
  reasonOf?(fault: unknown): string;
  /** How many messages are sent at once; a few of any plant unless given. */
  readonly pace?: Pace;
  /** Called before each look for due messages: puts off those that must not be sent yet. */
  holdBack?(now: Date): Promise<void>;
  /** The recipient has unsubscribed from our messages. */
  onUnwanted?(recipient: string): Promise<void>;
}
