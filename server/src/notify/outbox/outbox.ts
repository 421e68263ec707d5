import { MessageKind } from "@telltale/contract/domains/support";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Letter } from "../letters/letter.ts";

interface Mail {
  recipient: string;
  letter: Letter;
  now: Date;
  /** Whose doing it is; left out for mail about one's own person. */
  plantId?: number;
}

/** What can't stand in a header, because it would begin another one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are meant
const breaks = /[\u0000-\u001f\u007f]+/g;

/** A letter's subject as a header can carry it. */
export const subjectOf = ({ subject }: Letter): string => subject.replace(breaks, " ").trim();

/**
 * Writes a mail into the outbox. Call it in the transaction of what the mail tells about: both are there, or neither is.
 * It is sent within seconds, or kept where there is nothing to send it with.
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

interface Sms {
  /** Digits with the country code. */
  recipient: string;
  /** At most 160 characters; see `gsm`. */
  text: string;
  now: Date;
  plantId: number;
}

/** The same for an SMS. */
export const queueSms = async (db: Database, { recipient, text, now, plantId }: Sms): Promise<void> => {
  await db
    .insertInto("outbox")
    .values({
      plant_id: plantId,
      kind: MessageKind.sms,
      recipient,
      body: JSON.stringify({ text }),
      next_time: now,
      created_time: now,
    })
    .execute();
};
