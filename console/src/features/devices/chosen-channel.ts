import type { ChannelGroup, ChannelRow } from "@telltale/contract/channels";

/** The channel asked for, or else the first one. */
export const chosenChannel = (groups: ChannelGroup[], deviceChannelId: number | undefined): ChannelRow | undefined => {
  const all = groups.flatMap(({ channels }) => channels);
  return all.find((channel) => channel.deviceChannelId === deviceChannelId) ?? all[0];
};
