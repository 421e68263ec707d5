import type {
  DashboardGroup,
  DashboardInfo,
  PlacedTile,
  TileChoice,
} from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";

/** A selected tile. */
export interface SelectedTile {
  kind: TileKind;
  /** Id of the channel, the group or the motor controller. */
  id: number;
  name: string;
  deviceName: string;
}

/** Equal keys mean the same tile. */
export const tileKey = ({ kind, id }: Pick<SelectedTile, "kind" | "id">): string => `${kind}:${id}`;

const ofTile = (tile: PlacedTile): SelectedTile => {
  const { name, deviceName, deviceChannelId, dashboardGroupId, deviceId } = tile;
  const kind = tile.kind;
  return { kind, id: deviceChannelId ?? dashboardGroupId ?? deviceId, name, deviceName };
};

/** The current tiles of a dashboard, in order. */
export const selectedTiles = (info: DashboardInfo | undefined): SelectedTile[] =>
  (info?.dashboardChannelList ?? []).map(ofTile);

/** A selectable channel or motor controller as a selected tile. */
export const tileOfChoice = ({ deviceChannelId, deviceId, channelName, deviceName }: TileChoice): SelectedTile => ({
  kind: deviceChannelId === null ? TileKind.modbus : TileKind.channel,
  id: deviceChannelId ?? deviceId,
  name: channelName,
  deviceName,
});

export const tileOfGroup = ({ dashboardGroupId, groupName, deviceName }: DashboardGroup): SelectedTile => ({
  kind: TileKind.group,
  id: dashboardGroupId,
  name: groupName,
  deviceName,
});

/** Toggles the selection; a new tile is appended. */
export const toggleTile = (chosen: readonly SelectedTile[], one: SelectedTile): SelectedTile[] => {
  const others = chosen.filter((each) => tileKey(each) !== tileKey(one));
  return others.length < chosen.length ? others : [...chosen, one];
};

const idsOf = (chosen: readonly SelectedTile[], kind: TileKind): string =>
  chosen
    .filter((each) => each.kind === kind)
    .map((each) => each.id)
    .join(",");

/** The selection as the call takes it. */
export const selectionFields = (chosen: readonly SelectedTile[]) => ({
  deviceChannelIds: idsOf(chosen, TileKind.channel),
  dashboardGroupIds: idsOf(chosen, TileKind.group),
  deviceIds: idsOf(chosen, TileKind.modbus),
});
