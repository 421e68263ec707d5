import { createHash, randomInt } from "node:crypto";
import { ContactType, contactCodeLength } from "@telltale/contract/contacts";
import { newMailLink } from "../accounts/mail-link-queries.ts";
import { inviterName } from "../accounts/membership-queries.ts";
import { queueMail, queueSms } from "../notify/outbox.ts";
import type { Database } from "../world.ts";
import { codeText, contactLetter } from "./letters.ts";
import { codeLife } from "./limits.rules.ts";
import { type Contact, plantName } from "./queries.ts";
import { noteRequest } from "./request-queries.ts";

/** What a mailed link is for. */
export interface AskedContact {
  contactId: number;
}

/** A code is kept with the contact's number in its hash, so that equal codes of two phones do not look alike. */
export const codeHash = (contactId: number, code: string): Buffer =>
  createHash("sha256").update(`${contactId}:${code}`).digest();

interface Asking {
  publicUrl: string;
  /** Who asks. */
  userId: number;
  now: Date;
}

const mailLink = async (db: Database, contact: Contact, { publicUrl, userId, now }: Asking): Promise<void> => {
  const { contact_id, plant_id, contact_info: email } = contact;
  const detail: AskedContact = { contactId: contact_id };
  const secret = await newMailLink(db, { purpose: "contact", email, detail, now });
  const named = { plantName: await plantName(db, plant_id), askedBy: await inviterName(db, userId) };
  const letter = contactLetter({ publicUrl, email, secret, ...named });
  await queueMail(db, { recipient: email, letter, now, plantId: plant_id });
};

const sendCode = async (db: Database, contact: Contact, { now }: Asking): Promise<void> => {
  const { contact_id, plant_id, contact_info } = contact;
  const code = String(randomInt(10 ** contactCodeLength)).padStart(contactCodeLength, "0");
  const fresh = { code_hash: codeHash(contact_id, code), tries: 0, expires_time: new Date(now.getTime() + codeLife) };
  await db
    .insertInto("contact_codes")
    .values({ contact_id, ...fresh })
    .onConflict((same) => same.column("contact_id").doUpdateSet(fresh))
    .execute();
  const text = codeText(code, await plantName(db, plant_id));
  await queueSms(db, { recipient: contact_info, text, now, plantId: plant_id });
};

/** Asks a contact, by a link or a code, unless it was asked too often. Links sent before go on working, codes do not. */
export const askContact = async (db: Database, contact: Contact, asking: Asking): Promise<void> => {
  await noteRequest(db, contact, asking.now);
  await (contact.type === ContactType.phone ? sendCode : mailLink)(db, contact, asking);
};
