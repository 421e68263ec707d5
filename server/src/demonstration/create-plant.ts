import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/alerts";
import type { ChannelSettings } from "@telltale/contract/channels";
import { ruleKey } from "../alarms/rule-key.ts";
import { provisionDevice } from "../devices/provision.ts";
import type { Database } from "../world.ts";
import { makeContacts, makeRecipients } from "./create-contacts.ts";
import type {
  PlannedAlarm,
  PlannedChannel,
  PlannedDashboard,
  PlannedDevice,
  PlannedPlant,
  PlannedTile,
} from "./plan.ts";

const day = 86_400_000;
const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * day);

/** What was made of the planned devices, by device ID. */
export type MadeDevices = Map<string, { deviceId: number; channels: Map<string, number> }>;

const channelIds = async (db: Database, deviceId: number): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom("channels")
    .select(["channel_id", "channel_cn"])
    .where("device_id", "=", deviceId)
    .execute();
  return new Map(rows.map((row) => [row.channel_cn, row.channel_id]));
};

/** A device that has gone silent is offline, and says so among the notifications. */
const goSilent = async (db: Database, plantId: number, deviceId: number, now: Date): Promise<void> => {
  const last = daysBefore(now, 1);
  await db
    .updateTable("devices")
    .set({ first_seen_time: last, last_seen_time: last, is_online: false })
    .where("device_id", "=", deviceId)
    .execute();
  await db
    .insertInto("alerts")
    .values({
      plant_id: plantId,
      device_id: deviceId,
      alarm_class: AlertClass.notification,
      alarm_type: AlertType.system,
      status: AlertStatus.triggered,
      msg: "Offline for 30 minutes",
      created_time: new Date(last.getTime() + 30 * 60_000),
      rule_key: ruleKey.notification(deviceId, "offline"),
    })
    .execute();
};

/** Gives a channel the settings periods before its present one. */
const makeEarlierPeriods = async (db: Database, channelId: number | undefined, channel: PlannedChannel, now: Date) => {
  if (channelId === undefined) return;
  for (const { until, settings } of channel.earlier ?? []) {
    const end = daysBefore(now, until);
    const present = await db
      .updateTable("settings_periods as p")
      .from("settings_periods as before")
      .set({ start_time: end })
      .whereRef("before.period_id", "=", "p.period_id")
      .where("p.channel_id", "=", channelId)
      .where("p.end_time", "is", null)
      .returning(["before.start_time as since", "p.settings"])
      .executeTakeFirstOrThrow();
    const inForce = JSON.stringify({ ...(present.settings as ChannelSettings), ...settings });
    const period = { channel_id: channelId, start_time: present.since, end_time: end, settings: inForce };
    await db.insertInto("settings_periods").values(period).execute();
  }
};

const makeDevice = async (
  db: Database,
  plantId: number,
  plant: PlannedPlant,
  device: PlannedDevice,
  made: MadeDevices,
  now: Date,
) => {
  const installed = daysBefore(now, device.installed);
  const { deviceId } = await provisionDevice(db, device, installed);
  await db
    .updateTable("devices")
    .set({
      plant_id: plantId,
      device_name: device.name,
      time_zone_id: plant.timeZoneId,
      parent_device_id: device.parent ? (made.get(device.parent)?.deviceId ?? null) : null,
      modbus_address: device.modbusAddress ?? null,
      claimed_time: installed,
      expire_time: daysBefore(now, -device.servedFor),
      pay_time: device.paid === undefined ? null : daysBefore(now, device.paid),
    })
    .where("device_id", "=", deviceId)
    .execute();
  const channels = await channelIds(db, deviceId);
  for (const [code, channel] of Object.entries(device.channels)) {
    await makeEarlierPeriods(db, channels.get(code), channel, now);
  }
  if (device.isFound === "silent") await goSilent(db, plantId, deviceId, now);
  made.set(device.deviceSnId, { deviceId, channels });
};

const channelOf = (made: MadeDevices, deviceSnId: string, code: string): number => {
  const id = made.get(deviceSnId)?.channels.get(code);
  if (id === undefined) throw new Error(`The demonstration has no channel ${code} of ${deviceSnId}`);
  return id;
};

const deviceOf = (made: MadeDevices, deviceSnId: string): number => {
  const device = made.get(deviceSnId);
  if (!device) throw new Error(`The demonstration has no device ${deviceSnId}`);
  return device.deviceId;
};

const makeGroup = async (
  db: Database,
  plantId: number,
  made: MadeDevices,
  tile: Extract<PlannedTile, { group: string }>,
  now: Date,
) => {
  const { group_id } = await db
    .insertInto("dashboard_groups")
    .values({
      plant_id: plantId,
      device_id: deviceOf(made, tile.deviceSnId),
      name: tile.group,
      icon: tile.icon,
      created_by: plantId,
      modified_time: now,
    })
    .returning("group_id")
    .executeTakeFirstOrThrow();
  const channels = tile.codes.map((code, position) => ({
    group_id,
    channel_id: channelOf(made, tile.deviceSnId, code),
    position,
  }));
  await db.insertInto("dashboard_group_channels").values(channels).execute();
  return group_id;
};

const tileTarget = async (db: Database, plantId: number, made: MadeDevices, tile: PlannedTile, now: Date) => {
  if ("channel" in tile) return { channel_id: channelOf(made, ...tile.channel) };
  if ("device" in tile) return { device_id: deviceOf(made, tile.device) };
  return { group_id: await makeGroup(db, plantId, made, tile, now) };
};

const makeDashboard = async (
  db: Database,
  plantId: number,
  made: MadeDevices,
  planned: PlannedDashboard,
  now: Date,
): Promise<number> => {
  const { name, notes, isDefault, tiles } = planned;
  const { dashboard_id } = await db
    .insertInto("dashboards")
    .values({
      plant_id: plantId,
      name,
      notes,
      is_default: isDefault,
      created_by: plantId,
      created_time: now,
      modified_time: now,
    })
    .returning("dashboard_id")
    .executeTakeFirstOrThrow();
  for (const [position, tile] of tiles.entries()) {
    const target = await tileTarget(db, plantId, made, tile, now);
    await db
      .insertInto("dashboard_tiles")
      .values({ dashboard_id, position, ...target })
      .execute();
  }
  return dashboard_id;
};

/** What an alarm watches: a channel by a value of its own, or all that a device itself says. */
const watchedBy = (alarm: PlannedAlarm, made: MadeDevices) =>
  "channel" in alarm
    ? {
        alarm_class: AlertClass.custom,
        device_id: deviceOf(made, alarm.channel[0]),
        channel_id: channelOf(made, ...alarm.channel),
        type: alarm.type,
        alarm_value: alarm.value,
        alarm_hysteresis: alarm.hysteresis,
      }
    : { alarm_class: alarm.alarmClass, device_id: deviceOf(made, alarm.device) };

const makeAlarms = async (
  db: Database,
  plantId: number,
  plant: PlannedPlant,
  made: MadeDevices,
  now: Date,
): Promise<void> => {
  const contacts = await makeContacts(db, plantId, plant.contacts, now);
  for (const alarm of plant.alarms) {
    const by = { created_by: plantId, created_time: now };
    const { alarm_id } = await db
      .insertInto("alarms")
      .values({ plant_id: plantId, alarm_name: alarm.name, ...watchedBy(alarm, made), ...by })
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    await makeRecipients(db, alarm_id, alarm.recipients, contacts);
  }
};

/** Fills a plant with what is planned for it. Gives the ids of its dashboards by name. */
export const fillPlant = async (
  db: Database,
  plantId: number,
  plant: PlannedPlant,
  now: Date,
): Promise<Map<string, number>> => {
  const made: MadeDevices = new Map();
  for (const device of plant.devices) await makeDevice(db, plantId, plant, device, made, now);
  await makeAlarms(db, plantId, plant, made, now);
  const dashboards = new Map<string, number>();
  for (const planned of plant.dashboards)
    dashboards.set(planned.name, await makeDashboard(db, plantId, made, planned, now));
  return dashboards;
};
