import type { Client } from "@telltale/contract/call/client";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { UserStatus, users } from "@telltale/contract/domains/people/users";
import type { PlannedEntry } from "../differences.ts";
import type { PlantFile } from "../document/document.ts";
import { contactTypeOf, roleWords } from "../document/words.ts";
import type { Plant } from "../plant.ts";
import { alarmIdOf, dashboardIdOf } from "./references.ts";

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
      type: contactTypeOf(name),
      contactInfo: name,
    });
};

/** No dashboard, as the call takes it. */
const none = -1;

/** Invites a user, so that others can name them. Dashboard and alerts, which may not be there yet, come by `applyUser`. */
export const inviteUser = async (
  client: Client,
  _plant: Plant,
  file: PlantFile,
  { name: email }: PlannedEntry,
): Promise<void> => {
  const wanted = file.users?.[email];
  if (!wanted) return;
  const { firstName, lastName, role, phone = "" } = wanted;
  await client(users.add, { firstName, lastName, type: roleWords[role], cellNumber: phone, email });
};

/** Changes a user. */
export const applyUser = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name: email }: PlannedEntry,
): Promise<void> => {
  const wanted = file.users?.[email];
  const present = plant.users.get(email);
  if (!wanted || !present) return;
  const { firstName, lastName, role, phone, dashboard, alerts } = wanted;
  await client(users.edit, {
    ...{ accountId: present.accountId, version: present.version, type: roleWords[role] },
    // A name belongs to its user once they have joined.
    ...(present.activate !== UserStatus.active && { firstName, lastName, cellNumber: phone ?? present.cellNumber }),
    ...(dashboard !== undefined && { dashboardId: dashboard === null ? none : dashboardIdOf(plant, dashboard) }),
    ...(alerts && { alarmIds: alerts.map((reference) => alarmIdOf(plant, reference)) }),
  });
};
