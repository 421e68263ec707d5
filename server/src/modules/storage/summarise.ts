import { sql } from "kysely";
import { notify } from "../../platform/bus/device-notices.ts";
import { audit } from "../../platform/database/audit.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { collectFaults, type Faults } from "../../platform/fault.ts";
import { groupOf, mergeDevices, mergeNow, raiseVersions } from "../../readings/index.ts";
import { firstHourOf, monthOfHour, packHours } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";

type Needs = Pick<World, "db" | "pool" | "clock" | "log" | "metrics">;

const hourLength = 3_600_000;

const hoursToPack = `
  SELECT DISTINCT hour FROM chunks WHERE device_group = $1 AND device_id = $2 AND hour < $3 AND damage IS NULL ORDER BY hour`;

/**
 * Readings that have only just arrived count, too, before their hours become summaries. An hour that cannot be packed, because its packed row is damaged,
 * is left out, or its device's readings would be kept for ever: its late readings are added to its summary when the row has gone.
 */
const packBefore = async (
  { pool, clock, log, metrics }: Needs,
  { deviceId, hour }: Pick<Summarised, "deviceId" | "hour">,
  faults: Faults,
): Promise<void> => {
  await mergeNow({ pool, log, metrics }, [deviceId]);
  const { rows } = await pool.query<{ hour: number }>(hoursToPack, [groupOf(deviceId), deviceId, hour]);
  for (const { hour: from } of rows)
    await faults.of(`packing of the hour from ${new Date(from * hourLength).toISOString()}`, () =>
      packHours(pool, { deviceId, from, to: from + 1 }, clock.now()),
    );
};

const storedReadings = async (db: Database, deviceId: number): Promise<number> => {
  const stored = await db
    .selectFrom("stored_months")
    .where("device_id", "=", deviceId)
    .select(sql<number>`coalesce(sum(readings), 0)::float8`.as("readings"))
    .executeTakeFirstOrThrow();
  return stored.readings;
};

/** Takes the readings before `hour` off the device's stored months. */
const recount = async (db: Database, deviceId: number, hour: number): Promise<void> => {
  const month = monthOfHour(hour);
  await db.deleteFrom("stored_months").where("device_id", "=", deviceId).where("month", "<", month).execute();
  await sql`
    UPDATE stored_months SET readings = coalesce((
      SELECT sum(s.count) FROM hour_summaries s JOIN channels c USING (channel_id)
       WHERE c.device_id = ${deviceId} AND s.hour >= ${hour} AND s.hour < ${firstHourOf(month + 1)}), 0)
     WHERE device_id = ${deviceId} AND month = ${month}`.execute(db);
};

/** Up to which hour (since the epoch) a device's readings become summaries, and why, in the words of the audit log. */
export interface Summarised {
  deviceId: number;
  hour: number;
  because: string;
  /** Asked within the transaction: somebody may have decided otherwise since the job looked, and what has become a summary stays one. */
  isStillDue?: (db: Database) => Promise<boolean>;
}

/**
 * Makes summaries of hours of all readings of a device before an hour, for good: they do not count as stored any more, and ones that arrive are
 * refused. Their rows go afterwards: see `removeSummarised`. Returns the number of readings; the audit log says so, with the reason. Throws in the end when
 * late readings of an hour could not be counted.
 */
export const summariseBefore = async (
  world: Needs,
  { deviceId, hour, because, isStillDue }: Summarised,
): Promise<number> => {
  const faults = collectFaults();
  await packBefore(world, { deviceId, hour }, faults);
  const summarised = await world.db.transaction().execute(async (trx) => {
    // Whoever writes readings of this device learns from its version that older ones are refused from now on.
    await raiseVersions(runIn(trx), [deviceId]);
    if (isStillDue && !(await isStillDue(trx))) return 0;
    await mergeDevices(runIn(trx), [deviceId]);
    const until = new Date(hour * hourLength);
    const device = await trx
      .updateTable("devices")
      .set({ readings_from: until })
      .where("device_id", "=", deviceId)
      .where(({ eb, or }) => or([eb("readings_from", "is", null), eb("readings_from", "<", until)]))
      .returning("plant_id")
      .executeTakeFirst();
    if (!device) return 0;
    const before = await storedReadings(trx, deviceId);
    await recount(trx, deviceId, hour);
    const readings = before - (await storedReadings(trx, deviceId));
    if (device.plant_id !== null) await notify(trx, { plantId: device.plant_id, deviceId });
    if (readings > 0 && device.plant_id !== null)
      await audit(trx, {
        plantId: device.plant_id,
        userId: null,
        action: "readings.summarise",
        detail: { deviceId, readings, until: until.toISOString(), because },
        now: world.clock.date(),
      });
    return readings;
  });
  faults.throwFirst();
  return summarised;
};
