import type { Client } from "@telltale/contract/call/client";
import type { Page } from "@telltale/contract/call/paging";
import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { plans } from "@telltale/contract/domains/alerting/escalation";
import { channelSettings, type DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { type DashboardGroup, type DashboardInfo, dashboards } from "@telltale/contract/domains/dashboards";
import { devices, type SubDeviceRow } from "@telltale/contract/domains/devices";
import { type ContactRow, contacts } from "@telltale/contract/domains/people/contacts";
import { type UserRow, users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { atOnce } from "./at-once.ts";

/** Rows of a page: the most that a call gives. */
const size = 200;

/** All rows of a paged call. */
const allOf = async <Row>(read: (of: { page: number; size: number }) => Promise<Page<Row>>): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await read({ page, size });
    rows.push(...answer.data);
    if (page >= answer.total_pages) return rows;
  }
};

/** A device as the plant has it. */
export interface PlantDevice {
  row: SubDeviceRow;
  setup: DeviceSetup;
  groups: ReadonlyMap<string, DashboardGroup>;
  alerts: ReadonlyMap<string, AlarmRow>;
}

/** A plant's configuration as the API tells it, by the names that a file calls its parts. */
export interface Plant {
  contacts: ReadonlyMap<string, ContactRow>;
  devices: ReadonlyMap<string, PlantDevice>;
  dashboards: ReadonlyMap<string, DashboardInfo>;
  /** All but the owner. */
  users: ReadonlyMap<string, UserRow>;
  plans: ReadonlyMap<string, number>;
}

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

const deviceRows = async (client: Client): Promise<SubDeviceRow[]> =>
  (await allOf((of) => client(devices.list, of))).flatMap(({ subDevices, ...main }) => [main, ...subDevices]);

/** Reads a plant. `nameOf` gives a device the name that the file calls it by, where it has one. */
export const readPlant = async (client: Client, nameOf: (deviceSnId: string) => string | undefined): Promise<Plant> => {
  const [contactRows, rows, alarmRows, userRows, dashboardRows, groups, planRows] = await Promise.all([
    allOf((of) => client(contacts.list, of)),
    deviceRows(client),
    allOf((of) => client(alarms.list, of)),
    allOf((of) => client(users.list, of)),
    allOf((of) => client(dashboards.list, of)),
    client(dashboards.groups, {}),
    client(plans.list, {}),
  ]);
  const infos = await atOnce(dashboardRows, ({ dashboardId }) => client(dashboards.info, { dashboardId }));
  const setups = await atOnce(rows, ({ deviceId }) => client(channelSettings.setup, { deviceId }));
  const alertsOf = Map.groupBy(alarmRows.toReversed(), ({ deviceId }) => deviceId);
  const groupsOf = Map.groupBy(groups, ({ deviceId }) => deviceId);
  const whole = rows.flatMap((row, at): PlantDevice[] => {
    const setup = setups[at];
    if (!setup) return [];
    return [
      {
        row,
        setup,
        alerts: byName(alertsOf.get(row.deviceId) ?? [], ({ alarmName }) => alarmName, count),
        groups: byName(groupsOf.get(row.deviceId) ?? [], ({ groupName }) => groupName, count),
      },
    ];
  });
  const isNamed = ({ row }: PlantDevice): boolean => nameOf(row.deviceSnId) !== undefined;
  return {
    contacts: new Map(contactRows.map((row) => [row.contactInfo, row])),
    devices: byName(
      // The file's own names first, so that no other device takes one.
      whole.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a))),
      ({ row }) => nameOf(row.deviceSnId) ?? row.deviceName,
      ({ row }) => row.deviceSnId,
    ),
    dashboards: byName(infos, ({ name }) => name, count),
    users: new Map(userRows.filter(({ roleType }) => roleType !== Role.owner).map((row) => [row.userEmail, row])),
    plans: new Map(planRows.map(({ planName, planId }) => [planName, planId])),
  };
};
