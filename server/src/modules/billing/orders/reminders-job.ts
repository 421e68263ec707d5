import { zoneOf } from "@telltale/contract/text/wall-clock";
import { sql } from "kysely";
import { ownersAndAdmins } from "../../../access/index.ts";
import { type Letter, queueMail } from "../../../notify/index.ts";
import { quoted, typedText } from "../../../notify/letters/quoted.rules.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { createPeriodicJob, type PeriodicJob } from "../../../platform/jobs/periodic.ts";
import type { World } from "../../../world.ts";

/** A device whose service ends soon and for which no reminder was sent yet. */
export interface EndingService {
  plant_id: number;
  plant_name: string;
  time_zone_id: string;
  device_name: string;
  device_sn_id: string;
  service_end: Date;
}

/** Days before the end of a device's service at which a reminder is sent. */
const reminders = [30, 7, 1];

/**
 * Marks devices as reminded and returns them, soonest end first: each end is announced at most once per distance, and only for the nearest distance
 * reached. Call in the transaction that queues the mails.
 */
const takeReminders = async (db: Database, now: Date): Promise<EndingService[]> => {
  const { rows } = await sql<EndingService>`
    WITH due AS (
      SELECT device_id, expire_time AS service_end, min(days) AS days
        FROM devices CROSS JOIN unnest(${reminders}::smallint[]) AS days
       WHERE parent_device_id IS NULL AND plant_id IS NOT NULL AND expire_time > ${now}
         AND expire_time <= ${now}::timestamptz + days * interval '1 day'
       GROUP BY device_id, expire_time),
    notified AS (
      INSERT INTO service_reminders (device_id, service_end, days, created_time)
      SELECT device_id, service_end, days, ${now} FROM due ON CONFLICT DO NOTHING RETURNING device_id, service_end)
    SELECT d.plant_id, p.name AS plant_name, p.time_zone_id, d.device_name, d.device_sn_id, notified.service_end
      FROM notified JOIN devices d USING (device_id) JOIN plants p USING (plant_id)
     ORDER BY notified.service_end, d.device_id`.execute(db);
  return rows;
};

/** Devices listed in a letter; of further ones only the number is given. */
const named = 50;

const lineOf = ({ device_name, device_sn_id, service_end, time_zone_id }: EndingService): [string, string] => [
  `${typedText(device_name)} (${device_sn_id})`,
  `ends on ${zoneOf(time_zone_id).day(service_end)}`,
];

/** The reminder to owners and admins that services end soon. `devices` has at least one. */
const reminderLetter = (devices: readonly EndingService[], publicUrl: string): Letter => {
  const [first] = devices;
  const which = devices.length === 1 ? typedText(first?.device_name ?? "") : `${devices.length} devices`;
  const more = devices.length - named;
  const rest: [string, string][] = more > 0 ? [["", `and ${more} more`]] : [];
  return {
    subject: `Network services end soon: ${which}`,
    paragraphs: [
      `In ${quoted(first?.plant_name ?? "")} the network services of ${devices.length === 1 ? "a device end" : "some devices end"} soon.`,
      "Without a renewal live values and alerts stop then. Readings are stored for 30 more days, and settings stay as they are; paying brings everything back at once.",
    ],
    facts: [...devices.slice(0, named).map(lineOf), ...rest],
    action: { label: "Renew", url: `${publicUrl}/devices` },
    footnotes: ["You receive this because you are an owner or admin of this plant."],
  };
};

/** Interval of the job, milliseconds. */
const every = 3_600_000;

/** Creates the job that reminds owners and admins by mail before services end, one mail per plant. */
export const createServiceReminders = (
  world: Pick<World, "db" | "clock" | "log" | "metrics" | "node" | "publicUrl">,
): PeriodicJob => {
  const { db, clock, publicUrl } = world;
  const work = (): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const now = clock.date();
      const plants = Map.groupBy(await takeReminders(trx, now), (device) => device.plant_id);
      for (const [plantId, devices] of plants) {
        const letter = reminderLetter(devices, publicUrl);
        for (const recipient of await ownersAndAdmins(trx, plantId))
          await queueMail(trx, { recipient, letter, now, plantId });
      }
    });
  return createPeriodicJob({
    name: "service reminders",
    every,
    work,
    failureMessage: "Could not send reminders of ending services; trying again in an hour",
    world,
  });
};
