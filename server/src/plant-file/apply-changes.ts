import type { Client } from "@telltale/contract/call/client";
import { plans as planCalls } from "@telltale/contract/domains/alerting/escalation";
import { DashboardStatus, dashboards as dashboardCalls } from "@telltale/contract/domains/dashboard/dashboards";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { applyJointControl, applyMaintenance, applyPlan, applyRoster, applyWebhook } from "./apply/alerting.ts";
import { applyAlerts } from "./apply/alerts.ts";
import { applyDashboard } from "./apply/dashboards.ts";
import { addDevice, applyDevice } from "./apply/devices.ts";
import { applyContact, applyUser, inviteUser } from "./apply/people.ts";
import { atOnce } from "./at-once.ts";
import { differenceText, type PlannedEntry } from "./differences.ts";
import type { PlantFile, Section } from "./document/document.ts";
import { differing, planChanges } from "./plan-changes.ts";
import { type NamesInFile, type Part, type Plant, type PlantReader, readPlant } from "./plant.ts";
import type { WrittenPlant } from "./read-file.ts";

/** What was applied: entries wholly and in part, and what the server refused: the sentence with the entry's name. */
export interface Applied {
  changed: number;
  partly: number;
  refused: string[];
}

interface Needs {
  client: Client;
  written: WrittenPlant;
  /** Called after each step. */
  onProgress: (done: number, of: number) => void;
  /** Called with the secret of a new webhook's signatures, which is not readable afterwards. */
  onSecret: (webhook: string, secret: string) => void;
}

/** Names of the file's devices by device ID and by serial number, and its users' as the file writes their addresses. */
export const namesInFile = ({ devices = {}, users = {} }: PlantFile): NamesInFile => {
  const entries = Object.entries(devices);
  const byId = new Map(entries.map(([name, { id }]) => [id?.toUpperCase(), name]));
  const bySerial = new Map(entries.map(([name, { serial }]) => [serial, name]));
  const byAddress = new Map(Object.keys(users).map((email) => [email.toLowerCase(), email]));
  return {
    device: ({ deviceSnId, serial }) =>
      byId.get(deviceSnId.toUpperCase()) ?? (serial === undefined ? undefined : bySerial.get(serial)),
    user: (email) => byAddress.get(email.toLowerCase()),
  };
};

type Apply = (client: Client, plant: Plant, file: PlantFile, entry: PlannedEntry) => Promise<unknown>;

interface Step {
  section: Section;
  apply: Apply;
  /** What of the plant has to be read again for the steps after it. */
  changes: readonly Part[];
  /** Of which entries; without it, of all that differ. */
  of?: (entry: PlannedEntry, file: PlantFile) => boolean;
  /** One after the other: what one does ends another's. */
  inTurn?: true;
  /** Entries of one section may need or change each other: what is left is tried once more when all are through. */
  again?: true;
}

const isNew = (entry: PlannedEntry): boolean => entry.isNew;
const isSub = ({ name }: PlannedEntry, { devices }: PlantFile): boolean => devices?.[name]?.master !== undefined;
/** A device's report interval is that of its channels, too. */
const hasSettings = ({ differences }: PlannedEntry): boolean =>
  differences.some(({ path }) => path[2] === "channels" || path[2] === "reportEvery");
const isThere = (entry: PlannedEntry): boolean => !entry.isNew;
// A device that was not added has told why, which "there is no such device" must not replace.
const isThereWithAlerts = ({ isNew, differences }: PlannedEntry): boolean =>
  !isNew && differences.some(({ path }) => path[2] === "alerts");
const isThereWithOthers = ({ isNew, differences }: PlannedEntry): boolean =>
  !isNew && differences.some(({ path }) => path[2] !== "alerts");

/** What an entry refers to comes before it. Webhooks and users exist before the alerts that they get, since plans name them and alerts name plans. */
const steps: readonly Step[] = [
  { section: "contacts", apply: applyContact, changes: ["contacts"] },
  { section: "webhooks", apply: applyWebhook, changes: ["webhooks"], of: isNew, inTurn: true },
  { section: "users", apply: inviteUser, changes: ["users"], of: isNew },
  {
    section: "devices",
    apply: addDevice,
    changes: ["devices", "dashboards"],
    of: (entry, file) => isNew(entry) && !isSub(entry, file),
  },
  { section: "devices", apply: addDevice, changes: ["devices", "dashboards"], of: isNew },
  { section: "devices", apply: applyDevice, changes: ["devices", "groups"], of: isThereWithOthers, again: true },
  { section: "rosters", apply: applyRoster, changes: ["rosters"], inTurn: true },
  { section: "plans", apply: applyPlan, changes: ["plans"], inTurn: true, again: true },
  { section: "devices", apply: applyAlerts, changes: ["alerts"], of: isThereWithAlerts },
  { section: "dashboards", apply: applyDashboard, changes: ["dashboards"], inTurn: true, again: true },
  { section: "webhooks", apply: applyWebhook, changes: ["webhooks"] },
  { section: "users", apply: applyUser, changes: ["users"], of: isThere },
  { section: "jointControls", apply: applyJointControl, changes: ["joint"], inTurn: true, again: true },
  { section: "maintenance", apply: applyMaintenance, changes: ["silences"], inTurn: true },
];

const keyOf = ({ section, name }: PlannedEntry): string => `${section} ${name}`;

/** Runs steps on a plant, and keeps what was refused. */
const runnerOf = ({ client, written, onSecret }: Needs, reader: PlantReader) => {
  const refused = new Map<string, string>();
  let looked: { at: Plant; entries: PlannedEntry[] } | undefined;
  const left = (): PlannedEntry[] => {
    const plant = reader.now();
    if (looked?.at !== plant) looked = { at: plant, entries: differing(written, plant) };
    return looked.entries;
  };
  const runEntries = async ({ apply, inTurn, changes }: Step, entries: readonly PlannedEntry[]) => {
    const run = async (entry: PlannedEntry): Promise<void> => {
      try {
        const secret = await apply(client, reader.now(), written.file, entry);
        if (typeof secret === "string") onSecret(entry.name, secret);
        refused.delete(keyOf(entry));
      } catch (fault) {
        refused.set(keyOf(entry), fault instanceof Error ? fault.message : String(fault));
      }
    };
    if (inTurn) for (const entry of entries) await run(entry);
    else await atOnce(entries, run);
    const withSettings = apply === applyDevice ? entries.filter(hasSettings) : [];
    const deviceIds = withSettings.flatMap(({ name }) => reader.now().devices.get(name)?.row.deviceId ?? []);
    await reader.reread(changes, deviceIds);
  };
  const runStep = async (step: Step): Promise<void> => {
    const ofStep = () =>
      left().filter((entry) => entry.section === step.section && (step.of?.(entry, written.file) ?? true));
    const planned = ofStep();
    if (planned.length === 0) return;
    await runEntries(step, planned);
    const remaining = step.again ? ofStep() : [];
    if (remaining.length > 0) await runEntries(step, remaining);
  };
  return { runStep, refused, left };
};

/** What the server makes of itself in a new plant, until somebody changes it: the default plan. The first dashboard comes with the first device. */
const madeByServer = ({ plans, dashboards }: Plant): { planId: number | undefined } | undefined => {
  if (dashboards.size > 0) return undefined;
  const [plan] = plans.values();
  const isUntouched = plans.size === 1 && plan?.version === 1 && plan.rules === 0;
  return { planId: isUntouched ? plan.planId : undefined };
};

/** Removes what the server has made of itself and the file does not have, where the file has its own. */
const removeMade = async (
  { client, written: { file } }: Needs,
  plant: Plant,
  { planId }: NonNullable<ReturnType<typeof madeByServer>>,
): Promise<void> => {
  for (const [name, plan] of plant.plans)
    if (plan.planId === planId && !plan.isDefault && !Object.hasOwn(file.plans ?? {}, name))
      await client(planCalls.remove, { planId });
  if (!file.dashboards) return;
  const isLast = plant.dashboards.size === 1;
  for (const [name, { dashboardId, status }] of plant.dashboards)
    if (!Object.hasOwn(file.dashboards, name) && (isLast || status !== DashboardStatus.standard))
      await client(dashboardCalls.remove, { dashboardId });
};

/**
 * Makes the plant as the file says, by the calls of the console, with their checks and audit entries. An entry that is refused is told and leaves the
 * others alone; applying the file again continues. Throws `BadFile` for what the file refers to and is not there, and when the key only reads: nothing has been changed then.
 */
export const applyChanges = async (needs: Needs): Promise<Applied> => {
  const { client, written, onProgress } = needs;
  const { readOnly } = await client(apiKeys.holder);
  if (readOnly)
    throw new Error("This key only reads: make one that may change, in the console under member info, API keys");
  const reader = await readPlant(client, namesInFile(written.file));
  const planned = new Map(planChanges(written, reader.now()).map((entry) => [keyOf(entry), entry]));
  const total = planned.size;
  const made = madeByServer(reader.now());
  const { runStep, refused, left } = runnerOf(needs, reader);
  for (const step of total > 0 ? steps : []) {
    await runStep(step);
    onProgress(total - Math.min(total, left().length), total);
  }
  if (total > 0 && made) await removeMade(needs, reader.now(), made);
  const isAdded = (entry: PlannedEntry): boolean => !entry.isNew && planned.get(keyOf(entry))?.isNew === true;
  const remaining = left();
  const told = remaining.map((entry) => {
    const reason = refused.get(keyOf(entry)) ?? `the server keeps ${entry.differences.map(differenceText).join(", ")}`;
    return `${written.at([entry.section, entry.name])}: ${isAdded(entry) ? "it was added, but not wholly: " : ""}${reason}`;
  });
  const isBegun = (entry: PlannedEntry): boolean =>
    isAdded(entry) || entry.differences.length < (planned.get(keyOf(entry))?.differences.length ?? 0);
  return { changed: total - told.length, partly: remaining.filter(isBegun).length, refused: told };
};
