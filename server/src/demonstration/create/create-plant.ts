import { AlertClass } from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { after } from "../plants/moments.ts";
import { holderOf } from "../plants/people.ts";
import type { PlannedAlarm, PlannedDashboard, PlannedTile } from "../plants/plan.ts";
import { makeContacts, makeRecipients } from "./create-contacts.ts";
import { type MadeDevices, makeDevices, type PlantDraft } from "./create-devices.ts";

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
  { plantId, made }: PlantDraft,
  tile: Extract<PlannedTile, { group: string }>,
  at: Date,
) => {
  const { group_id } = await db
    .insertInto("dashboard_groups")
    .values({
      plant_id: plantId,
      device_id: deviceOf(made, tile.deviceSnId),
      name: tile.group,
      icon: tile.icon,
      created_by: plantId,
      modified_time: at,
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

const tileTarget = async (db: Database, being: PlantDraft, tile: PlannedTile, at: Date) => {
  if ("channel" in tile) return { channel_id: channelOf(being.made, ...tile.channel) };
  if ("device" in tile) return { device_id: deviceOf(being.made, tile.device) };
  return { group_id: await makeGroup(db, being, tile, at) };
};

/** Tiles were added with their devices: the dashboard was last changed after its newest device was installed. */
const modifiedTime = ({ made, tiles }: PlannedDashboard, { plant, moments }: PlantDraft): Date => {
  const snIds = new Set(
    tiles.map((tile) => ("channel" in tile ? tile.channel[0] : "device" in tile ? tile.device : tile.deviceSnId)),
  );
  const shown = plant.devices.filter(({ deviceSnId }) => snIds.has(deviceSnId));
  const times = shown.map(({ installed }) => after(moments.at(installed), 45));
  return new Date(Math.max(...[moments.at(made), ...times].map(Number)));
};

const makeDashboard = async (db: Database, being: PlantDraft, planned: PlannedDashboard): Promise<number> => {
  const { plantId, moments, people } = being;
  const { name, notes, isDefault, tiles, made } = planned;
  const at = modifiedTime(planned, being);
  const { dashboard_id } = await db
    .insertInto("dashboards")
    .values({
      plant_id: plantId,
      name,
      notes,
      is_default: isDefault,
      created_by: plantId,
      created_time: moments.at(made),
      modified_time: at,
    })
    .returning("dashboard_id")
    .executeTakeFirstOrThrow();
  for (const [position, tile] of tiles.entries()) {
    const target = await tileTarget(db, being, tile, at);
    await db
      .insertInto("dashboard_tiles")
      .values({ dashboard_id, position, ...target })
      .execute();
  }
  const { userId } = holderOf(people, Role.owner);
  const detail = { dashboardId: dashboard_id, after: { name, notes } };
  await audit(db, { plantId, userId, action: "dashboard.add", detail, now: moments.at(made) });
  return dashboard_id;
};

/** Columns of what an alarm watches: a channel with its own limit, or a device's limits or notifications. */
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

const makeAlarms = async (db: Database, { plantId, plant, people, moments, made }: PlantDraft): Promise<void> => {
  const { userId } = holderOf(people, Role.owner);
  const contacts = await makeContacts(db, { plantId, userId, moments }, plant.contacts);
  for (const alarm of plant.alarms) {
    const now = moments.at(alarm.made);
    const by = { created_by: plantId, created_time: now };
    const watched = watchedBy(alarm, made);
    const urgency = { priority: alarm.priority, response: alarm.response };
    const { alarm_id } = await db
      .insertInto("alarms")
      .values({ plant_id: plantId, alarm_name: alarm.name, ...watched, ...urgency, ...by })
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    await makeRecipients(db, alarm_id, alarm.recipients, contacts);
    const fields = { alarmName: alarm.name, deviceId: watched.device_id };
    const detail = { target: alarm.name, alarmId: alarm_id, after: fields };
    await audit(db, { plantId, userId, action: "alarm.add", detail, now });
  }
};

/** Creates a plant's planned content. Returns the ids of its dashboards by name. */
export const fillPlant = async (db: Database, being: PlantDraft): Promise<Map<string, number>> => {
  await makeDevices(db, being);
  await makeAlarms(db, being);
  const dashboards = new Map<string, number>();
  for (const planned of being.plant.dashboards) dashboards.set(planned.name, await makeDashboard(db, being, planned));
  return dashboards;
};
