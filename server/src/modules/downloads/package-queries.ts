import { devicesInScope, type Scope } from "../../access/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Packages of devices in the account's scope. */
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

/** One package; undefined when it is not in the account's scope. */
export const packageById = (db: Database, scope: Scope, packageId: number): Promise<PackageRow | undefined> =>
  packagesInScope(db, scope).where("package.package_id", "=", packageId).executeTakeFirst();

export interface DueDevice {
  device_id: number;
  time_zone_id: string;
  /** The next undecided month; null when none has been decided. */
  next_month: number | null;
  last_seen_time: Date | null;
}

/** A batch of devices after `afterId` with an undecided month before `month`, ordered by id. */
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
    .select(["devices.device_id", "devices.time_zone_id", "devices.last_seen_time", "progress.next_month"])
    .execute();

/** The newest mark of late readings; 0 when there is none. */
export const newestLateMark = async (db: Database): Promise<number> => {
  const newest = await db
    .selectFrom("late_months")
    .select(({ fn }) => fn.max("mark").as("mark"))
    .executeTakeFirst();
  return newest?.mark ?? 0;
};

/** The mark of a device's month with late readings; undefined without. */
export const lateMarkOf = async (db: Database, deviceId: number, month: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom("late_months")
      .select("mark")
      .where("device_id", "=", deviceId)
      .where("month", "=", month)
      .executeTakeFirst()
  )?.mark;

/** Time before which the device's readings are no longer kept, epoch milliseconds; -Infinity when all are. */
export const keptFrom = async (db: Database, deviceId: number): Promise<number> => {
  const device = await db
    .selectFrom("devices")
    .select("readings_from")
    .where("device_id", "=", deviceId)
    .executeTakeFirst();
  return device?.readings_from?.getTime() ?? Number.NEGATIVE_INFINITY;
};

/** Months of a device's packages that end before this time. */
export const packagesBefore = async (db: Database, deviceId: number, before: Date): Promise<number[]> => {
  const rows = await db
    .selectFrom("monthly_packages")
    .where("device_id", "=", deviceId)
    .where("end_time", "<", before)
    .select("month")
    .execute();
  return rows.map(({ month }) => month);
};

/** Removes the entries of a device's packages of these months. */
export const removePackages = async (db: Database, deviceId: number, months: readonly number[]): Promise<void> => {
  await db.deleteFrom("monthly_packages").where("device_id", "=", deviceId).where("month", "in", months).execute();
};

/** Whether the device has a package of this month. */
export const hasPackage = async (db: Database, deviceId: number, month: number): Promise<boolean> =>
  (await db
    .selectFrom("monthly_packages")
    .select("package_id")
    .where("device_id", "=", deviceId)
    .where("month", "=", month)
    .executeTakeFirst()) !== undefined;

/** State of a device's months: first undecided month, months with a package, months with late readings. */
export const monthsOf = async (db: Database, deviceId: number) => {
  const [progress, made, late] = await Promise.all([
    db.selectFrom("package_progress").select("next_month").where("device_id", "=", deviceId).executeTakeFirst(),
    db.selectFrom("monthly_packages").select("month").where("device_id", "=", deviceId).execute(),
    db.selectFrom("late_months").select("month").where("device_id", "=", deviceId).execute(),
  ]);
  return {
    next: progress?.next_month,
    made: new Set(made.map(({ month }) => month)),
    late: new Set(late.map(({ month }) => month)),
  };
};

/** A batch of decided months with late readings, ordered by mark: those after `after`, up to `last`. */
export const lateMonths = (db: Database, after: number, last: number) =>
  db
    .selectFrom("late_months as late")
    .innerJoin("package_progress as progress", "progress.device_id", "late.device_id")
    .innerJoin("devices", "devices.device_id", "late.device_id")
    .where("devices.plant_id", "is not", null)
    .whereRef("late.month", "<", "progress.next_month")
    .where("late.mark", ">", after)
    .where("late.mark", "<=", last)
    .orderBy("late.mark")
    .limit(500)
    .select(["late.device_id", "late.month", "late.mark", "devices.time_zone_id"])
    .execute();

interface DecidedMonth {
  deviceId: number;
  month: number;
  /** The month's mark before its readings were read; undefined without late readings. */
  lateMark: number | undefined;
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

/** Records that all months before `month` are decided: their readings that arrive from now on are late. */
export const saveProgress = async (db: Database, deviceId: number, month: number): Promise<void> => {
  await db
    .insertInto("package_progress")
    .values({ device_id: deviceId, next_month: month })
    .onConflict((conflict) =>
      conflict.column("device_id").doUpdateSet({ next_month: month }).where("package_progress.next_month", "<", month),
    )
    .execute();
};

/** Records a decided month; idempotent. If late readings have set a new mark meanwhile, it will be processed again. */
export const saveMonth = (db: Database, decided: DecidedMonth, now: Date): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await savePackage(trx, decided, now);
    await saveProgress(trx, decided.deviceId, decided.month + 1);
    if (decided.lateMark !== undefined)
      await trx
        .deleteFrom("late_months")
        .where("device_id", "=", decided.deviceId)
        .where("month", "=", decided.month)
        .where("mark", "=", decided.lateMark)
        .execute();
  });
