import { type DashboardInfo, DashboardStatus } from "@telltale/contract/domains/dashboard/dashboards";
import type { UserRow } from "@telltale/contract/domains/people/users";
import type { DashboardEntry, PlantFile, UserEntry } from "../document/document.ts";
import { roleWords, wordOf } from "../document/words.ts";
import type { Plant } from "../plant.ts";
import { jointControlEntry, maintenanceEntry, planEntry, rosterEntry, webhookEntries } from "./alerting.ts";
import { deviceEntry } from "./devices.ts";
import { type Names, namesIn, namesOf } from "./names.ts";

const dashboardEntry = ({ notes, status, dashboardChannelList }: DashboardInfo, names: Names): DashboardEntry => ({
  notes,
  default: status === DashboardStatus.standard,
  tiles: dashboardChannelList.map(({ deviceChannelId, dashboardGroupId, deviceId }) => {
    if (dashboardGroupId !== null) return { group: names.group.get(dashboardGroupId) ?? "" };
    if (deviceChannelId !== null) return names.channel.get(deviceChannelId) ?? "";
    return { controller: names.device.get(deviceId) ?? "" };
  }),
});

const userEntry = (user: UserRow, names: Names): UserEntry => ({
  firstName: user.firstName,
  lastName: user.lastName,
  role: wordOf(roleWords, user.roleType),
  phone: user.cellNumber,
  dashboard: user.dashboardId === null ? null : (names.dashboard.get(user.dashboardId) ?? null),
  alerts: namesIn(user.alarmIds, names.alert),
});

/** Entries in order of the alphabet, so that two plants with equal entries have equal files. */
const entriesOf = <T, E>(rows: ReadonlyMap<string, T>, entryOf: (row: T, name: string) => E): Record<string, E> =>
  Object.fromEntries(
    [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, row]) => [name, entryOf(row, name)]),
  );

/** The plant as a file says it; without the sections that the key's role may not read. */
export const exportPlant = (plant: Plant): PlantFile => {
  const names = namesOf(plant);
  const file: PlantFile = {
    contacts: entriesOf(plant.contacts, ({ firstName, lastName, mayConfirm }) => ({ firstName, lastName, mayConfirm })),
    devices: entriesOf(plant.devices, (device, name) => deviceEntry(name, device, names)),
    dashboards: entriesOf(plant.dashboards, (dashboard) => dashboardEntry(dashboard, names)),
    users: entriesOf(plant.users, (user) => userEntry(user, names)),
    rosters: entriesOf(plant.rosters, (roster) => rosterEntry(roster, names)),
    webhooks: webhookEntries(plant.webhooks, names),
    plans: entriesOf(plant.plans, (plan) => planEntry(plan, names)),
    jointControls: entriesOf(plant.jointControls, (joint) => jointControlEntry(joint, names)),
    maintenance: entriesOf(plant.maintenance, (window) => maintenanceEntry(window, names)),
  };
  for (const section of plant.unreadable) delete file[section];
  return file;
};
