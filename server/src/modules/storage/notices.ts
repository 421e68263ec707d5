import { noticeDays } from "@telltale/contract/domains/readings/storage";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { ownersAndAdmins } from "../../access/index.ts";
import { type Letter, queueMail } from "../../notify/index.ts";
import { quoted, typedText } from "../../notify/letters/quoted.rules.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { World } from "../../world.ts";
import type { StorageUsage } from "./queries.ts";

const dayLength = 86_400_000;

interface Plant {
  name: string;
  time_zone_id: string;
}

const letterOf = (device: StorageUsage, plant: Plant, from: Date, publicUrl: string): Letter => ({
  subject: `Storage space is used up: ${typedText(device.device_name)}`,
  paragraphs: [
    `In ${quoted(plant.name)} the readings of a device need more than the ${device.storage_space} GB of storage space of its package.`,
    `From ${zoneOf(plant.time_zone_id).day(from)} on, its oldest readings become summaries of hours: minimum, maximum and mean stay, and charts show them, but single readings are gone for good. Until then you can download them, or buy a package with more storage space.`,
  ],
  facts: [["Device", `${typedText(device.device_name)} (${device.device_sn_id})`]],
  action: { label: "Open devices", url: `${publicUrl}/devices` },
  footnotes: ["You receive this because you are an owner or admin of this plant."],
});

/** Records that the storage space of a device is used up, and tells the owners and admins of its plant by mail. */
export const sendStorageNotice = (
  { db, clock, publicUrl }: Pick<World, "db" | "clock" | "publicUrl">,
  device: StorageUsage,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { device_id, plant_id: plantId, storage_space: gigabytes } = device;
    const noticed = { gigabytes, noticed_time: now };
    await trx
      .insertInto("storage_notices")
      .values({ device_id, ...noticed })
      .onConflict((conflict) => conflict.column("device_id").doUpdateSet(noticed))
      .execute();
    const plant = await trx
      .selectFrom("plants")
      .select(["name", "time_zone_id"])
      .where("plant_id", "=", plantId)
      .executeTakeFirstOrThrow();
    const from = new Date(now.getTime() + noticeDays * dayLength);
    const letter = letterOf(device, plant, from, publicUrl);
    for (const recipient of await ownersAndAdmins(trx, plantId))
      await queueMail(trx, { recipient, letter, now, plantId });
    await audit(trx, {
      plantId,
      userId: null,
      action: "readings.notice",
      detail: { deviceId: device_id, storageSpace: `${gigabytes} GB`, summarisedFrom: from.toISOString() },
      now,
    });
  });

export const withdrawStorageNotice = async (db: Database, deviceId: number): Promise<void> => {
  await db.deleteFrom("storage_notices").where("device_id", "=", deviceId).execute();
};
