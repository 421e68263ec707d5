import { AlertStatus } from "@telltale/contract/alerts";
import { ReadingStatus } from "@telltale/contract/channels";
import { sql } from "kysely";
import type { Database } from "../world.ts";

/**
 * Clears all that is open about a device and its channels. In the writer's order, the newest readings before their alerts before the device's own
 * row, so that neither ever waits for the other in a circle.
 */
export const closeAlertsOfDevice = async (db: Database, deviceId: number, now: Date): Promise<void> => {
  const ofDevice = sql<boolean>`channel_id in (select channel_id from channels where device_id = ${deviceId})`;
  await db.selectFrom("latest").select("channel_id").where(ofDevice).orderBy("channel_id").forUpdate().execute();
  await db
    .updateTable("alerts")
    // The device's clock may be ahead of ours.
    .set({ status: AlertStatus.cleared, cleared_time: sql<Date>`greatest(created_time, ${now}::timestamptz)` })
    .where("device_id", "=", deviceId)
    .where("cleared_time", "is", null)
    .execute();
  await db
    .updateTable("latest")
    .set({ status: ReadingStatus.good })
    .where(ofDevice)
    .where("status", "=", ReadingStatus.alarm)
    .execute();
};
