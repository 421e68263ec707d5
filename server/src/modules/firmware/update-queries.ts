import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { UpdateStep } from "@telltale/contract/domains/firmware";
import { raise, ruleKey } from "../../alarms/index.ts";
import { notify } from "../../platform/bus/device-notices.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

const open = (db: Database) =>
  db
    .selectFrom("firmware_updates as u")
    .innerJoin("firmware_images as i", "i.image_id", "u.image_id")
    .innerJoin("devices as d", "d.device_id", "u.device_id")
    .select(["u.update_id", "u.plant_id", "u.device_id", "u.step", "u.chunk_size", "u.chunks_sent", "u.heard_time"])
    .select(["i.image_id", "i.device_sn", "i.version", "i.file", "i.size", "i.sha256"])
    .select(["d.periodicity", "d.firmware_version"])
    .where("u.ended_time", "is", null);

/** An open update with its image. */
export type OpenUpdate = Awaited<ReturnType<ReturnType<typeof open>["executeTakeFirstOrThrow"]>>;

/** The open update of a device. */
export const openUpdate = (db: Database, deviceId: number): Promise<OpenUpdate | undefined> =>
  open(db).where("u.device_id", "=", deviceId).executeTakeFirst();

/** The same, locked until the transaction ends. */
export const lockedUpdate = (db: Database, deviceId: number): Promise<OpenUpdate | undefined> =>
  open(db).where("u.device_id", "=", deviceId).forUpdate("u").executeTakeFirst();

/** Updates without news since `before`, locked; rows locked by others are skipped. */
export const silentUpdates = (db: Database, before: Date): Promise<OpenUpdate[]> =>
  open(db).where("u.heard_time", "<", before).forUpdate("u").skipLocked().orderBy("u.heard_time").limit(200).execute();

/** The open updates to this image. */
export const updatesGiving = (db: Database, imageId: number): Promise<OpenUpdate[]> =>
  open(db).where("u.image_id", "=", imageId).forUpdate("u").execute();

interface NewUpdate {
  plantId: number;
  deviceId: number;
  imageId: number;
  fromVersion: string | null;
  userId: number;
  now: Date;
}

/** Creates an update, which offers the image. False when the device has an open update. */
export const insertUpdate = async (db: Database, update: NewUpdate): Promise<boolean> => {
  const { plantId, deviceId, imageId, fromVersion, userId, now } = update;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("firmware_updates")
    .values({
      plant_id: plantId,
      device_id: deviceId,
      image_id: imageId,
      from_version: fromVersion,
      asked_by: userId,
      created_time: now,
      heard_time: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** Records the last chunk sent. False when the update has ended meanwhile. */
export const recordChunk = async (
  db: Database,
  updateId: number,
  { chunk, chunkSize, now }: { chunk: number; chunkSize: number; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("firmware_updates")
    .set({ step: UpdateStep.downloading, chunk_size: chunkSize, chunks_sent: chunk + 1, heard_time: now })
    .where("update_id", "=", updateId)
    .where("ended_time", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Records that the device still fetches what it was sent last. */
export const recordFetching = async (db: Database, updateId: number, now: Date): Promise<void> => {
  await db
    .updateTable("firmware_updates")
    .set({ heard_time: now })
    .where("update_id", "=", updateId)
    .where("ended_time", "is", null)
    .execute();
};

/** Records the progress reported by a device. */
export const recordStep = async (db: Database, updateId: number, step: UpdateStep, now: Date): Promise<void> => {
  await db.updateTable("firmware_updates").set({ step, heard_time: now }).where("update_id", "=", updateId).execute();
};

/** Ends an update, installed or failed: writes the notification, and notifies device and consoles after the commit. Call in a transaction. */
export const endUpdate = async (db: Database, update: OpenUpdate, failure: string | null, now: Date): Promise<void> => {
  const { update_id, plant_id: plantId, device_id: deviceId, version } = update;
  await db
    .updateTable("firmware_updates")
    .set({ ended_time: now, failure, heard_time: now })
    .where("update_id", "=", update_id)
    .execute();
  const msg = failure === null ? `Firmware updated to ${version}` : `Firmware update to ${version} failed: ${failure}`;
  const at = now.getTime();
  const event = {
    plantId,
    deviceId,
    alarmClass: AlertClass.notification,
    alarmType: AlertType.system,
    msg: msg.slice(0, 500),
    at,
    clearedAt: at,
    key: ruleKey.notification(deviceId, "firmware"),
  };
  await raise(runIn(db), [event], at);
  await notify(db, { plantId, deviceId });
};
