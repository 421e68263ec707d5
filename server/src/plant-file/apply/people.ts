import type { Client } from "@telltale/contract/call/client";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { users } from "@telltale/contract/domains/people/users";
import { ContactType } from "@telltale/contract/notification-channels";
import { type PlantFile, roleWords } from "../document.ts";
import type { PlannedEntry } from "../plan-changes.ts";
import type { Plant } from "../plant.ts";
import { alarmIdOf } from "./references.ts";

/** Adds a contact, which is asked for its consent, or changes one. */
export const applyContact = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const wanted = file.contacts?.[name];
  if (!wanted) return;
  const { firstName, lastName, mayConfirm } = wanted;
  const fields = {
    firstName,
    lastName,
    ...(mayConfirm !== undefined && { mayConfirm: mayConfirm ? (1 as const) : (0 as const) }),
  };
  const present = plant.contacts.get(name);
  if (present)
    await client(contacts.update, { ...fields, notifyUserId: present.notifyUserId, version: present.version });
  else
    await client(contacts.add, {
      ...fields,
      type: name.includes("@") ? ContactType.mail : ContactType.phone,
      contactInfo: name,
    });
};

/** No dashboard, as the call takes it. */
const none = -1;

/** Invites a user, or changes one. */
export const applyUser = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name: email }: PlannedEntry,
): Promise<void> => {
  const wanted = file.users?.[email];
  if (!wanted) return;
  const { firstName, lastName, role, phone, dashboard, alerts } = wanted;
  const fields = {
    ...{ firstName, lastName, type: roleWords[role] },
    ...(phone !== undefined && { cellNumber: phone }),
    ...(dashboard !== undefined && {
      dashboardId: dashboard === null ? none : (plant.dashboards.get(dashboard)?.dashboardId ?? none),
    }),
    ...(alerts && { alarmIds: alerts.map((reference) => alarmIdOf(plant, reference)) }),
  };
  const present = plant.users.get(email);
  if (!present) await client(users.add, { ...fields, email });
  else {
    // A name belongs to its user once they have joined.
    const { firstName: _first, lastName: _last, ...others } = fields;
    const isJoined = present.activate === 1;
    await client(users.edit, {
      ...(isJoined ? others : fields),
      accountId: present.accountId,
      version: present.version,
    });
  }
};
