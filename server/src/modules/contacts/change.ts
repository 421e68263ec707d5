import { randomBytes } from "node:crypto";
import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { ContactStatus, contactStatusLabels, type contacts } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { codeTries } from "./limits.rules.ts";
import { type Contact, lockedContact, nameOf, saveStatus, targetOf } from "./queries.ts";
import { codeHash, requestConsent } from "./request-consent.ts";

type Needs = Pick<World, "db" | "clock" | "publicUrl">;

const statusLabel = (status: ContactStatus): string => contactStatusLabels[status];

const insertContact = async (db: Database, input: Input<typeof contacts.add>, caller: Caller, now: Date) => {
  const contact = await db
    .insertInto("contacts")
    .values({
      plant_id: caller.plantId,
      type: input.type,
      first_name: input.firstName,
      last_name: input.lastName,
      contact_info: input.contactInfo,
      may_confirm: input.mayConfirm === 1,
      stop_key: randomBytes(24).toString("base64url"),
      created_by: caller.accountId,
      created_time: now,
    })
    .onConflict((same) => same.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!contact) throw conflict("This contact has been added already");
  return contact;
};

/** Adds a contact and sends the request. Returns its id. */
export const addContact = (
  { db, clock, publicUrl }: Needs,
  input: Input<typeof contacts.add>,
  caller: Caller,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const contact = await insertContact(trx, input, caller, now);
    const { plantId, userId } = caller;
    await requestConsent(trx, contact, { publicUrl, userId, now });
    const type = contactTypeLabels[input.type];
    const after = {
      type,
      name: nameOf(contact),
      contactInfo: contact.contact_info,
      status: statusLabel(contact.status),
      mayConfirm: contact.may_confirm,
    };
    await audit(trx, { plantId, userId, action: "contact.add", detail: { target: targetOf(contact), after }, now });
    return contact.contact_id;
  });

const found = async (db: Database, contactId: number, { plantId }: Caller): Promise<Contact> => {
  const contact = await lockedContact(db, plantId, contactId);
  if (!contact) throw notFound();
  return contact;
};

/** What of a contact is edited, for the audit log. */
const editable = (contact: Contact) => ({ name: nameOf(contact), mayConfirm: contact.may_confirm });

/** Changes a contact's name and its right to confirm; refused when it has been changed since `version`. */
export const updateContact = (
  { db, clock }: Needs,
  { notifyUserId, firstName, lastName, mayConfirm, version }: Input<typeof contacts.update>,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const contact = await found(trx, notifyUserId, caller);
    if (version !== undefined && version !== contact.version) throw conflict(Message.changedMeanwhile);
    const change = {
      first_name: firstName,
      last_name: lastName,
      may_confirm: mayConfirm === undefined ? contact.may_confirm : mayConfirm === 1,
      version: contact.version + 1,
    };
    await trx.updateTable("contacts").set(change).where("contact_id", "=", notifyUserId).execute();
    const { plantId, userId } = caller;
    const after = { ...contact, ...change };
    const detail = { target: targetOf(after), before: editable(contact), after: editable(after) };
    await audit(trx, { plantId, userId, action: "contact.edit", detail, now: clock.date() });
  });

/** Sends the request again to a contact that has not agreed. */
export const repeatConsentRequest = (
  { db, clock, publicUrl }: Needs,
  contactId: number,
  caller: Caller,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const contact = await found(trx, contactId, caller);
    if (contact.status === ContactStatus.verified) throw conflict("This contact is verified already");
    const now = clock.date();
    const { plantId, userId } = caller;
    await requestConsent(trx, contact, { publicUrl, userId, now });
    await trx
      .updateTable("contacts")
      .set({ status: ContactStatus.pending, answered_time: null })
      .where("contact_id", "=", contactId)
      .execute();
    await audit(trx, { plantId, userId, action: "contact.ask", detail: { target: targetOf(contact) }, now });
  });

/** Counts a try in the same statement that checks it, so that concurrent tries cannot exceed the limit. */
const tryCode = async (db: Database, contactId: number, code: string, now: Date) =>
  db
    .updateTable("contact_codes")
    .set(({ eb }) => ({ tries: eb("tries", "+", 1) }))
    .where("contact_id", "=", contactId)
    .where("expires_time", ">", now)
    .where("tries", "<", codeTries)
    .returning(({ eb }) => [eb("code_hash", "=", codeHash(contactId, code)).as("is_right"), "tries"])
    .executeTakeFirst();

/** Verifies a phone by its code. A wrong code is counted even if the call fails. */
export const verifyContact = async (
  { db, clock }: Needs,
  { notifyUserId, code }: Input<typeof contacts.verify>,
  caller: Caller,
): Promise<void> => {
  const now = clock.date();
  const validationError = await db.transaction().execute(async (trx) => {
    const contact = await found(trx, notifyUserId, caller);
    if (contact.status === ContactStatus.verified) throw conflict("This contact is verified already");
    // A phone that has stopped our SMS since the code was sent counts as refused, whatever code is entered.
    const isAsked = contact.status === ContactStatus.pending;
    const tried = isAsked ? await tryCode(trx, notifyUserId, code, now) : undefined;
    if (!tried) return "This code is no longer valid. Please send another one";
    if (!tried.is_right)
      return tried.tries < codeTries ? "The code is not right" : "The code is not right. Please send another one";
    await trx.deleteFrom("contact_codes").where("contact_id", "=", notifyUserId).execute();
    await saveStatus(trx, notifyUserId, ContactStatus.verified, now);
    const { plantId, userId } = caller;
    const change = {
      before: { status: statusLabel(contact.status) },
      after: { status: statusLabel(ContactStatus.verified) },
    };
    const detail = { target: targetOf(contact), ...change };
    await audit(trx, { plantId, userId, action: "contact.verify", detail, now });
    return undefined;
  });
  if (validationError) throw invalid(validationError);
};

/** Deletes a contact: it receives no more alerts, and its links and codes become invalid. */
export const removeContact = ({ db, clock }: Needs, contactId: number, caller: Caller): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const contact = await found(trx, contactId, caller);
    await trx.deleteFrom("contacts").where("contact_id", "=", contactId).execute();
    const { plantId, userId } = caller;
    const before = { contactInfo: contact.contact_info, status: statusLabel(contact.status) };
    const detail = { target: targetOf(contact), before };
    await audit(trx, { plantId, userId, action: "contact.delete", detail, now: clock.date() });
  });
