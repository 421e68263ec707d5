import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { ruleKey } from "../../alarms/index.ts";
import { provisionDevice } from "../../modules/devices/index.ts";
import { firstServiceEnd } from "../../modules/devices/rules.ts";
import { yearsAfter } from "../../platform/calendar.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { after, type Moments } from "../plants/moments.ts";
import { holderOf, type People } from "../plants/people.ts";
import type { PlannedDevice, PlannedPlant } from "../plants/plan.ts";
import { makeSaves } from "./create-saves.ts";

/** Created devices, by device ID. */
export type MadeDevices = Map<string, { deviceId: number; channels: Map<string, number> }>;

/** A plant under construction. */
export interface PlantDraft {
  plantId: number;
  plant: PlannedPlant;
  people: People;
  moments: Moments;
  made: MadeDevices;
}

/** Minutes from the claim to the first message, for wiring. */
const untilWired = (deviceId: number): number => 11 + ((deviceId * 7) % 23);

const channelIds = async (db: Database, deviceId: number): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom("channels")
    .select(["channel_id", "channel_cn"])
    .where("device_id", "=", deviceId)
    .execute();
  return new Map(rows.map((row) => [row.channel_cn, row.channel_id]));
};

interface DeviceEvent {
  plantId: number;
  deviceId: number;
  what: string;
  msg: string;
  at: Date;
}

/** Adds a device event that is already over. */
export const insertDeviceEvent = async (
  db: Database,
  { plantId, deviceId, what, msg, at }: DeviceEvent,
): Promise<void> => {
  await db
    .insertInto("alerts")
    .values({
      plant_id: plantId,
      device_id: deviceId,
      alarm_class: AlertClass.notification,
      alarm_type: AlertType.system,
      status: AlertStatus.cleared,
      msg,
      created_time: at,
      cleared_time: at,
      rule_key: ruleKey.notification(deviceId, what),
    })
    .execute();
};

const makeLowBattery = async (
  db: Database,
  { lowBattery }: PlannedDevice,
  deviceId: number,
  { plantId, people, moments }: PlantDraft,
): Promise<void> => {
  if (!lowBattery) return;
  const { on, power, confirmed, confirmedBy, replaced } = lowBattery;
  await db
    .insertInto("alerts")
    .values({
      ...{ plant_id: plantId, device_id: deviceId, rule_key: ruleKey.notification(deviceId, "low-battery") },
      ...{ alarm_class: AlertClass.notification, alarm_type: AlertType.system, status: AlertStatus.cleared },
      ...{ value: power, value_unit: "%", threshold: 20, msg: `Low battery: ${power} %` },
      created_time: moments.at(on),
      accept_time: moments.at(confirmed),
      accepted_by: holderOf(people, confirmedBy).accountId,
      cleared_time: moments.at(replaced),
    })
    .execute();
};

/** End of the service that claim and orders have paid for. */
const serviceEnd = ({ orders = [] }: PlannedDevice, installed: Date): Date =>
  orders.reduce((end, { years }) => yearsAfter(end, years), firstServiceEnd(installed));

/** Service end and last payment of a device; a sub-device shares its master's. */
const serviceOf = (device: PlannedDevice, { plant, moments }: PlantDraft) => {
  const main = plant.devices.find(({ deviceSnId }) => deviceSnId === device.parent) ?? device;
  const paid = main.orders?.map(({ on }) => moments.at(on)).filter((on) => on > moments.at(device.installed)) ?? [];
  return { expire_time: serviceEnd(main, moments.at(main.installed)), pay_time: paid.at(-1) ?? null };
};

const makeDevice = async (db: Database, device: PlannedDevice, being: PlantDraft): Promise<void> => {
  const { plantId, plant, people, moments, made } = being;
  const installed = moments.at(device.installed);
  const { deviceId } = await provisionDevice(db, device, installed);
  const firstSeen = device.isNeverHeard ? null : after(installed, untilWired(deviceId));
  await db
    .updateTable("devices")
    .set({
      plant_id: plantId,
      device_name: device.name,
      time_zone_id: plant.timeZoneId,
      parent_device_id: device.parent ? (made.get(device.parent)?.deviceId ?? null) : null,
      modbus_address: device.modbusAddress ?? null,
      claimed_time: installed,
      ...serviceOf(device, being),
      // Online until now; the simulated fleet continues.
      ...(firstSeen ? { first_seen_time: firstSeen, last_seen_time: moments.now, is_online: true } : {}),
    })
    .where("device_id", "=", deviceId)
    .execute();
  await makeSaves(db, device, { deviceId, plantId, begun: installed }, { people, moments });
  const { userId } = holderOf(people, device.installedBy);
  const detail = { deviceId, deviceSnId: device.deviceSnId };
  await audit(db, { plantId, userId, action: "device.add", detail, now: installed });
  await insertDeviceEvent(db, { plantId, deviceId, what: "claimed", msg: "Added to this plant", at: installed });
  if (firstSeen)
    await insertDeviceEvent(db, { plantId, deviceId, what: "online", msg: "Online for the first time", at: firstSeen });
  await makeLowBattery(db, device, deviceId, being);
  made.set(device.deviceSnId, { deviceId, channels: await channelIds(db, deviceId) });
};

/** Creates a plant's devices with their events, masters before their sub-devices. */
export const makeDevices = async (db: Database, being: PlantDraft): Promise<void> => {
  for (const device of being.plant.devices) await makeDevice(db, device, being);
};
