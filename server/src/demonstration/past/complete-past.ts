import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { LiveCommand } from "@telltale/contract/live";
import type { Role } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { ruleKey } from "../../alarms/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Telemetry } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { createMoments, type Moments } from "../plants/moments.ts";
import type { People, PlantUser } from "../plants/people.ts";
import { hillside, riverside } from "../plants/plants.ts";
import { confirmationOf } from "../plants/rota.ts";
import { notifyPast } from "./past-messages.ts";
import { recordPastWritten } from "./past-queries.ts";

/** A period in which a device was silent, epoch milliseconds; `to` is null if it is still silent. */
export interface Silence {
  deviceSnId: string;
  from: number;
  to: number | null;
}

interface Needs extends Pick<World, "db" | "bus"> {
  telemetry: Pick<Telemetry, "registry" | "offlineWatch">;
}

interface Plant {
  plantId: number;
  people: People;
  moments: Moments;
}

const minute = 60_000;

/** The demonstration's existing plants, with their users. */
const plantsOf = async (db: Database, begun: Date): Promise<Plant[]> => {
  const planned = new Map([riverside, hillside].map((plant) => [plant.name, plant]));
  const rows = await db
    .selectFrom("plants as p")
    .innerJoin("accounts as a", "a.plant_id", "p.plant_id")
    .select(["p.plant_id", "p.name", "a.role_type", "a.user_id", "a.account_id"])
    .where("p.name", "in", [...planned.keys()])
    .where("a.removed_time", "is", null)
    .orderBy("a.account_id")
    .execute();
  return [...Map.groupBy(rows, (row) => row.plant_id)].flatMap(([plantId, accounts]) => {
    const plant = planned.get(accounts[0]?.name ?? "");
    if (!plant) return [];
    const people = accounts.map((row): [Role, PlantUser] => [
      row.role_type,
      { userId: row.user_id, accountId: row.account_id },
    ]);
    return { plantId, people: new Map(people), moments: createMoments(begun, plant.timeZoneId) };
  });
};

/** Confirms past alerts in the name of the plant's users. */
const confirmPast = async (db: Database, plant: Plant): Promise<void> => {
  const alerts = await db
    .selectFrom("alerts")
    .select(["alert_id", "rule_key", "created_time", "cleared_time"])
    .where("plant_id", "=", plant.plantId)
    .where("alarm_class", "in", [AlertClass.custom, AlertClass.threshold])
    .where("accept_time", "is", null)
    .where("created_time", "<", plant.moments.now)
    .execute();
  const confirmed = alerts.flatMap(({ alert_id, rule_key, created_time: created, cleared_time: cleared }) => {
    const found = confirmationOf({ ruleKey: rule_key, created, cleared }, plant);
    return found ? [{ id: alert_id, at: found.at.toISOString(), by: found.by.accountId }] : [];
  });
  await sql`
    update alerts a set accept_time = c.at, accepted_by = c.by,
           status = case when a.cleared_time is null then ${AlertStatus.confirmed} else a.status end,
           received_time = a.created_time
      from jsonb_to_recordset(${JSON.stringify(confirmed)}::jsonb) as c(id bigint, at timestamptz, by int)
     where a.alert_id = c.id and a.accept_time is null`.execute(db);
};

interface SilentDevice {
  device_id: number;
  plant_id: number | null;
  offline_report: number;
}

/** Adds the alerts of a silent period: offline, and online again. */
const recordSilence = async (
  db: Database,
  { from, to }: Silence,
  device: SilentDevice,
  plant: Plant,
): Promise<void> => {
  const { device_id: deviceId, offline_report: minutes } = device;
  const offline = ruleKey.notification(deviceId, "offline");
  const created = new Date(from + minutes * minute);
  if (created >= (to === null ? plant.moments.now : new Date(to))) return;
  const cleared = to === null ? null : new Date(to);
  const confirmed = cleared && confirmationOf({ ruleKey: offline, created, cleared }, plant);
  const notification = {
    ...{ plant_id: plant.plantId, device_id: deviceId },
    ...{ alarm_class: AlertClass.notification, alarm_type: AlertType.system },
  };
  await db
    .insertInto("alerts")
    .values({
      ...{ ...notification, msg: `Offline for ${minutes} minutes`, rule_key: offline },
      ...{
        status: cleared ? AlertStatus.cleared : AlertStatus.triggered,
        created_time: created,
        cleared_time: cleared,
      },
      ...{ accept_time: confirmed?.at ?? null, accepted_by: confirmed?.by.accountId ?? null },
    })
    .execute();
  if (!cleared) return;
  const back = { msg: "Online again", rule_key: ruleKey.notification(deviceId, "online") };
  await db
    .insertInto("alerts")
    .values({ ...notification, ...back, status: AlertStatus.cleared, created_time: cleared, cleared_time: cleared })
    .execute();
};

/** Adds the alerts of all silent periods; returns the devices that are still silent. */
const recordSilences = async (
  db: Database,
  silences: readonly Silence[],
  plants: readonly Plant[],
): Promise<number[]> => {
  const gone: number[] = [];
  for (const silence of silences) {
    const device = await db
      .selectFrom("devices")
      .select(["device_id", "plant_id", "offline_report"])
      .where("device_sn_id", "=", silence.deviceSnId)
      .executeTakeFirst();
    const plant = plants.find(({ plantId }) => plantId === device?.plant_id);
    if (!device || !plant) continue;
    await recordSilence(db, silence, device, plant);
    if (silence.to !== null) continue;
    gone.push(device.device_id);
    const last = new Date(silence.from);
    await db
      .updateTable("devices")
      .set({ is_online: false, last_seen_time: last })
      .where("device_id", "=", device.device_id)
      .execute();
  }
  return gone;
};

/**
 * Completes the past as if users and server had been active: confirms alerts, adds offline alerts, and creates the notifications with their times.
 * `begun`: when the demonstration was created; later data is not changed.
 */
export const completePast = async (
  { db, bus, telemetry }: Needs,
  begun: Date,
  silences: readonly Silence[],
): Promise<void> => {
  // Writes pending last-seen times now, which would otherwise overwrite those of the silent devices.
  await telemetry.offlineWatch.run();
  const { plants, gone } = await db.transaction().execute(async (trx) => {
    const found = await plantsOf(trx, begun);
    for (const plant of found) await confirmPast(trx, plant);
    const silent = await recordSilences(trx, silences, found);
    await notifyPast(trx, begun);
    await recordPastWritten(trx, begun);
    return { plants: found, gone: silent };
  });
  for (const deviceId of gone) {
    const device = telemetry.registry.inMemory({ deviceId });
    if (device) device.isOnline = false;
  }
  // Of many devices: consoles fetch what they show.
  const message = { cmd: LiveCommand.dashboardChange };
  for (const { plantId } of plants) bus.emit("live", { plantId, message });
};
