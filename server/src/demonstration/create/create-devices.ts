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

/** What was made of the planned devices, by device ID. */
export type MadeDevices = Map<string, { deviceId: number; channels: Map<string, number> }>;

/** A plant that is being filled. */
export interface PlantBeingMade {
  plantId: number;
  plant: PlannedPlant;
  people: People;
  moments: Moments;
  made: MadeDevices;
}

/** Minutes from the claim to the first message: wiring takes its time. */
const untilWired = (deviceId: number): number => 11 + ((deviceId * 7) % 23);

const channelIds = async (db: Database, deviceId: number): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom("channels")
    .select(["channel_id", "channel_cn"])
    .where("device_id", "=", deviceId)
    .execute();
  return new Map(rows.map((row) => [row.channel_cn, row.channel_id]));
};

interface Noted {
  plantId: number;
  deviceId: number;
  what: string;
  msg: string;
  at: Date;
}

/** Writes what happened to a device and was over at once. */
export const note = async (db: Database, { plantId, deviceId, what, msg, at }: Noted): Promise<void> => {
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
  { plantId, people, moments }: PlantBeingMade,
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

/** When the service ends that a claim and the orders since have bought. */
const serviceEnd = ({ orders = [] }: PlannedDevice, installed: Date): Date =>
  orders.reduce((end, { years }) => yearsAfter(end, years), firstServiceEnd(installed));

/** A sub-device shares the service of its master, and what was paid for it since. */
const serviceOf = (device: PlannedDevice, { plant, moments }: PlantBeingMade) => {
  const main = plant.devices.find(({ deviceSnId }) => deviceSnId === device.parent) ?? device;
  const paid = main.orders?.map(({ on }) => moments.at(on)).filter((on) => on > moments.at(device.installed)) ?? [];
  return { expire_time: serviceEnd(main, moments.at(main.installed)), pay_time: paid.at(-1) ?? null };
};

const makeDevice = async (db: Database, device: PlannedDevice, being: PlantBeingMade): Promise<void> => {
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
      // They have been heard all the time, and go on when the fleet is there.
      ...(firstSeen ? { first_seen_time: firstSeen, last_seen_time: moments.now, is_online: true } : {}),
    })
    .where("device_id", "=", deviceId)
    .execute();
  await makeSaves(db, device, { deviceId, plantId, begun: installed }, { people, moments });
  const { userId } = holderOf(people, device.installedBy);
  const detail = { deviceId, deviceSnId: device.deviceSnId };
  await audit(db, { plantId, userId, action: "device.add", detail, now: installed });
  await note(db, { plantId, deviceId, what: "claimed", msg: "Added to this plant", at: installed });
  if (firstSeen) await note(db, { plantId, deviceId, what: "online", msg: "Online for the first time", at: firstSeen });
  await makeLowBattery(db, device, deviceId, being);
  made.set(device.deviceSnId, { deviceId, channels: await channelIds(db, deviceId) });
};

/** Makes a plant's devices with what has happened to them, masters before their sub-devices. */
export const makeDevices = async (db: Database, being: PlantBeingMade): Promise<void> => {
  for (const device of being.plant.devices) await makeDevice(db, device, being);
};
