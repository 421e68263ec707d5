import { randomBytes } from "node:crypto";
import { ContactStatus } from "@telltale/contract/contacts";
import type { Database } from "../world.ts";
import type { PlannedContact } from "./plan.ts";

/** Ids of a plant's contacts by their address or number. */
export type MadeContacts = ReadonlyMap<string, number>;

const day = 86_400_000;
/** An answer takes its time. */
const untilAnswered = 7 * 3_600_000;

/** Adds a plant's contacts. Nobody is asked: their answers are planned too. */
export const makeContacts = async (
  db: Database,
  plantId: number,
  contacts: readonly PlannedContact[],
  now: Date,
): Promise<MadeContacts> => {
  const made = new Map<string, number>();
  for (const { firstName, lastName, contactInfo, asked, ...contact } of contacts) {
    const created = now.getTime() - asked * day;
    const hasAnswered = contact.status !== ContactStatus.pending;
    const { contact_id } = await db
      .insertInto("contacts")
      .values({
        plant_id: plantId,
        ...contact,
        first_name: firstName,
        last_name: lastName,
        contact_info: contactInfo,
        stop_key: randomBytes(24).toString("base64url"),
        created_by: plantId,
        created_time: new Date(created),
        answered_time: hasAnswered ? new Date(created + untilAnswered) : null,
      })
      .returning("contact_id")
      .executeTakeFirstOrThrow();
    made.set(contactInfo, contact_id);
  }
  return made;
};

/** Has an alarm told to these contacts. */
export const makeRecipients = async (
  db: Database,
  alarmId: number,
  recipients: readonly string[],
  made: MadeContacts,
): Promise<void> => {
  for (const recipient of recipients) {
    const contactId = made.get(recipient);
    if (contactId === undefined) throw new Error(`The demonstration has no contact ${recipient}`);
    await db.insertInto("alarm_recipients").values({ alarm_id: alarmId, contact_id: contactId }).execute();
  }
};
