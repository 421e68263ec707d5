import { channelTypes } from "@telltale/contract/channel-types/index";
import { Analog, type ChannelSettings, type ChannelValue, ReadingStatus } from "@telltale/contract/domains/channels";
import { type Tile, type TileChannel, TileKind, type UnitPart } from "@telltale/contract/domains/dashboard/tiles";
import { reportWithinOf } from "../channels/index.ts";

/** A channel of a tile, with its current value. */
export interface PlacedChannel extends ChannelValue {
  channelName: string;
  channelCn: string;
  deviceId: number;
  deviceName: string;
  settings: ChannelSettings;
  /** Whether its device is heard, so that its values are current. */
  isLive: boolean;
}

/** A tile with its channels in order. */
export interface FilledTile {
  kind: TileKind;
  groupId: number | null;
  groupName: string | null;
  groupIcon: number | null;
  channels: PlacedChannel[];
}

/** Status of a tile with several channels: alarm when one is in alarm, no data when none has any. */
const joinedStatus = (channels: readonly PlacedChannel[]): number => {
  const statuses = channels.map((channel) => channel.status);
  return [ReadingStatus.alarm, ReadingStatus.good].find((status) => statuses.includes(status)) ?? ReadingStatus.noData;
};

const iconOf = (tile: FilledTile, first: PlacedChannel): number => {
  if (tile.kind === TileKind.modbus) return Analog.other;
  return tile.kind === TileKind.group ? (tile.groupIcon ?? first.channelAnalogId) : first.channelAnalogId;
};

/** What the sensor of a channel with these settings can read; null where there is no such range. */
export const sensorRangeOf = ({
  channelType,
  settings,
}: Pick<PlacedChannel, "channelType" | "settings">): Tile["sensorRange"] => {
  const { zero, span, isDiscrete } = channelTypes[channelType].range(settings);
  return !isDiscrete && zero !== null && span !== null ? { zero, span } : null;
};

/** A tile as listed, without its unit part; undefined when it has no channels. */
export const tileOf = (tile: FilledTile): Tile | undefined => {
  const first = tile.channels[0];
  if (!first) return undefined;
  const isSingle = tile.kind === TileKind.channel;
  return {
    kind: tile.kind,
    deviceChannelId: first.deviceChannelId,
    dashboardGroupId: tile.groupId,
    // A motor controller is shown by its own name, not by its first register's.
    channelName: tile.kind === TileKind.modbus ? first.deviceName : first.channelName,
    groupName: tile.groupName,
    icon: iconOf(tile, first),
    channelAnalogId: first.channelAnalogId,
    channelType: first.channelType,
    deviceId: first.deviceId,
    deviceName: first.deviceName,
    value: isSingle ? first.value : null,
    status: joinedStatus(tile.channels),
    unit: isSingle ? first.unit : "",
    updateTime: isSingle ? first.updateTime : null,
    reportWithin: reportWithinOf(first.settings),
    sensorRange: isSingle && first.isLive ? sensorRangeOf(first) : null,
    modbusChannels: [],
  };
};

const tileChannel = (channel: PlacedChannel): TileChannel => ({
  deviceChannelId: channel.deviceChannelId,
  channelName: channel.channelName,
  channelCn: channel.channelCn,
  value: channel.value,
  status: channel.status,
  unit: channel.unit,
  updateTime: channel.updateTime,
  reportWithin: reportWithinOf(channel.settings),
});

/** The channels of the group and modbus tiles whose first channel is requested; a tile on several dashboards counts once. */
export const unitParts = (tiles: readonly FilledTile[], channelIds: readonly number[]): UnitPart[] => {
  const parts = new Map<string, UnitPart>();
  for (const { kind, groupId, channels } of tiles) {
    const first = channels[0];
    if (!first || kind === TileKind.channel || !channelIds.includes(first.deviceChannelId)) continue;
    parts.set(`${first.deviceChannelId} ${groupId}`, {
      deviceChannelId: first.deviceChannelId,
      dashboardGroupId: groupId,
      modbusChannels: channels.map(tileChannel),
    });
  }
  return [...parts.values()];
};

/** A tile as listed, with its channels and without current values. */
export const emptyTile = (tile: FilledTile): Tile | undefined => {
  const channels = tile.channels.map((channel) => ({
    ...channel,
    value: null,
    status: ReadingStatus.noData,
    updateTime: null,
  }));
  const listed = tileOf({ ...tile, channels });
  return listed && { ...listed, modbusChannels: tile.kind === TileKind.channel ? [] : channels.map(tileChannel) };
};
