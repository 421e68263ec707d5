import { channelTypes } from "@telltale/contract/channel-types/index";
import { Key, type KeyValue } from "@telltale/contract/channel-types/keys";
import type { AlarmRow } from "@telltale/contract/domains/alarms";
import type { ChannelSetup } from "@telltale/contract/domains/channel-settings";
import { SourceType } from "@telltale/contract/domains/channels";
import { type DashboardInfo, DashboardStatus } from "@telltale/contract/domains/dashboards";
import type { UserRow } from "@telltale/contract/domains/people/users";
import {
  type AlertEntry,
  alertTypeWords,
  analogWords,
  type ChannelEntry,
  conditionWords,
  type DashboardEntry,
  type DeviceEntry,
  gateWords,
  type PlantFile,
  priorityWords,
  roleWords,
  type UserEntry,
  wordOf,
} from "./document.ts";
import type { Plant, PlantDevice } from "./plant.ts";

/** The names by which a file refers to the plant's rows. */
interface Names {
  device: ReadonlyMap<number, string>;
  channel: ReadonlyMap<number, string>;
  group: ReadonlyMap<number, string>;
  alert: ReadonlyMap<number, string>;
  contact: ReadonlyMap<number, string>;
  dashboard: ReadonlyMap<number, string>;
}

const namesOf = (plant: Plant): Names => {
  const devices = [...plant.devices];
  const entries = <T>(
    rows: (device: PlantDevice) => Iterable<T>,
    idOf: (row: T) => number,
    codeOf: (row: T) => string,
  ) =>
    new Map(
      devices.flatMap(([name, device]) =>
        Array.from(rows(device), (row) => [idOf(row), `${name}/${codeOf(row)}`] as const),
      ),
    );
  return {
    device: new Map(devices.map(([name, { row }]) => [row.deviceId, name])),
    channel: entries(
      ({ setup }) => setup.channels,
      ({ deviceChannelId }) => deviceChannelId,
      ({ channelCn }) => channelCn,
    ),
    group: entries(
      ({ groups }) => groups,
      ([, { dashboardGroupId }]) => dashboardGroupId,
      ([name]) => name,
    ),
    alert: entries(
      ({ alerts }) => alerts,
      ([, { alarmId }]) => alarmId,
      ([name]) => name,
    ),
    contact: new Map(Array.from(plant.contacts, ([address, { notifyUserId }]) => [notifyUserId, address])),
    dashboard: new Map(Array.from(plant.dashboards, ([name, { dashboardId }]) => [dashboardId, name])),
  };
};

const codeOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const settingOf = (value: KeyValue, names: Names) => {
  if (typeof value !== "object" || value === null) return value;
  return `${names.channel.get(value.deviceChannelId) ?? ""} ${value.type === SourceType.high ? "High" : "Low"}`;
};

/** All settings that a channel can have, also those without a value: another plant's may have one. */
const settingsOf = ({ channelType, channelKeys }: ChannelSetup, names: Names): ChannelEntry["settings"] =>
  Object.fromEntries(
    [...channelTypes[channelType].stored, Key.reportInterval, Key.staticData].map((key) => [
      key,
      settingOf(channelKeys[key] ?? null, names),
    ]),
  );

const channelsOf = ({ setup }: PlantDevice, names: Names): Record<string, ChannelEntry> =>
  Object.fromEntries(
    setup.channels.map((channel) => [
      channel.channelCn,
      { name: channel.channelName, on: channel.channelSwitch === 1, settings: settingsOf(channel, names) },
    ]),
  );

const alertEntry = (alarm: AlarmRow, names: Names): AlertEntry => ({
  channel: codeOf(names.channel.get(alarm.deviceChannelId ?? 0) ?? ""),
  condition: wordOf(conditionWords, alarm.condition),
  ...(alarm.type !== null && { type: wordOf(alertTypeWords, alarm.type) }),
  ...(alarm.alarmValue !== null && { value: alarm.alarmValue }),
  ...(alarm.alarmHysteresis !== null && { hysteresis: alarm.alarmHysteresis }),
  priority: wordOf(priorityWords, alarm.priority),
  response: alarm.response,
  enabled: alarm.enabled === 1,
  onDelay: alarm.onDelay,
  offDelay: alarm.offDelay,
  times: alarm.times,
  ...(alarm.window > 0 && { window: alarm.window }),
  onlyWhile:
    alarm.gateChannelId === null || alarm.gateType === null
      ? null
      : {
          channel: names.channel.get(alarm.gateChannelId) ?? "",
          is: wordOf(gateWords, alarm.gateType),
          ...(alarm.gateValue !== null && { value: alarm.gateValue }),
          startUp: alarm.startUp,
        },
  notify: alarm.notifyUserIds.flatMap((id) => names.contact.get(id) ?? []).toSorted(),
  plan: alarm.planId === null ? null : alarm.planName,
});

const deviceEntry = (entryName: string, device: PlantDevice, names: Names): DeviceEntry => {
  const { row, groups, alerts } = device;
  const master = row.parentDeviceId === null ? undefined : names.device.get(row.parentDeviceId);
  return {
    id: row.deviceSnId,
    ...(row.deviceName !== entryName && { name: row.deviceName }),
    ...(master !== undefined && { master }),
    offlineAfter: row.offlineReport,
    reportEvery: row.periodicity,
    disabled: row.isDisabled,
    channels: channelsOf(device, names),
    ...(groups.size > 0 && {
      groups: Object.fromEntries(
        Array.from(groups, ([name, { icon, deviceChannelIds }]) => [
          name,
          {
            icon: wordOf(analogWords, icon),
            channels: deviceChannelIds.map((id) => codeOf(names.channel.get(id) ?? "")),
          },
        ]),
      ),
    }),
    ...(alerts.size > 0 && {
      alerts: Object.fromEntries(Array.from(alerts, ([name, alarm]) => [name, alertEntry(alarm, names)])),
    }),
  };
};

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
  alerts: user.alarmIds.flatMap((id) => names.alert.get(id) ?? []).toSorted(),
});

const entriesOf = <T, E>(rows: ReadonlyMap<string, T>, entryOf: (row: T, name: string) => E): Record<string, E> =>
  Object.fromEntries(Array.from(rows, ([name, row]) => [name, entryOf(row, name)]));

/** The plant as a file says it. */
export const exportPlant = (plant: Plant): PlantFile => {
  const names = namesOf(plant);
  return {
    contacts: entriesOf(plant.contacts, ({ firstName, lastName, mayConfirm }) => ({ firstName, lastName, mayConfirm })),
    devices: entriesOf(plant.devices, (device, name) => deviceEntry(name, device, names)),
    dashboards: entriesOf(plant.dashboards, (dashboard) => dashboardEntry(dashboard, names)),
    users: entriesOf(plant.users, (user) => userEntry(user, names)),
  };
};
