import { limitsOf } from "@telltale/contract/channel-types/index";
import {
  type ChannelGroup,
  type ChannelSettings,
  type ChannelType,
  type DeviceChannel,
  ReadingStatus,
} from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";
import { type ModbusChannel, RegisterGroup } from "@telltale/contract/domains/modbus";

/** Groups that are shown separately and not as channels. */
const apart: ReadonlySet<string> = new Set([RegisterGroup.status, RegisterGroup.setpoints]);

/** The worst status of several registers: alarm, then good; no data only when none has any. */
export const worstStatus = (statuses: readonly number[]): number => {
  if (statuses.includes(ReadingStatus.alarm)) return ReadingStatus.alarm;
  return statuses.includes(ReadingStatus.good) ? ReadingStatus.good : ReadingStatus.noData;
};

/** A modbus device's channels in order of their first registers. */
export const modbusChannels = (registers: readonly { groupName: string; status: number }[]): ModbusChannel[] => {
  const groups = Map.groupBy(
    registers.filter(({ groupName }) => !apart.has(groupName)),
    ({ groupName }) => groupName,
  );
  return [...groups].map(([channelName, members]) => ({
    channelName,
    status: worstStatus(members.map(({ status }) => status)),
  }));
};

/** A channel with the name of its group. */
export interface ListedChannel extends DeviceChannel {
  groupName: string;
}

/** Longest seconds between two reports while the device works. */
export const reportWithinOf = ({ reportInterval, staticData = 0 }: ChannelSettings): number =>
  Math.max(reportInterval, staticData);

/** Whether a channel has a limit that it was not made with: of a factory's limits nobody has decided anything. */
export const hasOwnLimit = (type: ChannelType, settings: ChannelSettings, madeWith: ChannelSettings): boolean => {
  const factory = limitsOf(type, madeWith);
  return limitsOf(type, settings).some(
    (limit) => !factory.some((own) => own.alarmType === limit.alarmType && own.setpoint === limit.setpoint),
  );
};

/** The group that devices of a type do not show. (spec 1 §2) */
const hiddenGroup: Record<DeviceType, string> = { [DeviceType.main]: "VBS", [DeviceType.sub]: "DOS" };

/** A device's channels by group: groups in order of their first channels, channels in their own order. */
export const groupedChannels = (channels: readonly ListedChannel[], deviceType: DeviceType): ChannelGroup[] => {
  const shown = channels.filter((channel) => channel.groupName !== hiddenGroup[deviceType]);
  const groups = Map.groupBy(shown, (channel) => channel.groupName);
  return [...groups].map(([name, members]) => ({
    name,
    channels: members.map(({ groupName: _, ...channel }) => channel),
  }));
};

/** The status shown for a channel: that of its newest reading, or no data when it has none or its device has no live values. */
export const shownStatus = (reading: { status: number } | undefined, hasLiveValues: boolean): number =>
  reading && hasLiveValues ? reading.status : ReadingStatus.noData;
