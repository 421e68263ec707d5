import { Analog } from "@telltale/contract/domains/channels";
import type { Runner } from "../platform/database/runner.ts";
import { covers } from "./queue/insert.ts";

/** A channel as a bridge publishes it. */
export interface BridgedChannel {
  channelId: number;
  code: string;
  name: string;
  unit: string;
  /** Its values are 0 and 1. */
  isSwitch: boolean;
}

/** A device that a bridge publishes. */
export interface BridgedDevice {
  deviceId: number;
  deviceSnId: string;
  /** By which it has registered itself; null of other devices. */
  serial: string | null;
  deviceName: string;
  isOnline: boolean;
  channels: ReadonlyMap<number, BridgedChannel>;
}

interface Row {
  device_id: number;
  device_sn_id: string;
  serial: string | null;
  device_name: string;
  is_online: boolean;
  channels: { id: number; code: string; name: string; analog: Analog | null; unit: string | null }[] | null;
}

const bridged = {
  name: "bridged-devices",
  text: `
  SELECT d.device_id, d.device_sn_id, own.serial, d.device_name, d.is_online,
         (SELECT json_agg(json_build_object('id', c.channel_id, 'code', c.channel_cn, 'name', c.channel_name, 'unit', p.settings->>'unit',
                                            'analog', (p.settings->>'analogId')::int) ORDER BY c.channel_id)
            FROM channels c LEFT JOIN settings_periods p ON p.channel_id = c.channel_id AND p.end_time IS NULL
           WHERE c.device_id = d.device_id) AS channels
    FROM bridges b JOIN devices d ON d.plant_id = b.plant_id LEFT JOIN provisioned_devices own ON own.device_id = d.device_id AND own.plant_id = d.plant_id
   WHERE b.bridge_id = $1 AND ${covers("d.device_id")}
   ORDER BY d.device_id`,
};

const switches: readonly (Analog | null)[] = [Analog.digitalInput, Analog.digitalOutput];

const deviceOf = (row: Row): BridgedDevice => ({
  deviceId: row.device_id,
  deviceSnId: row.device_sn_id,
  serial: row.serial,
  deviceName: row.device_name,
  isOnline: row.is_online,
  channels: new Map(
    (row.channels ?? []).map(({ id, code, name, analog, unit }) => [
      id,
      { channelId: id, code, name, unit: unit ?? "", isSwitch: switches.includes(analog) },
    ]),
  ),
});

/** The devices that a bridge publishes, by id, as they are now. */
export const bridgedDevices = async (run: Runner, bridgeId: number): Promise<ReadonlyMap<number, BridgedDevice>> => {
  const { rows } = await run.query<Row>({ ...bridged, values: [bridgeId] });
  return new Map(rows.map((row) => [row.device_id, deviceOf(row)]));
};
