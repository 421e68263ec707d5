import { z } from "zod";
import { get } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { AlertType } from "../alerts.ts";
import { ChannelRow, ShownSetting } from "../channels.ts";

/** A channel with its device, to be drawn beside channels of other devices. */
export const TrendChannel = ChannelRow.extend({
  deviceId: z.int(),
  deviceName: z.string(),
  deviceSnId: z.string(),
  timeZoneId: z.string(),
});
export type TrendChannel = z.output<typeof TrendChannel>;

/** The limit of a custom alert. */
export const RuleLimit = z.object({
  alarmName: z.string(),
  type: z.literal([AlertType.high, AlertType.low]),
  alarmValue: z.number(),
});
export type RuleLimit = z.output<typeof RuleLimit>;

/** A channel with what its trend is judged by: its current settings, and the limits of the custom alerts that are in force. */
export const TrendInfo = TrendChannel.extend({ settings: z.array(ShownSetting), rules: z.array(RuleLimit) });
export type TrendInfo = z.output<typeof TrendInfo>;

/** Most channels that `trends.find` returns. */
export const mostFound = 200;

/** Most channels that are drawn over one another. */
export const mostCompared = 4;

export const trends = {
  find: get("/api/trend/channels", {
    access: "devices.read",
    summary:
      "Channels that can be compared, by device, at most 200: those whose name or device's name contains the text; `total` counts all of them",
    query: z.object({ find: wire.text().optional() }),
    result: z.object({ channels: z.array(TrendChannel), total: z.int() }),
  }),
  channel: get("/api/trend/channel", {
    access: "devices.read",
    summary: "A channel with its device, its current settings and the limits of its custom alerts",
    query: z.object({ channelId: wire.int() }),
    result: TrendInfo,
  }),
};
