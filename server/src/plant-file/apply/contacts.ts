import type { Client } from "@telltale/contract/call/client";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import type { PlantFile } from "../document.ts";
import type { PlannedEntry } from "../plan-changes.ts";
import type { Plant } from "../plant.ts";

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
