import type { Client } from "@telltale/contract/call/client";
import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { type Plan, plans, type Roster, rosters } from "@telltale/contract/domains/alerting/escalation";
import { type Silence, SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { type WebhookRow, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { channelSettings, type DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { type DashboardGroup, type DashboardInfo, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices, type SubDeviceRow } from "@telltale/contract/domains/devices";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { type JointRow, joint } from "@telltale/contract/domains/joint";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { type ContactRow, contacts } from "@telltale/contract/domains/people/contacts";
import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { isAllowed, type Permission, Role } from "@telltale/contract/permissions";
import { allOf } from "./api-client.ts";
import { atOnce } from "./at-once.ts";
import type { Section } from "./document/document.ts";
import { repeatWords, wordFor } from "./document/words.ts";

/** A device as the plant has it. */
export interface PlantDevice {
  row: SubDeviceRow;
  /** By which it has registered itself, or will. */
  serial?: string;
  setup: DeviceSetup;
  groups: ReadonlyMap<string, DashboardGroup>;
  alerts: ReadonlyMap<string, AlarmRow>;
}

/** A plant's configuration as the API tells it, by the names that a file calls its parts. */
export interface Plant {
  contacts: ReadonlyMap<string, ContactRow>;
  devices: ReadonlyMap<string, PlantDevice>;
  /** Names that several devices have of which the file names none. */
  ambiguous: ReadonlySet<string>;
  dashboards: ReadonlyMap<string, DashboardInfo>;
  /** All but the owner. */
  users: ReadonlyMap<string, UserRow>;
  owner: UserRow | undefined;
  plans: ReadonlyMap<string, Plan>;
  rosters: ReadonlyMap<string, Roster>;
  webhooks: ReadonlyMap<string, WebhookRow>;
  jointControls: ReadonlyMap<string, JointRow>;
  /** Windows that repeat. */
  maintenance: ReadonlyMap<string, Silence>;
  /** Sections that the key's role may not read. */
  unreadable: ReadonlySet<Section>;
  /** The key's role. */
  roleType: Role;
}

/** What a role must hold to read a section of the file. Plans and rosters name users by their mail addresses. */
const sections: readonly [Section, Permission][] = [
  ["contacts", "contacts.read"],
  ["devices", "configuration.read"],
  ["dashboards", "configuration.dashboards"],
  ["users", "users.read"],
  ["rosters", "users.read"],
  ["webhooks", "webhooks.read"],
  ["plans", "users.read"],
  ["jointControls", "joint.read"],
  ["maintenance", "alerts.outOfService"],
];

/** Gives each row a name of its own: the first of a name has it alone, further ones the addition, too. */
const byName = <T>(rows: readonly T[], nameOf: (row: T) => string, addition: (row: T, turn: number) => string) => {
  const named = new Map<string, T>();
  for (const row of rows) {
    const name = nameOf(row);
    for (let turn = 2; ; turn++) {
      const own = turn === 2 ? name : `${name} (${addition(row, turn - 1)})`;
      if (named.has(own)) continue;
      named.set(own, row);
      break;
    }
  }
  return named;
};

const count = (_row: unknown, turn: number): string => String(turn);

/** Alerts of all classes that are configured. */
const customAndSystem = async (client: Client): Promise<AlarmRow[]> =>
  (await Promise.all([allOf((of) => client(alarms.list, of)), allOf((of) => client(alarms.systemList, of))])).flat();

const deviceRows = async (client: Client): Promise<SubDeviceRow[]> =>
  (await allOf((of) => client(devices.list, of))).flatMap(({ subDevices, ...main }) => [main, ...subDevices]);

const serialsOf = async (client: Client): Promise<Map<number, string>> =>
  new Map(
    (await allOf((of) => client(provisioning.serials, of))).map(({ deviceId, serial }) => [deviceId, serial] as const),
  );

const dashboardInfos = async (client: Client): Promise<DashboardInfo[]> =>
  atOnce(await allOf((of) => client(dashboards.list, of)), ({ dashboardId }) =>
    client(dashboards.info, { dashboardId }),
  );

/** What the calls answer. */
interface Rows {
  contacts: ContactRow[];
  devices: SubDeviceRow[];
  setups: Map<number, DeviceSetup>;
  /** By device, of those that register themselves. */
  serials: Map<number, string>;
  groups: DashboardGroup[];
  alerts: AlarmRow[];
  dashboards: DashboardInfo[];
  users: UserRow[];
  rosters: Roster[];
  webhooks: WebhookRow[];
  plans: Plan[];
  joint: JointRow[];
  silences: Silence[];
}

/** Parts of a plant that are read by a call of their own. */
export type Part = Exclude<keyof Rows, "setups" | "serials">;

const readersOf = (client: Client, rows: Rows, maySerials: boolean): Record<Part, () => Promise<void>> => ({
  contacts: async () => {
    rows.contacts = await allOf((of) => client(contacts.list, of));
  },
  devices: async () => {
    rows.devices = await deviceRows(client);
    if (maySerials) rows.serials = await serialsOf(client);
    const unread = rows.devices.filter(({ deviceId }) => !rows.setups.has(deviceId));
    await atOnce(unread, async ({ deviceId }) =>
      rows.setups.set(deviceId, await client(channelSettings.setup, { deviceId })),
    );
  },
  groups: async () => {
    rows.groups = await client(dashboards.groups, {});
  },
  alerts: async () => {
    rows.alerts = await customAndSystem(client);
  },
  dashboards: async () => {
    rows.dashboards = await dashboardInfos(client);
  },
  users: async () => {
    rows.users = await allOf((of) => client(users.list, of));
  },
  rosters: async () => {
    rows.rosters = await client(rosters.list, {});
  },
  webhooks: async () => {
    rows.webhooks = await allOf((of) => client(webhooks.list, of));
  },
  plans: async () => {
    rows.plans = await client(plans.list, {});
  },
  joint: async () => {
    rows.joint = await allOf((of) => client(joint.list, of));
  },
  silences: async () => {
    rows.silences = await client(silences.list, {});
  },
});

const devicesNamed = (rows: Rows, names: NamesInFile): Pick<Plant, "devices" | "ambiguous"> => {
  const alertsOf = Map.groupBy(
    rows.alerts.toSorted((a, b) => a.alarmId - b.alarmId),
    ({ deviceId }) => deviceId,
  );
  const groupsOf = Map.groupBy(rows.groups, ({ deviceId }) => deviceId);
  // By ID, so that of devices with one name the same has it alone in every plant.
  const identityOf = ({ deviceId, deviceSnId }: SubDeviceRow): string => rows.serials.get(deviceId) ?? deviceSnId;
  const byIdentity = rows.devices.toSorted((a, b) => (identityOf(a) < identityOf(b) ? -1 : 1));
  const whole = byIdentity.flatMap((row): PlantDevice[] => {
    const serial = rows.serials.get(row.deviceId);
    const setup = rows.setups.get(row.deviceId);
    const alerts = byName(alertsOf.get(row.deviceId) ?? [], ({ alarmName }) => alarmName, count);
    const groups = byName(groupsOf.get(row.deviceId) ?? [], ({ groupName }) => groupName, count);
    return setup ? [{ row, ...(serial !== undefined && { serial }), setup, alerts, groups }] : [];
  });
  const nameOfDevice = ({ row, serial }: PlantDevice) => names.device({ deviceSnId: row.deviceSnId, serial });
  const isNamed = (device: PlantDevice): boolean => nameOfDevice(device) !== undefined;
  const unnamed = Map.groupBy(
    whole.filter((device) => !isNamed(device)),
    ({ row }) => row.deviceName,
  );
  return {
    devices: byName(
      // The file's own names first, so that no other device takes one.
      whole.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))),
      (device) => nameOfDevice(device) ?? device.row.deviceName,
      ({ row }, turn) => (turn === 2 ? identityOf(row) : `${identityOf(row)} ${turn}`),
    ),
    ambiguous: new Set(Array.from(unnamed, ([name, those]) => (those.length > 1 ? name : "")).filter(Boolean)),
  };
};

const plantOf = (rows: Rows, names: NamesInFile, of: Pick<Plant, "unreadable" | "roleType">): Plant => ({
  contacts: new Map(rows.contacts.map((row) => [row.contactInfo, row])),
  ...devicesNamed(rows, names),
  dashboards: byName(rows.dashboards, ({ name }) => name, count),
  users: new Map(
    rows.users
      .filter(({ roleType }) => roleType !== Role.owner)
      .map((row) => [names.user(row.userEmail) ?? row.userEmail, row]),
  ),
  owner: rows.users.find(({ roleType }) => roleType === Role.owner),
  plans: byName(rows.plans, ({ planName }) => planName, count),
  rosters: byName(rows.rosters, ({ rosterName }) => rosterName, count),
  webhooks: byName(
    rows.webhooks.toSorted((a, b) => a.webhookId - b.webhookId),
    ({ webhookName }) => webhookName,
    count,
  ),
  jointControls: byName(
    rows.joint.filter(({ source, output }) => source.deviceId !== null && output.deviceId !== null),
    ({ name }) => name,
    count,
  ),
  maintenance: byName(
    rows.silences
      .filter(({ kind, plan }) => kind === SilenceKind.maintenance && wordFor(repeatWords, plan?.repeat ?? 0))
      .toSorted((a, b) => a.silenceId - b.silenceId),
    ({ alarmName }) => alarmName,
    count,
  ),
  ...of,
});

/** What the file calls a device and a user, where it has them: it may write an ID or a mail address with other capitals. */
export interface NamesInFile {
  device: (of: { deviceSnId: string; serial: string | undefined }) => string | undefined;
  user: (email: string) => string | undefined;
}

/** Of no file: everything is called as it is in the plant. */
export const noNames: NamesInFile = { device: () => undefined, user: () => undefined };

/** Reads a plant, and parts of it again. */
export interface PlantReader {
  now(): Plant;
  /** Reads these parts again, and the settings of these devices. */
  reread(parts: readonly Part[], deviceIds?: readonly number[]): Promise<void>;
}

const needs: Record<Part, Permission> = {
  contacts: "contacts.read",
  devices: "configuration.read",
  groups: "configuration.dashboards",
  alerts: "alarms.read",
  dashboards: "configuration.dashboards",
  users: "users.read",
  rosters: "escalation.read",
  webhooks: "webhooks.read",
  plans: "escalation.read",
  joint: "joint.read",
  silences: "alerts.read",
};
const allParts: readonly Part[] = [
  ...(["contacts", "devices", "groups", "alerts", "dashboards", "users"] as const),
  ...(["rosters", "webhooks", "plans", "joint", "silences"] as const),
];

/** Reads what the key's role may read of a plant. */
export const readPlant = async (client: Client, names: NamesInFile): Promise<PlantReader> => {
  const { roleType } = await client(apiKeys.holder, {});
  const may = (permission: Permission): boolean => isAllowed(permission, { roleType, isAdmin: false });
  const unreadable = new Set(sections.flatMap(([section, permission]) => (may(permission) ? [] : section)));
  const rows: Rows = {
    ...{
      contacts: [],
      devices: [],
      setups: new Map(),
      serials: new Map(),
      groups: [],
      alerts: [],
      dashboards: [],
      users: [],
    },
    ...{ rosters: [], webhooks: [], plans: [], joint: [], silences: [] },
  };
  const readers = readersOf(client, rows, may("provisioning.read"));
  let plant = plantOf(rows, names, { unreadable, roleType });
  const reread: PlantReader["reread"] = async (parts, deviceIds = []) => {
    for (const deviceId of deviceIds) rows.setups.delete(deviceId);
    await Promise.all(parts.filter((part) => may(needs[part])).map((part) => readers[part]()));
    plant = plantOf(rows, names, { unreadable, roleType });
  };
  await reread(allParts);
  return { now: () => plant, reread };
};
