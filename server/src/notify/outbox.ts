import { MessageKind } from "@telltale/contract/site";
import type { Database } from "../world.ts";
import type { Letter } from "./letter.ts";

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

/**
 * Writes a mail into the outbox. Call it in the transaction of what the mail tells about: both are there, or neither is.
 * It is sent within seconds, or kept where there is nothing to send it with.
 */
export const queueMail = async (db: Database, { recipient, letter, now, plantId }: Mail): Promise<void> => {
  const subject = letter.subject.replace(breaks, " ").trim();
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
