import type { ShownSetting } from "@telltale/contract/channels";
import type { ModbusRegister } from "@telltale/contract/modbus";
import type { Scope } from "../devices/scope-queries.ts";
import { shownSettings } from "../shown-settings.rules.ts";
import type { Database } from "../world.ts";
import { shownReading, valuesInScope } from "./queries.ts";

/** A register of a modbus device with its newest value and its settings in force. */
export interface ReadRegister extends ModbusRegister {
  groupName: string;
  settings: ShownSetting[];
}

/** The registers of a modbus device in their order. */
export const registersOfDevice = async (
  db: Database,
  scope: Scope,
  deviceId: number,
  now: Date,
): Promise<ReadRegister[]> => {
  const rows = await valuesInScope(db, scope, now)
    .where("devices.device_id", "=", deviceId)
    .orderBy("channels.position")
    .orderBy("channels.channel_id")
    .execute();
  return rows.map((row) => ({
    deviceChannelId: row.channel_id,
    keywords: row.channel_cn,
    unit: row.settings.unit,
    ...shownReading(row),
    groupName: row.group_name,
    settings: shownSettings(row.channel_type, row.settings),
  }));
};
