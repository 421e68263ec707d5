import type { Input } from "@telltale/contract/call/call";
import {
  type ContactRequest,
  ContactStatus,
  contactStatusLabels,
  type contacts,
} from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid } from "../../platform/http/api-error.ts";
import type { World } from "../../world.ts";
import { mailLinkDetail, takeMailLink } from "../accounts/index.ts";
import { type Contact, nameOf, plantName, saveStatus, targetOf } from "./queries.ts";
import type { ConsentRequest } from "./request-consent.ts";
import { recordRefusal } from "./request-queries.ts";

type Needs = Pick<World, "db" | "clock">;
type Link = Input<typeof contacts.request>;

const tooOld = "This link has been used or is too old. Please ask the sender for a new one";

const contactById = (db: Database, contactId: number) =>
  db.selectFrom("contacts").selectAll().where("contact_id", "=", contactId).executeTakeFirst();

/** The contact of an alert's unsubscribe link. */
const contactByStopKey = (db: Database, { accessToken, email }: Link) =>
  db
    .selectFrom("contacts")
    .selectAll()
    .where("stop_key", "=", accessToken)
    .where("type", "=", ContactType.mail)
    .where(sql<boolean>`lower(contact_info) = ${email.toLowerCase()}`)
    .executeTakeFirst();

const mailLinkOf = ({ accessToken, email }: Link, now: Date) =>
  ({ purpose: "contact", email, secret: accessToken, now }) as const;

/** Details of the request, while the link is valid. */
export const contactRequest = async ({ db, clock }: Needs, link: Link): Promise<ContactRequest> => {
  const requested = await mailLinkDetail<ConsentRequest>(db, mailLinkOf(link, clock.date()));
  const contact = requested ? await contactById(db, requested.contactId) : await contactByStopKey(db, link);
  if (!contact) throw invalid(tooOld);
  return { plantName: await plantName(db, contact.plant_id), name: nameOf(contact), status: contact.status };
};

/** The contact of an answer. A request link is used up; an alert's link can stop alerts any number of times. */
const answering = async (
  db: Database,
  link: Input<typeof contacts.answer>,
  now: Date,
): Promise<Contact | undefined> => {
  const requested = await takeMailLink<ConsentRequest>(db, mailLinkOf(link, now));
  if (requested) return contactById(db, requested.contactId);
  return link.status === ContactStatus.refused ? contactByStopKey(db, link) : undefined;
};

const word = (status: ContactStatus): string => contactStatusLabels[status];

/** Records a contact's own answer. */
const takeAnswer = async (db: Database, contact: Contact, status: ContactStatus, now: Date): Promise<void> => {
  // Pressing a link twice changes nothing.
  if (contact.status === status) return;
  await saveStatus(db, contact.contact_id, status, now);
  const isRefused = status === ContactStatus.refused;
  if (isRefused) await recordRefusal(db, contact, now);
  const change = { before: { status: word(contact.status) }, after: { status: word(status) } };
  const action = isRefused ? "contact.refuse" : "contact.verify";
  const entry = { plantId: contact.plant_id, userId: null, action, now };
  await audit(db, { ...entry, detail: { target: targetOf(contact), ...change } });
};

/** Records the answer given by a mailed link. */
export const answerRequest = ({ db, clock }: Needs, link: Input<typeof contacts.answer>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const contact = await answering(trx, link, now);
    if (!contact) throw invalid(tooOld);
    await takeAnswer(trx, contact, link.status, now);
  });

/** Marks contacts with this phone as refused in every plant: its owner has stopped SMS at the provider. */
export const refusePhone = ({ db, clock }: Needs, phone: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const reached = await trx
      .selectFrom("contacts")
      .selectAll()
      .where("type", "=", ContactType.phone)
      .where(sql<boolean>`lower(contact_info) = ${phone}`)
      .where("status", "<>", ContactStatus.refused)
      .orderBy("contact_id")
      .forUpdate()
      .execute();
    const now = clock.date();
    for (const contact of reached) await takeAnswer(trx, contact, ContactStatus.refused, now);
  });
