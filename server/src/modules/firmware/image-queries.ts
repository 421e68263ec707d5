import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Available } from "./version.rules.ts";

/** The images available for a P/N, locked against withdrawal until the transaction ends. */
export const imagesOf = async (db: Database, partNumber: string): Promise<(Available & { imageId: number })[]> => {
  const rows = await db
    .selectFrom("firmware_images")
    .select(["image_id as imageId", "version", "version_type as versionType"])
    .where("device_sn", "=", partNumber)
    .where("withdrawn_time", "is", null)
    .orderBy("version_order", "desc")
    .forShare()
    .execute();
  return rows;
};

/** Another P/N that has this version, for the error message. */
export const partNumberWith = async (db: Database, order: readonly number[]): Promise<string | undefined> =>
  (
    await db
      .selectFrom("firmware_images")
      .select("device_sn")
      .where("version_order", "=", sql<number[]>`${order}::int[]`)
      .where("withdrawn_time", "is", null)
      .orderBy("device_sn")
      .executeTakeFirst()
  )?.device_sn;

/** An image to store. */
export interface NewImage {
  partNumber: string;
  version: string;
  versionOrder: number[];
  versionType: number;
  /** Its path in the server's files. */
  file: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  addedBy: string;
  now: Date;
}

/** Stores an image; false when the P/N has this version already. */
export const saveImage = async (db: Database, image: NewImage): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("firmware_images")
    .values({
      device_sn: image.partNumber,
      version: image.version,
      version_order: image.versionOrder,
      version_type: image.versionType,
      file: image.file,
      size: image.size,
      sha256: image.sha256,
      added_by: image.addedBy,
      created_time: image.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** The offered images, with the number of devices updating to each. */
export const keptImages = (db: Database) =>
  db
    .selectFrom("firmware_images as i")
    .selectAll("i")
    .select(({ selectFrom, fn }) =>
      selectFrom("firmware_updates as u")
        .select(fn.countAll<number>().as("count"))
        .whereRef("u.image_id", "=", "i.image_id")
        .where("u.ended_time", "is", null)
        .as("under_way"),
    )
    .where("i.withdrawn_time", "is", null)
    .orderBy("i.device_sn")
    .orderBy("i.version_order")
    .execute();

/** Withdraws an image; returns its id and file, undefined when there is none. */
export const withdrawImage = (db: Database, partNumber: string, order: readonly number[], now: Date) =>
  db
    .updateTable("firmware_images")
    .set({ withdrawn_time: now })
    .where("device_sn", "=", partNumber)
    .where("version_order", "=", sql<number[]>`${order}::int[]`)
    .where("withdrawn_time", "is", null)
    .returning(["image_id", "version", "file"])
    .executeTakeFirst();
