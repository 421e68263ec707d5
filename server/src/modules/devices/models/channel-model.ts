import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";

/** A channel as from the factory. */
export interface ChannelModel {
  /** `channelCn`: the key of its values in telemetry. */
  code: string;
  type: ChannelType;
  /** Group in the device's channel list. */
  group: string;
  settings: ChannelSettings;
}

/** Report interval of every new channel, in seconds. */
export const defaultReportInterval = 60;
