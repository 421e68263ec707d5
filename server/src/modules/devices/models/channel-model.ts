import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";

/** A channel as it leaves the works. */
export interface ChannelModel {
  /** `channelCn`: the key of its values in telemetry. */
  code: string;
  type: ChannelType;
  /** Group name of the device's channel list. */
  group: string;
  settings: ChannelSettings;
}

/** Report interval of every new channel, in seconds. */
export const defaultReportInterval = 60;
