import { type Difference, differencesOf } from "./differences.ts";
import type { PlantFile, WrittenPlant } from "./document.ts";
import { exportPlant } from "./export-plant.ts";
import type { Plant } from "./plant.ts";
import { BadYamlFile } from "./read-file.ts";

/** What the file wants to be different, an entry each. */
export interface PlannedEntry {
  section: keyof PlantFile;
  name: string;
  isNew: boolean;
  differences: Difference[];
}

const sections = ["contacts", "devices", "dashboards", "users"] as const;

const refer = (names: Iterable<string>): ((name: string) => boolean) => {
  const known = new Set(names);
  return (name) => known.has(name);
};

/** Throws when the file refers to something that is neither in it nor in the plant: nothing has been changed then. */
const checkReferences = ({ file, at }: WrittenPlant, plant: PlantFile, plans: Iterable<string>): void => {
  const faults: string[] = [];
  const known = (section: keyof PlantFile) =>
    refer([...Object.keys(plant[section] ?? {}), ...Object.keys(file[section] ?? {})]);
  const [isContact, isDevice, isDashboard, isPlan] = [
    known("contacts"),
    known("devices"),
    known("dashboards"),
    refer(plans),
  ];
  const demand = (isThere: boolean, path: readonly PropertyKey[], what: string) => {
    if (!isThere) faults.push(`${at(path)}: there is no ${what}`);
  };
  const deviceOf = (reference: string): string => reference.slice(0, reference.lastIndexOf("/"));
  const channel = (reference: string, path: readonly PropertyKey[]) => {
    const device = deviceOf(reference);
    const codes = plant.devices?.[device]?.channels;
    const code = reference.slice(device.length + 1);
    demand(isDevice(device) && (codes === undefined || code in codes), path, `channel ${reference}`);
  };
  const alert = (reference: string, path: readonly PropertyKey[]) => {
    const [device, name] = [deviceOf(reference), reference.slice(deviceOf(reference).length + 1)];
    const isThere = [file, plant].some(({ devices }) => devices?.[device]?.alerts?.[name] !== undefined);
    demand(isThere, path, `alert ${reference}`);
  };
  for (const [name, { master, alerts = {} }] of Object.entries(file.devices ?? {})) {
    if (master !== undefined) demand(isDevice(master), ["devices", name, "master"], `device ${master}`);
    for (const [alertName, { channel: code, notify, plan, onlyWhile }] of Object.entries(alerts)) {
      const path = ["devices", name, "alerts", alertName];
      channel(`${name}/${code}`, [...path, "channel"]);
      for (const [index, address] of notify.entries())
        demand(isContact(address), [...path, "notify", index], `contact ${address}`);
      if (typeof plan === "string") demand(isPlan(plan), [...path, "plan"], `escalation plan ${plan}`);
      if (onlyWhile) channel(onlyWhile.channel, [...path, "onlyWhile", "channel"]);
    }
  }
  for (const [name, { tiles }] of Object.entries(file.dashboards ?? {}))
    tiles.forEach((tile, index) => {
      const path = ["dashboards", name, "tiles", index];
      if (typeof tile === "string") channel(tile, path);
      else if ("controller" in tile) demand(isDevice(tile.controller), path, `device ${tile.controller}`);
      else demand(isDevice(deviceOf(tile.group)), path, `device ${deviceOf(tile.group)}`);
    });
  for (const [email, { dashboard, alerts = [] }] of Object.entries(file.users ?? {})) {
    if (typeof dashboard === "string")
      demand(isDashboard(dashboard), ["users", email, "dashboard"], `dashboard ${dashboard}`);
    for (const [index, reference] of alerts.entries()) alert(reference, ["users", email, "alerts", index]);
  }
  if (faults.length > 0) throw new BadYamlFile(faults);
};

/** What has no order, in one. */
const sortedLists = (file: PlantFile): PlantFile => {
  const copy = structuredClone(file);
  for (const device of Object.values(copy.devices ?? {}))
    for (const alert of Object.values(device.alerts ?? {})) alert.notify.sort();
  for (const user of Object.values(copy.users ?? {})) user.alerts?.sort();
  return copy;
};

/** What has to change for the plant to be as the file says; nothing when it is. Throws `BadYamlFile` for what the file refers to and is not there. */
export const planChanges = (written: WrittenPlant, plant: Plant): PlannedEntry[] => {
  const present = exportPlant(plant);
  checkReferences(written, present, plant.plans.keys());
  const wanted = sortedLists(written.file);
  // A device that the file names otherwise than the plant is renamed.
  for (const [name, entry] of Object.entries(wanted.devices ?? {}))
    if (entry.name === undefined && present.devices?.[name]?.name !== undefined) entry.name = name;
  return sections.flatMap((section) =>
    Object.entries(wanted[section] ?? {}).flatMap(([name, entry]): PlannedEntry[] => {
      const before = present[section]?.[name];
      const differences = differencesOf(before, entry, [section, name]);
      return differences.length === 0 ? [] : [{ section, name, isNew: before === undefined, differences }];
    }),
  );
};
