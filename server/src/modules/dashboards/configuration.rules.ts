import { DashboardStatus } from "@telltale/contract/domains/dashboard/dashboards";

/** What a tile shows: exactly one of the three. */
export interface TileTarget {
  channel_id: number | null;
  group_id: number | null;
  device_id: number | null;
}

/** An existing tile. */
export interface StandingTile extends TileTarget {
  tile_id: number;
}

interface Chosen {
  deviceChannelIds: readonly number[];
  dashboardGroupIds: readonly number[];
  deviceIds: readonly number[];
}

const nothing: TileTarget = { channel_id: null, group_id: null, device_id: null };

/** The chosen tiles without duplicates: channels, then groups, then motor controllers. */
export const targetsOf = (chosen: Chosen): TileTarget[] => [
  ...[...new Set(chosen.deviceChannelIds)].map((channel_id) => ({ ...nothing, channel_id })),
  ...[...new Set(chosen.dashboardGroupIds)].map((group_id) => ({ ...nothing, group_id })),
  ...[...new Set(chosen.deviceIds)].map((device_id) => ({ ...nothing, device_id })),
];

const keyOf = ({ channel_id, group_id, device_id }: TileTarget): string => `${channel_id} ${group_id} ${device_id}`;

/** The changes that make a dashboard show these tiles; remaining tiles keep their places. */
export const tileChanges = (
  standing: readonly StandingTile[],
  wanted: readonly TileTarget[],
): { gone: number[]; added: TileTarget[] } => {
  const [known, kept] = [new Set(standing.map(keyOf)), new Set(wanted.map(keyOf))];
  return {
    gone: standing.filter((tile) => !kept.has(keyOf(tile))).map((tile) => tile.tile_id),
    added: wanted.filter((target) => !known.has(keyOf(target))),
  };
};

/** Why a dashboard's default mark cannot be set so; undefined when it can. A plant with dashboards has exactly one default. */
export const statusError = (isDefault: boolean, wanted: number): string | undefined =>
  isDefault && wanted === DashboardStatus.other
    ? "One dashboard is always the default: make another one the default instead"
    : undefined;

/** Why a dashboard cannot be deleted; undefined when it can. The default is the last one to go. */
export const removeError = (isDefault: boolean, others: number): string | undefined =>
  isDefault && others > 0 ? "Make another dashboard the default before you delete this one" : undefined;
