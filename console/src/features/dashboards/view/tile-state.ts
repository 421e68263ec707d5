import { type AlertRow, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import {
  type Tile,
  type TileChannel,
  TileKind,
  tileRoom,
  type UnitPart,
} from "@telltale/contract/domains/dashboard/tiles";
import { isNoData } from "../../../domain/value.ts";
import type { Reading } from "../../../session/live/live-values.ts";
import type { Loaded } from "../../../session/live/use-live-values.ts";

/** The state that a tile shows. */
export const TileState = { normal: "normal", alarm: "alarm", noData: "no-data" } as const;
export type TileState = (typeof TileState)[keyof typeof TileState];

/** The state of a reading: no data takes precedence over an alarm. (spec 1 §4) */
export const readingState = (reading: Reading): TileState => {
  if (isNoData(reading)) return TileState.noData;
  return reading.status === ReadingStatus.alarm ? TileState.alarm : TileState.normal;
};

/** The state of a tile: in alarm when one of its channels is, no data when all have none. */
export const tileState = (readings: readonly Reading[]): TileState => {
  const states = readings.map(readingState);
  if (states.includes(TileState.alarm)) return TileState.alarm;
  return states.every((state) => state === TileState.noData) ? TileState.noData : TileState.normal;
};

/** The channel that gives a tile its state: the first in alarm, or without data where all are; undefined while nothing is wrong. */
export const channelAtFault = <C extends Reading>(channels: readonly C[]): C | undefined => {
  const state = tileState(channels);
  return state === TileState.normal ? undefined : channels.find((channel) => readingState(channel) === state);
};

/** Whether the tile's channels are loaded with the unit part. */
export const hasChannels = (tile: Pick<Tile, "kind">): boolean =>
  tile.kind === TileKind.group || tile.kind === TileKind.modbus;

/** The channels that a tile is about. */
export const channelsOf = (tile: Tile): (Tile | TileChannel)[] => (hasChannels(tile) ? tile.modbusChannels : [tile]);

/** Whether an alert is about one of these channels. */
export const isAbout = (
  { deviceChannelId }: Pick<AlertRow, "deviceChannelId">,
  channels: readonly Pick<Loaded, "deviceChannelId">[],
): boolean => channels.some((channel) => channel.deviceChannelId === deviceChannelId);

/** Whether none of the unconfirmed alerts is about these channels. A full list leaves it open. */
export const isNoneAbout = (
  unconfirmed: readonly Pick<AlertRow, "deviceChannelId">[],
  channels: readonly Pick<Loaded, "deviceChannelId">[],
): boolean => unconfirmed.length < unconfirmedLimit && !unconfirmed.some((alert) => isAbout(alert, channels));

/** The tile's channels that fit, and the number of hidden ones. */
export const shownChannels = (tile: Pick<Tile, "kind" | "modbusChannels">): { shown: TileChannel[]; more: number } => {
  const shown = tile.modbusChannels.slice(0, tileRoom[tile.kind]);
  return { shown, more: tile.modbusChannels.length - shown.length };
};

/** The caption above the value. */
export const tileName = (tile: Tile): string => {
  if (tile.kind === TileKind.modbus) return tile.groupName ?? tile.deviceName;
  return tile.kind === TileKind.group ? (tile.groupName ?? tile.channelName) : tile.channelName;
};

const isPartOf = (part: UnitPart, tile: Tile): boolean =>
  part.deviceChannelId === tile.deviceChannelId &&
  (part.dashboardGroupId === undefined || part.dashboardGroupId === tile.dashboardGroupId);

/** The tile with the channels of its unit part; the same tile when there is none. */
export const withUnitPart = (tile: Tile, parts: readonly UnitPart[]): Tile => {
  const part = hasChannels(tile) ? parts.find((candidate) => isPartOf(candidate, tile)) : undefined;
  return part ? { ...tile, modbusChannels: part.modbusChannels } : tile;
};
