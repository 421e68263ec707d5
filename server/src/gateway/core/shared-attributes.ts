import type { FirmwareOffer, SharedAttributes } from "@telltale/contract/device-api";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import { batched } from "../../platform/database/batched.ts";
import type { World } from "../../world.ts";

const select = `
  SELECT d.device_id, d.periodicity, coalesce(max(s.version), 1) AS version,
         json_object_agg(c.channel_cn, p.settings || jsonb_build_object('channelSwitch', c.channel_switch::int)) FILTER (WHERE c.channel_id IS NOT NULL) AS channels,
         (SELECT json_build_object('fw_title', i.device_sn, 'fw_version', i.version, 'fw_size', i.size, 'fw_checksum_algorithm', 'SHA256', 'fw_checksum', i.sha256)
            FROM firmware_updates u JOIN firmware_images i USING (image_id) WHERE u.device_id = d.device_id AND u.ended_time IS NULL) AS firmware
    FROM devices d LEFT JOIN device_settings s ON s.device_id = d.device_id
         LEFT JOIN channels c ON c.device_id = d.device_id LEFT JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL
   WHERE d.device_id = ANY($1) GROUP BY d.device_id`;

interface Row {
  device_id: number;
  periodicity: number;
  version: number;
  channels: Record<string, ChannelSettings> | null;
  firmware: FirmwareOffer | null;
}

/** Reads a device's current settings and its firmware offer as sent to the device; undefined when there is no such device. */
export type FindSharedAttributes = (deviceId: number) => Promise<SharedAttributes | undefined>;

export const sharedAttributesFinder = ({ pool }: Pick<World, "pool">): FindSharedAttributes =>
  batched(async (deviceIds: readonly number[]) => {
    const { rows } = await pool.query<Row>(select, [[...new Set(deviceIds)]]);
    const found = new Map(
      rows.map(({ device_id, periodicity, channels, version, firmware }) => [
        device_id,
        { reportInterval: periodicity, channels: channels ?? {}, settingsVersion: version, ...firmware },
      ]),
    );
    return deviceIds.map((deviceId) => found.get(deviceId));
  });
