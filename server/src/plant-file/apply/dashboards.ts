import type { Client } from "@telltale/contract/call/client";
import { dashboards, type PlacedTile } from "@telltale/contract/domains/dashboards";
import type { DashboardEntry, PlantFile } from "../document.ts";
import type { PlannedEntry } from "../plan-changes.ts";
import type { Plant } from "../plant.ts";
import { channelIdOf, deviceNamed, groupIdOf } from "./references.ts";

type Wanted = { channel: number } | { group: number } | { controller: number };

const wantedTile = (plant: Plant, tile: DashboardEntry["tiles"][number]): Wanted => {
  if (typeof tile === "string") return { channel: channelIdOf(plant, tile) };
  if ("group" in tile) return { group: groupIdOf(plant, tile.group) };
  return { controller: deviceNamed(plant, tile.controller).row.deviceId };
};

const isTile = (wanted: Wanted, { deviceChannelId, dashboardGroupId, deviceId }: PlacedTile): boolean => {
  if ("channel" in wanted) return deviceChannelId === wanted.channel;
  if ("group" in wanted) return dashboardGroupId === wanted.group;
  return deviceChannelId === null && dashboardGroupId === null && deviceId === wanted.controller;
};

/** Creates a dashboard or changes its tiles, and puts them in the file's order. */
export const applyDashboard = async (
  client: Client,
  plant: Plant,
  file: PlantFile,
  { name }: PlannedEntry,
): Promise<void> => {
  const entry = file.dashboards?.[name];
  if (!entry) return;
  const present = plant.dashboards.get(name);
  const tiles = entry.tiles.map((tile) => wantedTile(plant, tile));
  const ids = (kind: "channel" | "group" | "controller") =>
    tiles.flatMap((tile) => (kind in tile ? [(tile as Record<typeof kind, number>)[kind]] : []));
  const { dashboardId } = await client(dashboards.edit, {
    ...(present && { dashboardId: present.dashboardId, version: present.version }),
    name: present?.name ?? name,
    notes: entry.notes ?? present?.notes ?? "",
    status: (entry.default ?? present?.status === 1) ? 1 : 0,
    ...{ deviceChannelIds: ids("channel"), dashboardGroupIds: ids("group"), deviceIds: ids("controller") },
  });
  const { dashboardChannelList, version } = await client(dashboards.info, { dashboardId });
  const tileIds = tiles.flatMap((wanted) => dashboardChannelList.find((tile) => isTile(wanted, tile))?.tileId ?? []);
  if (tileIds.join() !== dashboardChannelList.map(({ tileId }) => tileId).join())
    await client(dashboards.order, { dashboardId, tileIds, version });
};
