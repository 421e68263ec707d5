import { groupIn } from "./groups.ts";

/** Whose readings are asked for: SQL of the channels' ids (int4[]) from the parameter $1; and that parameter. */
export interface ChannelSource {
  name: string;
  ids: string;
  value: unknown;
}

/** These channels. */
export const theChannels = (channelIds: readonly number[]): ChannelSource => ({
  name: "channels",
  ids: "$1::int4[]",
  value: channelIds,
});

/** The channel of a settings period. Whether the caller may see it is another statement's answer, which need not be waited for. */
export const channelOfPeriod = (periodId: number): ChannelSource => ({
  name: "period",
  ids: "(SELECT array_agg(channel_id) FROM settings_periods WHERE period_id = $1)::int4[]",
  value: periodId,
});

/** SQL: stored blocks as text of a third less than the usual one, which is what a chart of the last minute under full load waits for; `bytesOf` reads it. */
export const coded = "encode(readings, 'base64')";
export const bytesOf = (text: string): Buffer => Buffer.from(text, "base64");

/** SQL: the devices and device groups of channels, looked up by the statement that needs them, which spares a round trip. */
export const places = (ids = "$1::int4[]"): string => `
  WITH place AS MATERIALIZED (
    SELECT array_agg(DISTINCT device_id) AS devices, array_agg(DISTINCT ${groupIn("device_id")}) AS groups FROM channels WHERE channel_id = ANY(${ids}))`;

/** SQL, after `places`: the chunks of these channels. */
export const chunksThere = (ids = "$1::int4[]"): string => `chunks
   WHERE device_group = ANY((SELECT groups FROM place)::int2[]) AND device_id = ANY((SELECT devices FROM place)::int4[])
     AND (channel_id IS NULL OR channel_id = ANY(${ids})) AND damage IS NULL`;

/** SQL, after `places`: the unmerged batches of these devices. */
export const batchesThere = `batches
   WHERE device_group = ANY((SELECT groups FROM place)::int2[]) AND device_ids && (SELECT devices FROM place)::int4[] AND damage IS NULL`;
