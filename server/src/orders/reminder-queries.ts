import { sql } from "kysely";
import type { Database } from "../world.ts";

/** A device whose service ends soon and whose people have not been told so yet. */
export interface EndingService {
  plant_id: number;
  plant_name: string;
  time_zone_id: string;
  device_name: string;
  device_sn_id: string;
  service_end: Date;
}

/** How many days before the end of a device's service its people are reminded. */
const reminders = [30, 7, 1];

/**
 * Notes that the people of devices are reminded now, and gives these devices, soonest end first: each end is announced at most once for
 * each distance, and only at the nearest one that it has come to. Call it in the transaction that writes the mails.
 */
export const takeReminders = async (db: Database, now: Date): Promise<EndingService[]> => {
  const { rows } = await sql<EndingService>`
    WITH due AS (
      SELECT device_id, expire_time AS service_end, min(days) AS days
        FROM devices CROSS JOIN unnest(${reminders}::smallint[]) AS days
       WHERE parent_device_id IS NULL AND plant_id IS NOT NULL AND expire_time > ${now}
         AND expire_time <= ${now}::timestamptz + days * interval '1 day'
       GROUP BY device_id, expire_time),
    told AS (
      INSERT INTO service_reminders (device_id, service_end, days, created_time)
      SELECT device_id, service_end, days, ${now} FROM due ON CONFLICT DO NOTHING RETURNING device_id, service_end)
    SELECT d.plant_id, p.name AS plant_name, p.time_zone_id, d.device_name, d.device_sn_id, told.service_end
      FROM told JOIN devices d USING (device_id) JOIN plants p USING (plant_id)
     ORDER BY told.service_end, d.device_id`.execute(db);
  return rows;
};
