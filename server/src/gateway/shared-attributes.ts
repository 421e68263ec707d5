import type { ChannelSettings } from "@telltale/contract/channels";
import type { SharedAttributes } from "@telltale/contract/device-api";
import type { World } from "../world.ts";

const select = `
  SELECT d.periodicity, json_object_agg(c.channel_cn, p.settings) FILTER (WHERE c.channel_id IS NOT NULL) AS channels
    FROM devices d LEFT JOIN channels c ON c.device_id = d.device_id LEFT JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL
   WHERE d.device_id = $1 GROUP BY d.device_id`;

/** The settings in force of a device, as they go down to it. */
export const sharedAttributes = async (
  pool: World["pool"],
  deviceId: number,
): Promise<SharedAttributes | undefined> => {
  const { rows } = await pool.query<{ periodicity: number; channels: Record<string, ChannelSettings> | null }>(select, [
    deviceId,
  ]);
  const row = rows[0];
  return row && { reportInterval: row.periodicity, channels: row.channels ?? {} };
};
