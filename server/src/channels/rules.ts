import { type ChannelGroup, type ChannelRow, ReadingStatus } from "@telltale/contract/channels";
import { DeviceType } from "@telltale/contract/devices";

/** A channel with the name of the group it is listed under. */
export interface ListedChannel extends ChannelRow {
  groupName: string;
}

/** Group that a device of the type does not show. (spec 1 §2) */
const hiddenGroup: Record<DeviceType, string> = { [DeviceType.main]: "VBS", [DeviceType.sub]: "DOS" };

/** A device's channels under their group names: groups in the order of their first channels, channels in their own. */
export const groupedChannels = (channels: readonly ListedChannel[], deviceType: number): ChannelGroup[] => {
  const shown = channels.filter((channel) => channel.groupName !== hiddenGroup[deviceType as DeviceType]);
  const groups = Map.groupBy(shown, (channel) => channel.groupName);
  return [...groups].map(([name, members]) => ({
    name,
    channels: members.map(({ groupName: _, ...channel }) => channel),
  }));
};

/** The status a channel shows: that of its newest reading, or no data when there is none or the device is silent. */
export const shownStatus = (reading: { status: number } | undefined, hasLiveValues: boolean): number =>
  reading && hasLiveValues ? reading.status : ReadingStatus.noData;
