import type { Database } from "../../platform/database/schema/schema.ts";
import type { QueuedMessage } from "../outbox/queries.ts";

/** Resolves when it is written down that the message leaves: called when all but its end has left. */
export type HandOver = () => Promise<void>;

/** A way by which notifications reach people. The outbox queues, tries again and counts; a channel knows how to send. */
export interface NotificationChannel {
  /** Of its job in metrics and logs. */
  name: string;
  /** Sends a message once; throws `SendingRefused` when it is not wanted, another fault when nobody knows or it may be tried again. Undefined without an account: messages are kept. */
  send: ((message: QueuedMessage, onHandOver: HandOver) => Promise<void>) | undefined;
  /** Whether the message may go out, such as one that is paid for; one that may not is settled by this. */
  admit?(message: QueuedMessage): Promise<boolean>;
  /** Takes back what `admit` took for a message that certainly did not go out. In the transaction that says so. */
  giveBack?(db: Database, message: QueuedMessage): Promise<void>;
  /** The address wants nothing of ours any more. */
  onUnwanted?(recipient: string): Promise<void>;
}
