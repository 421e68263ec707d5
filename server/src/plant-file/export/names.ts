import { ownerWord } from "../document/words.ts";
import type { Plant, PlantDevice } from "../plant.ts";

/** The names by which a file refers to the plant's rows. */
export interface Names {
  device: ReadonlyMap<number, string>;
  channel: ReadonlyMap<number, string>;
  group: ReadonlyMap<number, string>;
  alert: ReadonlyMap<number, string>;
  contact: ReadonlyMap<number, string>;
  dashboard: ReadonlyMap<number, string>;
  user: ReadonlyMap<number, string>;
  roster: ReadonlyMap<number, string>;
  webhook: ReadonlyMap<number, string>;
  plan: ReadonlyMap<number, string>;
}

const byId = <T>(rows: ReadonlyMap<string, T>, idOf: (row: T) => number): ReadonlyMap<number, string> =>
  new Map(Array.from(rows, ([name, row]) => [idOf(row), name]));

/** The names of a plant's rows, by their ids. */
export const namesOf = (plant: Plant): Names => {
  const devices = [...plant.devices];
  const ofDevices = <T>(
    rows: (device: PlantDevice) => Iterable<T>,
    idOf: (row: T) => number,
    codeOf: (row: T) => string,
  ) =>
    new Map(
      devices.flatMap(([name, device]) =>
        Array.from(rows(device), (row) => [idOf(row), `${name}/${codeOf(row)}`] as const),
      ),
    );
  const users = new Map(byId(plant.users, ({ accountId }) => accountId));
  if (plant.owner) users.set(plant.owner.accountId, ownerWord);
  return {
    device: byId(plant.devices, ({ row }) => row.deviceId),
    channel: ofDevices(
      ({ setup }) => setup.channels,
      ({ deviceChannelId }) => deviceChannelId,
      ({ channelCn }) => channelCn,
    ),
    group: ofDevices(
      ({ groups }) => groups,
      ([, { dashboardGroupId }]) => dashboardGroupId,
      ([name]) => name,
    ),
    alert: ofDevices(
      ({ alerts }) => alerts,
      ([, { alarmId }]) => alarmId,
      ([name]) => name,
    ),
    contact: byId(plant.contacts, ({ notifyUserId }) => notifyUserId),
    dashboard: byId(plant.dashboards, ({ dashboardId }) => dashboardId),
    user: users,
    roster: byId(plant.rosters, ({ rosterId }) => rosterId),
    webhook: byId(plant.webhooks, ({ webhookId }) => webhookId),
    plan: byId(plant.plans, ({ planId }) => planId),
  };
};

/** The names of these rows, in order of the alphabet. */
export const namesIn = (ids: readonly number[], names: ReadonlyMap<number, string>): string[] =>
  ids.flatMap((id) => names.get(id) ?? []).toSorted();
