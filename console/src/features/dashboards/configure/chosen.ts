import {
  type DashboardGroup,
  type DashboardInfo,
  type PlacedTile,
  type TileChoice,
  TileKind,
} from "@telltale/contract/domains/dashboards";

/** A selected tile. */
export interface Chosen {
  kind: TileKind;
  /** Id of the channel, the group or the motor controller. */
  id: number;
  name: string;
  deviceName: string;
}

/** Equal keys mean the same tile. */
export const keyOfChosen = ({ kind, id }: Pick<Chosen, "kind" | "id">): string => `${kind}:${id}`;

const ofTile = (tile: PlacedTile): Chosen => {
  const { name, deviceName, deviceChannelId, dashboardGroupId, deviceId } = tile;
  const kind = tile.kind;
  return { kind, id: deviceChannelId ?? dashboardGroupId ?? deviceId, name, deviceName };
};

/** The current tiles of a dashboard, in order. */
export const chosenOf = (info: DashboardInfo | undefined): Chosen[] => (info?.dashboardChannelList ?? []).map(ofTile);

/** A selectable channel or motor controller as a selected tile. */
export const choiceAsChosen = ({ deviceChannelId, deviceId, channelName, deviceName }: TileChoice): Chosen => ({
  kind: deviceChannelId === null ? TileKind.modbus : TileKind.channel,
  id: deviceChannelId ?? deviceId,
  name: channelName,
  deviceName,
});

export const groupAsChosen = ({ dashboardGroupId, groupName, deviceName }: DashboardGroup): Chosen => ({
  kind: TileKind.group,
  id: dashboardGroupId,
  name: groupName,
  deviceName,
});

/** Toggles the selection; a new tile is appended. */
export const toggled = (chosen: readonly Chosen[], one: Chosen): Chosen[] => {
  const others = chosen.filter((each) => keyOfChosen(each) !== keyOfChosen(one));
  return others.length < chosen.length ? others : [...chosen, one];
};

const idsOf = (chosen: readonly Chosen[], kind: TileKind): string =>
  chosen
    .filter((each) => each.kind === kind)
    .map((each) => each.id)
    .join(",");

/** The selection as the call takes it. */
export const chosenFields = (chosen: readonly Chosen[]) => ({
  deviceChannelIds: idsOf(chosen, TileKind.channel),
  dashboardGroupIds: idsOf(chosen, TileKind.group),
  deviceIds: idsOf(chosen, TileKind.modbus),
});
