import { sql } from "kysely";
import { audit } from "../../../platform/database/audit.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import type { Caller } from "../../../platform/http/caller.ts";

/** Reads a device of the plant and locks it until the transaction ends; undefined when the plant has no such device. */
export const lockedDevice = (db: Database, plantId: number, deviceId: number) =>
  db
    .selectFrom("devices")
    .selectAll()
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .forNoKeyUpdate()
    .executeTakeFirst();

export type LockedDevice = NonNullable<Awaited<ReturnType<typeof lockedDevice>>>;

/** Fields of a change, which also raises the version. */
interface Changed {
  device_name?: string;
  offline_report?: number;
  periodicity?: number;
}

/** Updates a device's configuration; returns the new version. */
export const changeDevice = async (db: Database, deviceId: number, changed: Changed): Promise<number> => {
  const { version } = await db
    .updateTable("devices")
    .set({ ...changed, version: sql<number>`version + 1` })
    .where("device_id", "=", deviceId)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
};

interface Change {
  caller: Pick<Caller, "plantId" | "userId">;
  deviceId: number;
  action: string;
  detail?: Record<string, unknown>;
  now: Date;
}

/** Adds an audit entry for a device. */
export const record = async (db: Database, { caller, deviceId, action, detail, now }: Change): Promise<void> => {
  const { plantId, userId } = caller;
  await audit(db, { plantId, userId, action, detail: { deviceId, ...detail }, now });
};
