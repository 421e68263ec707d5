import { ChannelType } from "@telltale/contract/domains/channels";

/** What the tab of a channel type is called. */
export const typeLabels: Readonly<Record<number, string>> = {
  [ChannelType.analogInput]: "AI",
  [ChannelType.digitalInput]: "DI",
  [ChannelType.digitalOutput]: "DO",
  [ChannelType.vibration]: "VIBRATION",
};
