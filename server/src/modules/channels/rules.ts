import { type ChannelGroup, type ChannelRow, ReadingStatus } from "@telltale/contract/domains/channels";
import { DeviceType } from "@telltale/contract/domains/devices";
import { type ModbusChannel, RegisterGroup } from "@telltale/contract/domains/modbus";

/** Groups that are shown apart and are no channels. */
const apart: ReadonlySet<string> = new Set([RegisterGroup.status, RegisterGroup.setpoints]);

/** The worst of some registers: alarm, then good; no data only when none has any. */
export const worstStatus = (statuses: readonly number[]): number => {
  if (statuses.includes(ReadingStatus.alarm)) return ReadingStatus.alarm;
  return statuses.includes(ReadingStatus.good) ? ReadingStatus.good : ReadingStatus.noData;
};

/** A modbus device's channels in the order of their first registers. */
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

/** A channel with the name of the group it is listed under. */
export interface ListedChannel extends ChannelRow {
  groupName: string;
}

/** Group that a device of the type does not show. (spec 1 §2) */
const hiddenGroup: Record<DeviceType, string> = { [DeviceType.main]: "VBS", [DeviceType.sub]: "DOS" };

/** A device's channels under their group names: groups in the order of their first channels, channels in their own. */
export const groupedChannels = (channels: readonly ListedChannel[], deviceType: DeviceType): ChannelGroup[] => {
  const shown = channels.filter((channel) => channel.groupName !== hiddenGroup[deviceType]);
  const groups = Map.groupBy(shown, (channel) => channel.groupName);
  return [...groups].map(([name, members]) => ({
    name,
    channels: members.map(({ groupName: _, ...channel }) => channel),
  }));
};

/** The status a channel shows: that of its newest reading, or no data when there is none or the device is silent. */
export const shownStatus = (reading: { status: number } | undefined, hasLiveValues: boolean): number =>
  reading && hasLiveValues ? reading.status : ReadingStatus.noData;
