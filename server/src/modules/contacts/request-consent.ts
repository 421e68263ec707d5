import { createHash, randomInt } from "node:crypto";
import { contactCodeLength } from "@telltale/contract/domains/people/contacts";
import { contactChannels } from "@telltale/contract/notification-channels";
import { type Letter, queueMail, queueText } from "../../notify/index.ts";
import { gsmName, shortened } from "../../notify/letters/gsm.rules.ts";
import { quoted, typedText } from "../../notify/letters/quoted.rules.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { inviterName, newMailLink } from "../accounts/index.ts";
import { codeLife } from "./limits.rules.ts";
import { type Contact, plantName } from "./queries.ts";
import { recordRequest } from "./request-queries.ts";

interface ContactLetter {
  publicUrl: string;
  email: string;
  secret: string;
  plantName: string;
  requestedBy: string;
}

/** The request to a mail contact. Its links only open a page with buttons, so that mail scanners do not answer it. */
const contactLetter = ({ publicUrl, email, secret, plantName, requestedBy }: ContactLetter): Letter => {
  const url = (more: Record<string, string>) =>
    `${publicUrl}/contact?${new URLSearchParams({ accessToken: secret, email, ...more })}`;
  return {
    subject: `May ${quoted(plantName)} send you alerts?`,
    paragraphs: [
      `${requestedBy} wants to send you alerts of ${quoted(plantName)}: what its devices report, such as a pressure that is too high.`,
      "You get none of them until you agree.",
    ],
    action: { label: "Answer", url: url({}) },
    footnotes: [
      "The link works once, within the next seven days.",
      "If you do not know who this is from, ignore this mail, or say that you want no alerts: you will not be asked again for 90 days.",
    ],
    leave: { label: "I do not want alerts", url: url({ stop: "1" }) },
  };
};

/** The SMS with a phone's code, at most 160 characters. */
const codeText = (code: string, plant: string): string => {
  const name = shortened(gsmName(typedText(plant), "a plant"), 30);
  return `Telltale: ${code} is the code to get alerts of "${name}" on this phone. It works for 15 minutes. If you did not expect it, ignore it.`;
};

/** Data of a request link. */
export interface ConsentRequest {
  contactId: number;
}

/** Hash of a code. Includes the contact's id, so that equal codes of two phones have different hashes. */
export const codeHash = (contactId: number, code: string): Buffer =>
  createHash("sha256").update(`${contactId}:${code}`).digest();

interface Asking {
  publicUrl: string;
  /** The requesting user. */
  userId: number;
  now: Date;
}

const mailLink = async (db: Database, contact: Contact, { publicUrl, userId, now }: Asking): Promise<void> => {
  const { contact_id, plant_id, contact_info: email } = contact;
  const detail: ConsentRequest = { contactId: contact_id };
  const secret = await newMailLink(db, { purpose: "contact", email, detail, now });
  const named = { plantName: await plantName(db, plant_id), requestedBy: await inviterName(db, userId) };
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
  await queueText(db, { kind: contact.type, recipient: contact_info, text, now, plantId: plant_id });
};

const requests = { link: mailLink, code: sendCode };

/** Sends a contact a link or code, within the limits. Earlier links stay valid, earlier codes do not. */
export const requestConsent = async (db: Database, contact: Contact, asking: Asking): Promise<void> => {
  await recordRequest(db, contact, asking.now);
  await requests[contactChannels[contact.type].consent](db, contact, asking);
};
