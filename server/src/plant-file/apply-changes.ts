import type { Client } from "@telltale/contract/call/client";
import { dashboards as dashboardCalls } from "@telltale/contract/domains/dashboards";
import { applyDashboard } from "./apply/dashboards.ts";
import { addDevice, applyAlerts, applyDevice } from "./apply/devices.ts";
import { applyContact, applyUser } from "./apply/people.ts";
import { atOnce } from "./at-once.ts";
import type { PlantFile, WrittenPlant } from "./document.ts";
import { type PlannedEntry, planChanges } from "./plan-changes.ts";
import { type Plant, readPlant } from "./plant.ts";

/** What was applied, and what the server refused: the sentence with the entry's name. */
export interface Applied {
  changed: number;
  refused: string[];
}

interface Needs {
  client: Client;
  written: WrittenPlant;
  /** Called after each entry. */
  onProgress: (done: number, of: number) => void;
}

/** Names of the file's devices by device ID. */
export const nameInFile = ({ devices = {} }: PlantFile): ((deviceSnId: string) => string | undefined) => {
  const names = new Map(Object.entries(devices).map(([name, { id }]) => [id, name]));
  return (deviceSnId) => names.get(deviceSnId);
};

/**
 * Makes the plant as the file says, by the calls of the console, with their checks and audit entries. What an entry refers to comes first: contacts, then devices (masters before
 * sub-devices), then alerts, dashboards and users. An entry that is refused is told and leaves the others alone; applying the file again continues.
 */
export const applyChanges = async ({ client, written, onProgress }: Needs): Promise<Applied> => {
  const nameOf = nameInFile(written.file);
  const applied: Applied = { changed: 0, refused: [] };
  let plant = await readPlant(client, nameOf);
  let planned = planChanges(written, plant);
  const total = planned.length;
  const hadDashboards = plant.dashboards.size > 0;
  let done = 0;
  const run = async (entries: readonly PlannedEntry[], work: (entry: PlannedEntry, plant: Plant) => Promise<void>) => {
    await atOnce(entries, async (entry) => {
      try {
        await work(entry, plant);
      } catch (fault) {
        const reason = fault instanceof Error ? fault.message : String(fault);
        applied.refused.push(`${written.at([entry.section, entry.name])}: ${reason}`);
      }
    });
  };
  /** After a step that has done something. */
  const reread = async (entries: readonly PlannedEntry[]) => {
    if (entries.length === 0) return;
    plant = await readPlant(client, nameOf);
    planned = planChanges(written, plant);
  };
  const of = (section: PlannedEntry["section"]) => planned.filter((entry) => entry.section === section);
  const count = (entries: readonly PlannedEntry[]) => {
    done = Math.min(total, done + entries.length);
    onProgress(done, total);
  };

  const contacts = of("contacts");
  await run(contacts, (entry, now) => applyContact(client, now, written.file, entry));
  count(contacts);
  const isSub = ({ name }: PlannedEntry) => written.file.devices?.[name]?.master !== undefined;
  const added = of("devices").filter(({ isNew }) => isNew);
  for (const wave of [added.filter((entry) => !isSub(entry)), added.filter(isSub)]) {
    await run(wave, (entry, now) => addDevice(client, now, written.file, entry.name));
    await reread(wave);
  }
  const devices = of("devices");
  await run(devices, (entry, now) => applyDevice(client, now, written.file, entry));
  await reread(devices);
  const withAlerts = of("devices");
  await run(withAlerts, (entry, now) => applyAlerts(client, now, written.file, entry));
  count(devices);
  await reread(withAlerts);
  const dashboards = of("dashboards");
  // One after the other: making one the default ends another's.
  for (const entry of dashboards) await run([entry], (each, now) => applyDashboard(client, now, written.file, each));
  await reread(dashboards);
  // The first device of a plant makes a dashboard. The file has its own.
  if (!hadDashboards && written.file.dashboards)
    for (const [name, { dashboardId }] of plant.dashboards)
      if (!(name in written.file.dashboards)) await client(dashboardCalls.remove, { dashboardId });
  count(dashboards);
  const users = of("users");
  await run(users, (entry, now) => applyUser(client, now, written.file, entry));
  count(users);
  await reread(users);
  applied.changed = total - planned.length;
  return applied;
};
