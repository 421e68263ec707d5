import { devicesInScope, type Scope } from "../devices/scope-queries.ts";
import type { Database } from "../world.ts";

/** The packages of the devices that the account may see. */
const packagesInScope = (db: Database, scope: Scope) =>
  devicesInScope(db, scope)
    .innerJoin("monthly_packages as package", "package.device_id", "devices.device_id")
    .select(["package.package_id", "package.month", "package.start_time", "package.end_time"])
    .select(["devices.device_id", "devices.device_name", "devices.device_sn_id", "devices.time_zone_id"])
    .orderBy("package.month", "desc");

export type PackageRow = Awaited<ReturnType<ReturnType<typeof packagesInScope>["executeTakeFirstOrThrow"]>>;

/** A device's packages, newest first. */
export const packagesOf = (db: Database, scope: Scope, deviceId: number): Promise<PackageRow[]> =>
  packagesInScope(db, scope).where("package.device_id", "=", deviceId).execute();

/** One package; undefined when it is not the account's to see. */
export const packageById = (db: Database, scope: Scope, packageId: number): Promise<PackageRow | undefined> =>
  packagesInScope(db, scope).where("package.package_id", "=", packageId).executeTakeFirst();

export interface DueDevice {
  device_id: number;
  time_zone_id: string;
  /** The next month that nothing is decided about; null when no month is. */
  next_month: number | null;
  late_count: number;
}

/** Some devices after `afterId` for which a month before `month` is not decided yet, in the order of their ids. */
export const devicesWithDuePackages = (db: Database, month: number, afterId: number): Promise<DueDevice[]> =>
  db
    .selectFrom("devices")
    .leftJoin("package_progress as progress", "progress.device_id", "devices.device_id")
    .where("devices.plant_id", "is not", null)
    .where("devices.first_seen_time", "is not", null)
    .where("devices.device_id", ">", afterId)
    .where(({ eb, or }) => or([eb("progress.next_month", "is", null), eb("progress.next_month", "<", month)]))
    .orderBy("devices.device_id")
    .limit(500)
    .select(["devices.device_id", "devices.time_zone_id", "progress.next_month"])
    .select(({ fn, lit }) => fn.coalesce("progress.late_count", lit(0)).as("late_count"))
    .execute();

interface DecidedMonth {
  deviceId: number;
  month: number;
  /** `late_count` before the month was looked at. */
  lateCount: number;
  /** Undefined when the month has no reading. */
  built?: { startTime: Date; endTime: Date; bytes: number };
}

const savePackage = async (db: Database, { deviceId, month, built }: DecidedMonth, now: Date): Promise<void> => {
  if (!built) return;
  const { startTime, endTime, bytes } = built;
  await db
    .insertInto("monthly_packages")
    .values({ device_id: deviceId, month, start_time: startTime, end_time: endTime, bytes, created_time: now })
    .onConflict((conflict) => conflict.columns(["device_id", "month"]).doUpdateSet({ bytes, created_time: now }))
    .execute();
};

/**
 * Writes down that a month of a device is done; repeating it changes nothing. Gives false when readings came late meanwhile: the month then
 * stays to be done.
 */
export const saveMonth = (db: Database, decided: DecidedMonth, now: Date): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await savePackage(trx, decided, now);
    const next_month = decided.month + 1;
    const { numInsertedOrUpdatedRows: written } = await trx
      .insertInto("package_progress")
      .values({ device_id: decided.deviceId, next_month })
      .onConflict((conflict) =>
        conflict
          .column("device_id")
          .doUpdateSet({ next_month })
          .where("package_progress.late_count", "=", decided.lateCount),
      )
      .executeTakeFirstOrThrow();
    return written === 1n;
  });
