import type { ChannelGroup, ChannelRow } from "@telltale/contract/channels";
import { DeviceType } from "@telltale/contract/devices";

/** Groups that a device of this type does not show. (spec 1 §2) */
const hidden: Readonly<Record<number, string>> = { [DeviceType.main]: "VBS", [DeviceType.sub]: "DOS" };

/** The groups to choose a channel from. A group is not hidden when the device has no other: its channels must be reachable. */
export const shownGroups = (groups: ChannelGroup[], deviceType: number): ChannelGroup[] => {
  const filled = groups.filter(({ channels }) => channels.length > 0);
  const shown = filled.filter(({ name }) => name !== hidden[deviceType]);
  return shown.length > 0 ? shown : filled;
};

/** The channel asked for, or else the first one. */
export const chosenChannel = (groups: ChannelGroup[], deviceChannelId: number | undefined): ChannelRow | undefined => {
  const all = groups.flatMap(({ channels }) => channels);
  return all.find((channel) => channel.deviceChannelId === deviceChannelId) ?? all[0];
};
