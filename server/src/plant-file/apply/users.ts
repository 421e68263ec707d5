import type { Client } from "@telltale/contract/call/client";
import { users } from "@telltale/contract/domains/people/users";
import { type PlantFile, roleWords } from "../document.ts";
import type { PlannedEntry } from "../plan-changes.ts";
import type { Plant } from "../plant.ts";
import { alarmIdOf } from "./references.ts";

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
