import type { Client } from "@telltale/contract/call/client";
import { dashboards, type PlacedTile } from "@telltale/contract/domains/dashboard/dashboards";
import type { PlannedEntry } from "../differences.ts";
import type { DashboardEntry, PlantFile } from "../document/document.ts";
import type { Plant } from "../plant.ts";
import { channelIdOf, deviceNamed, groupIdOf } from "./references.ts";

interface Wanted {
  kind: "channel" | "group" | "controller";
  id: number;
}

const wantedTile = (plant: Plant, tile: DashboardEntry["tiles"][number]): Wanted => {
  if (typeof tile === "string") return { kind: "channel", id: channelIdOf(plant, tile) };
  if ("group" in tile) return { kind: "group", id: groupIdOf(plant, tile.group) };
  return { kind: "controller", id: deviceNamed(plant, tile.controller).row.deviceId };
};

const isTile = ({ kind, id }: Wanted, { deviceChannelId, dashboardGroupId, deviceId }: PlacedTile): boolean => {
  if (kind === "channel") return deviceChannelId === id;
  if (kind === "group") return dashboardGroupId === id;
  return deviceChannelId === null && dashboardGroupId === null && deviceId === id;
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
  const ids = (wanted: Wanted["kind"]) => tiles.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
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
