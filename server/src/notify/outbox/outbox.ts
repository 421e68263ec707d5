import { MessageKind } from "@telltale/contract/notification-channels";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Letter } from "../letters/letter.ts";

interface Mail {
  recipient: string;
  letter: Letter;
  now: Date;
  /** The plant on whose behalf it is sent; absent for mail about a user's own account. */
  plantId?: number;
}

/** Control characters, which would start another header line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are meant
const breaks = /[\u0000-\u001f\u007f]+/g;

/** A letter's subject, safe for a mail header. */
export const subjectOf = ({ subject }: Letter): string => subject.replace(breaks, " ").trim();

/**
 * Queues a mail in the outbox. Call in the transaction of the change that it reports: both are committed or neither. It is sent within seconds, or
 * kept when no mail server is configured.
 */
export const queueMail = async (db: Database, { recipient, letter, now, plantId }: Mail): Promise<void> => {
  const subject = subjectOf(letter);
  await db
    .insertInto("outbox")
    .values({
      plant_id: plantId ?? null,
      kind: MessageKind.mail,
      recipient,
      subject,
      body: JSON.stringify({ ...letter, subject }),
      next_time: now,
      created_time: now,
    })
    .execute();
};

interface Text {
  /** A kind that is sent as plain text. */
  kind: MessageKind;
  /** As the kind's contacts give it: of SMS the digits with the country code. */
  recipient: string;
  /** Of SMS at most 160 characters; see `gsm`. */
  text: string;
  now: Date;
  plantId: number;
}

/** Queues a plain text in the outbox; see `queueMail`. */
export const queueText = async (db: Database, { kind, recipient, text, now, plantId }: Text): Promise<void> => {
  await db
    .insertInto("outbox")
    .values({
      plant_id: plantId,
      kind,
      recipient,
      body: JSON.stringify({ text }),
      next_time: now,
      created_time: now,
    })
    .execute();
};
