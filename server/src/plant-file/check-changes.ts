import { systemClasses } from "@telltale/contract/domains/alarms";
import { lastOfMonth, windowErrors } from "@telltale/contract/domains/alerting/maintenance";
import { ChannelType } from "@telltale/contract/domains/channels";
import { channelTypeOf } from "@telltale/contract/domains/fleet/provisioning";
import { Role } from "@telltale/contract/permissions";
import type { PlannedEntry } from "./differences.ts";
import type { MaintenanceEntry } from "./document/alerting.ts";
import type { PlantFile } from "./document/document.ts";
import { classWords, repeatWords, weekdayWords } from "./document/words.ts";
import { referred } from "./known.ts";
import type { Plant } from "./plant.ts";
import type { WrittenPlant } from "./read-file.ts";
import { BadFile } from "./read-yaml.ts";

/** What is wrong with a value of an entry, by its path within the entry. */
type Fault = readonly [path: readonly PropertyKey[], text: string];

/** Names of the alerts of a device that the file changes. */
const changedAlerts = ({ differences }: PlannedEntry): string[] => [
  ...new Set(differences.flatMap(({ path: [, , field, name] }) => (field === "alerts" ? (name ?? []) : []))),
];

const alertFaults = (file: PlantFile, plant: Plant, entry: PlannedEntry): Fault[] =>
  changedAlerts(entry).flatMap((name): Fault[] => {
    const alert = file.devices?.[entry.name]?.alerts?.[name];
    if (!alert) return [];
    const path = ["alerts", name];
    if (systemClasses.includes(classWords[alert.class ?? "custom"]))
      return plant.roleType === Role.owner
        ? []
        : [[path, "limits and notifications are the owner's to configure: use a key of the owner"]];
    return "channel" in alert && alert.notify.length === 0
      ? [[[...path, "notify"], "a custom alert notifies at least one contact"]]
      : [];
  });

/** Fields of the call, by those of the file. */
const windowFields: Readonly<Record<string, keyof MaintenanceEntry>> = { deviceIds: "devices" };

const windowFaults = (window: MaintenanceEntry, name: string, present: Plant): Fault[] => {
  const { devices, repeat, weekday, nth, daysLater, ...times } = window;
  const given = {
    ...{ ...times, name, timeZoneId: window.timeZone },
    // Which devices is looked up elsewhere.
    deviceIds: devices.map(() => 0),
    repeat: repeatWords[repeat],
    weekday: weekday && weekdayWords[weekday],
    nth: nth === "last" ? lastOfMonth : nth,
    daysLater: daysLater ?? present.maintenance.get(name)?.plan?.daysLater ?? 0,
  };
  return windowErrors(given).map(([field, text]) => [[windowFields[field] ?? field], text]);
};

/** Whether the channel of this reference is a digital output; undefined of one that only the server knows. */
const isOutput = (reference: string, plant: Plant): boolean | undefined => {
  const known = referred(plant, reference, ({ setup }, code) =>
    setup.channels.find(({ channelCn }) => channelCn === code),
  );
  const type = known?.channelType ?? channelTypeOf(reference.slice(reference.lastIndexOf("/") + 1));
  return type && type === ChannelType.digitalOutput;
};

const faultsOf = (file: PlantFile, plant: Plant, entry: PlannedEntry): Fault[] => {
  const { section, name } = entry;
  if (section === "devices") return alertFaults(file, plant, entry);
  const window = section === "maintenance" ? file.maintenance?.[name] : undefined;
  if (window) return windowFaults(window, name, plant);
  const control = section === "jointControls" ? file.jointControls?.[name] : undefined;
  return control && isOutput(control.output, plant) === false
    ? [[["output"], `${control.output} is no digital output`]]
    : [];
};

/**
 * Throws `BadFile` when the server would refuse what the file changes, as far as the file and the plant tell. What is in the plant already and stays as it
 * is may be what could not be saved any more: an alert whose contacts have been deleted.
 */
export const checkChanges = ({ file, at }: WrittenPlant, plant: Plant, planned: readonly PlannedEntry[]): void => {
  const faults = planned.flatMap((entry) =>
    faultsOf(file, plant, entry).map(([path, text]) => `${at([entry.section, entry.name, ...path])}: ${text}`),
  );
  if (faults.length > 0) throw new BadFile(faults);
};
