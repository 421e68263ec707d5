import { UserStatus } from "@telltale/contract/domains/people/users";
import { shownAddresses } from "./addresses.ts";
import { checkChanges } from "./check-changes.ts";
import { checkReferences, isSameId } from "./check-references.ts";
import { differencesOf, type PlannedEntry } from "./differences.ts";
import type { PlantFile } from "./document/document.ts";
import { exportPlant } from "./export/export-plant.ts";
import type { Plant } from "./plant.ts";
import type { WrittenPlant } from "./read-file.ts";

const sections = [
  ...(["contacts", "devices", "dashboards", "users", "rosters"] as const),
  ...(["webhooks", "plans", "jointControls", "maintenance"] as const),
];

const valuesOf = <T>(entries: Record<string, T> | undefined): T[] => Object.values(entries ?? {});

/** What can be written in several ways, in one: lists without an order, and the class that is meant without one. */
const inOneWay = (file: PlantFile): PlantFile => {
  const copy = structuredClone(file);
  for (const device of valuesOf(copy.devices))
    for (const alert of valuesOf(device.alerts)) {
      alert.notify?.sort();
      if (alert.class === "custom") alert.class = undefined;
    }
  for (const { alerts } of [...valuesOf(copy.users), ...valuesOf(copy.webhooks)]) alerts?.sort();
  for (const { devices } of valuesOf(copy.maintenance)) devices.sort();
  return copy;
};

/** Users who have joined change their names and numbers themselves. */
const ofJoined = { firstName: undefined, lastName: undefined, phone: undefined };

/** What differs between the plant and the file; what the file refers to is not looked at. */
export const differing = ({ file }: WrittenPlant, plant: Plant): PlannedEntry[] => {
  const exported = exportPlant(plant);
  const said = inOneWay(file);
  const webhooks = shownAddresses(exported.webhooks, said.webhooks, plant);
  const present: PlantFile = { ...exported, webhooks: webhooks.present };
  const wanted: PlantFile = { ...said, webhooks: webhooks.wanted };
  // A device that the file names otherwise than the plant is renamed.
  for (const [name, entry] of Object.entries(wanted.devices ?? {})) {
    const device = plant.devices.get(name);
    if (!device) continue;
    if (device.row.deviceName !== name) entry.name ??= name;
    else if (entry.name === name) entry.name = undefined;
    // The server knows an ID with any capitals.
    if (isSameId(entry.id, device.row.deviceSnId)) entry.id = device.row.deviceSnId;
  }
  for (const [email, entry] of Object.entries(wanted.users ?? {}))
    if (plant.users.get(email)?.activate === UserStatus.active) Object.assign(entry, ofJoined);
  return sections.flatMap((section) => {
    const entries = new Map<string, unknown>(Object.entries(present[section] ?? {}));
    return Object.entries(wanted[section] ?? {}).flatMap(([name, entry]): PlannedEntry[] => {
      const before = entries.get(name);
      const differences = differencesOf(before, entry, [section, name]);
      return differences.length === 0 ? [] : [{ section, name, isNew: before === undefined, differences }];
    });
  });
};

/**
 * What has to change for the plant to be as the file says; nothing when it is. Throws `BadFile` for what the file refers to and is not there, and for
 * what the server would refuse.
 */
export const planChanges = (written: WrittenPlant, plant: Plant): PlannedEntry[] => {
  checkReferences(written, plant);
  const planned = differing(written, plant);
  checkChanges(written, plant, planned);
  return planned;
};
