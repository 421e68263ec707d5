import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { ContactRow, ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { type Selectable, sql } from "kysely";
import { offsetOf, pageOf } from "../../platform/database/paging.ts";
import type { Database, Schema } from "../../platform/database/schema/schema.ts";

export type Contact = Selectable<Schema["contacts"]>;

/** A contact's full name. */
export const nameOf = ({ first_name, last_name }: Pick<Contact, "first_name" | "last_name">): string =>
  `${first_name} ${last_name}`.trim();

/** A contact's name in the audit log. */
export const targetOf = (contact: Contact): string => `${nameOf(contact)}, ${contact.contact_info}`;

const rowOf = (contact: Contact): ContactRow => ({
  notifyUserId: contact.contact_id,
  type: contact.type,
  firstName: contact.first_name,
  lastName: contact.last_name,
  name: nameOf(contact),
  contactInfo: contact.contact_info,
  status: contact.status,
  createdTime: contact.created_time,
  mayConfirm: contact.may_confirm,
  version: contact.version,
});

/** A page of the plant's contacts. */
export const contactPage = async (
  db: Database,
  plantId: number,
  filter: Input<typeof contacts.list>,
): Promise<Page<ContactRow>> => {
  const { status, type } = filter;
  const filtered = db
    .selectFrom("contacts")
    .where("plant_id", "=", plantId)
    .$if(!!status?.length, (q) => q.where(sql<boolean>`status = any(${status}::int[])`))
    .$if(!!type?.length, (q) => q.where(sql<boolean>`type = any(${type}::int[])`));
  const { total } = await filtered.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await filtered
    .selectAll()
    .orderBy("created_time", "desc")
    .orderBy("contact_id", "desc")
    .offset(offsetOf(filter))
    .limit(filter.size)
    .execute();
  return pageOf(rows.map(rowOf), total, filter);
};

/** All contacts of the plant, ordered by name. */
export const contactChoices = async (db: Database, plantId: number): Promise<ContactRow[]> => {
  const rows = await db
    .selectFrom("contacts")
    .selectAll()
    .where("plant_id", "=", plantId)
    .orderBy(sql`lower(first_name)`)
    .orderBy(sql`lower(last_name)`)
    .orderBy("contact_id")
    .execute();
  return rows.map(rowOf);
};

/** A contact of the plant, locked until the transaction ends. */
export const lockedContact = (db: Database, plantId: number, contactId: number): Promise<Contact | undefined> =>
  db
    .selectFrom("contacts")
    .selectAll()
    .where("plant_id", "=", plantId)
    .where("contact_id", "=", contactId)
    .forUpdate()
    .executeTakeFirst();

/** The plant's name in messages to contacts. */
export const plantName = async (db: Database, plantId: number): Promise<string> => {
  const plant = db.selectFrom("plants").select("name").where("plant_id", "=", plantId);
  return (await plant.executeTakeFirstOrThrow()).name;
};

/** Saves a contact's answer. */
export const saveStatus = async (db: Database, contactId: number, status: ContactStatus, now: Date): Promise<void> => {
  await db.updateTable("contacts").set({ status, answered_time: now }).where("contact_id", "=", contactId).execute();
};
