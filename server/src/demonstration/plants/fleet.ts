import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { createMoments } from "./moments.ts";
import type { PlannedDevice } from "./plan.ts";
import { hillside, riverside, unclaimed, users } from "./plants.ts";

/** A device as the simulator needs it: its credentials and what its channels measure. */
export interface FleetDevice {
  deviceSnId: string;
  accessToken: string;
  typeId: number;
  deviceType: number;
  parentDeviceSnId: string | null;
  /** Its modbus address; null for a device without modbus. */
  modbusAddress: number | null;
  deviceName: string;
  /** Last reported firmware version; absent: the factory version. */
  firmwareVersion?: string;
  /** First message, and the start of a lasting silence; epoch milliseconds. */
  since: number;
  until?: number;
  channels: FleetChannel[];
}

interface FleetChannel {
  code: string;
  name: string;
  channelType: ChannelType;
  signal?: string;
  number?: 1 | 2;
  /** Current count of a counter. */
  counted?: number;
  settings: ChannelSettings;
  /** Earlier settings, oldest first, each valid until a time in epoch milliseconds. */
  earlier?: { until: number; settings: ChannelSettings }[];
}

/** Planned devices by device ID. */
export const planned = new Map<string, PlannedDevice>(
  [...riverside.devices, ...hillside.devices].map((device) => [device.deviceSnId, device]),
);

/** Simulated devices: the planned ones that are ever heard, and the unclaimed units. */
const simulated: string[] = [
  ...[...planned.values()].filter((device) => !device.isNeverHeard).map((device) => device.deviceSnId),
  ...unclaimed.map((unit) => unit.deviceSnId),
];

const records = (db: Database) =>
  db
    .selectFrom("devices as d")
    .leftJoin("devices as master", "master.device_id", "d.parent_device_id")
    .innerJoin("channels as c", "c.device_id", "d.device_id")
    .innerJoin("settings_periods as p", (join) =>
      join.onRef("p.channel_id", "=", "c.channel_id").on("p.end_time", "is", null),
    )
    .leftJoin("latest", "latest.channel_id", "c.channel_id")
    .select(["d.device_sn_id", "d.access_token", "d.type_id", "d.device_type", "d.device_name", "d.modbus_address"])
    .select(["d.firmware_version", "d.first_seen_time", "latest.value"])
    .select(
      sql<FleetChannel["earlier"] | null>`(
        select json_agg(json_build_object('until', extract(epoch from e.end_time) * 1000, 'settings', e.settings) order by e.start_time)
          from settings_periods e where e.channel_id = c.channel_id and e.end_time is not null)`.as("earlier"),
    )
    .select(["master.device_sn_id as master_sn_id", "c.channel_cn", "c.channel_name", "c.channel_type", "p.settings"])
    .where("d.device_sn_id", "in", simulated)
    .orderBy("d.device_id")
    .orderBy("c.position")
    .execute();

type FleetRecord = Awaited<ReturnType<typeof records>>[number];

const channelOf = (record: FleetRecord): FleetChannel => {
  const { signal, number } = planned.get(record.device_sn_id)?.channels[record.channel_cn] ?? {};
  return {
    code: record.channel_cn,
    name: record.channel_name,
    channelType: record.channel_type,
    ...(signal ? { signal } : {}),
    ...(number ? { number } : {}),
    ...(record.value === null ? {} : { counted: record.value }),
    settings: record.settings,
    ...(record.earlier ? { earlier: record.earlier } : {}),
  };
};

/** Start of a device's lasting silence; undefined for others. `begun`: when the demonstration was created. */
const silentSince = (deviceSnId: string, begun: Date): Date | undefined => {
  const moment = planned.get(deviceSnId)?.silentSince;
  return moment && createMoments(begun, riverside.timeZoneId).at(moment);
};

const deviceOf = (record: FleetRecord, now: Date, begun: Date): FleetDevice => {
  const until = silentSince(record.device_sn_id, begun);
  return {
    deviceSnId: record.device_sn_id,
    accessToken: record.access_token,
    typeId: record.type_id,
    deviceType: record.device_type,
    // A master outside the fleet cannot relay anything.
    parentDeviceSnId: simulated.includes(record.master_sn_id ?? "") ? record.master_sn_id : null,
    modbusAddress: record.modbus_address,
    deviceName: record.device_name,
    ...(record.firmware_version ? { firmwareVersion: record.firmware_version } : {}),
    since: (record.first_seen_time ?? now).getTime(),
    ...(until ? { until: until.getTime() } : {}),
    channels: [],
  };
};

/**
 * The demonstration's devices in this database, with their current names and settings. Devices that have gone silent are included only when the past
 * has still to be written (`begun`: when the demonstration was created).
 */
export const demonstrationFleet = async (db: Database, now: Date, begun?: Date): Promise<FleetDevice[]> => {
  const fleet = new Map<string, FleetDevice>();
  for (const record of await records(db)) {
    const device = fleet.get(record.device_sn_id) ?? deviceOf(record, now, begun ?? now);
    device.channels.push(channelOf(record));
    fleet.set(device.deviceSnId, device);
  }
  return [...fleet.values()].filter(({ until }) => begun !== undefined || until === undefined);
};

/** Whether this database contains the demonstration, and not a user's own plant that was started with TELLTALE_DEMO=1. */
export const isDemonstration = async (db: Database): Promise<boolean> => {
  const known = await db
    .selectFrom("users")
    .select("user_id")
    .where(
      "email",
      "in",
      users.map((user) => user.email),
    )
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
};

/** The access token of a demonstration device. */
export const tokenOf = async (db: Database, deviceSnId: string): Promise<string | undefined> =>
  (await db.selectFrom("devices").select("access_token").where("device_sn_id", "=", deviceSnId).executeTakeFirst())
    ?.access_token;
