import { Analog, type ChannelValue, ReadingStatus } from "@telltale/contract/domains/channels";
import { type Tile, type TileChannel, TileKind, type UnitPart } from "@telltale/contract/domains/dashboards";

/** A channel on a tile, with its current value. */
export interface PlacedChannel extends ChannelValue {
  channelName: string;
  channelCn: string;
  deviceId: number;
  deviceName: string;
}

/** A tile and its channels in their order. */
export interface FilledTile {
  kind: TileKind;
  groupId: number | null;
  groupName: string | null;
  groupIcon: number | null;
  channels: PlacedChannel[];
}

/** A tile of several channels is in alarm when one of them is, and without data when none has any. */
const joinedStatus = (channels: readonly PlacedChannel[]): number => {
  const statuses = channels.map((channel) => channel.status);
  return [ReadingStatus.alarm, ReadingStatus.good].find((status) => statuses.includes(status)) ?? ReadingStatus.noData;
};

const iconOf = (tile: FilledTile, first: PlacedChannel): number => {
  if (tile.kind === TileKind.modbus) return Analog.other;
  return tile.kind === TileKind.group ? (tile.groupIcon ?? first.channelAnalogId) : first.channelAnalogId;
};

/** The tile as it is listed, without the unit part; undefined for one without channels, which nothing could be said of. */
export const tileOf = (tile: FilledTile): Tile | undefined => {
  const first = tile.channels[0];
  if (!first) return undefined;
  const isSingle = tile.kind === TileKind.channel;
  return {
    kind: tile.kind,
    deviceChannelId: first.deviceChannelId,
    dashboardGroupId: tile.groupId,
    // A motor controller is known by its own name, not by that of its first register.
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
});

/** The channels of the group and modbus tiles whose first channel is asked for; a tile on several dashboards counts once. */
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
