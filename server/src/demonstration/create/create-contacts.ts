import { randomBytes } from "node:crypto";
import { ContactStatus, contactStatusLabels } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { after, type Moments } from "../plants/moments.ts";
import type { PlannedContact } from "../plants/plan.ts";

/** Ids of a plant's contacts by their address or number. */
export type MadeContacts = ReadonlyMap<string, number>;

/** Minutes from the request to a contact's answer. */
const untilAnswered = 94;

interface Adding {
  plantId: number;
  /** The user who added them. */
  userId: number;
  moments: Moments;
}

const answers: Partial<Record<ContactStatus, string>> = {
  [ContactStatus.verified]: "contact.verify",
  [ContactStatus.refused]: "contact.refuse",
};

/** Records in the audit log that the contact was added, and the contact's answer. */
const record = async (
  db: Database,
  { plantId, userId }: Adding,
  { firstName, lastName, contactInfo, status, type }: PlannedContact,
  { created, answered }: { created: Date; answered: Date | null },
): Promise<void> => {
  const name = `${firstName} ${lastName}`;
  const target = `${name}, ${contactInfo}`;
  const fields = {
    type: contactTypeLabels[type],
    name,
    contactInfo,
    status: contactStatusLabels[ContactStatus.pending],
  };
  await audit(db, { plantId, userId, action: "contact.add", detail: { target, after: fields }, now: created });
  const action = answers[status];
  if (!action || !answered) return;
  const change = {
    before: { status: contactStatusLabels[ContactStatus.pending] },
    after: { status: contactStatusLabels[status] },
  };
  await audit(db, { plantId, userId: null, action, detail: { target, ...change }, now: answered });
};

/** Adds a plant's contacts. No requests are sent: the answers are part of the plan. */
export const makeContacts = async (
  db: Database,
  adding: Adding,
  contacts: readonly PlannedContact[],
): Promise<MadeContacts> => {
  const made = new Map<string, number>();
  for (const planned of contacts) {
    const { firstName, lastName, contactInfo, requestedAt, ...contact } = planned;
    const created = adding.moments.at(requestedAt);
    const answered = contact.status === ContactStatus.pending ? null : after(created, untilAnswered);
    const { contact_id } = await db
      .insertInto("contacts")
      .values({
        plant_id: adding.plantId,
        ...contact,
        first_name: firstName,
        last_name: lastName,
        contact_info: contactInfo,
        stop_key: randomBytes(24).toString("base64url"),
        created_by: adding.plantId,
        created_time: created,
        answered_time: answered,
      })
      .returning("contact_id")
      .executeTakeFirstOrThrow();
    made.set(contactInfo, contact_id);
    await record(db, adding, planned, { created, answered });
  }
  return made;
};

/** Sets an alarm's recipients. */
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
