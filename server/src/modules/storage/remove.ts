import { setTimeout as pause } from "node:timers/promises";
import { inTransaction } from "../../platform/database/transaction.ts";
import { inPlace, type Place, placeOf } from "../../readings/index.ts";
import { dropMonth, firstHourOf, monthOfHour, type StoredMonth, storedMonths } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";

type Needs = Pick<World, "pool" | "log">;

/** Pause after each statement, milliseconds, which leaves the database to other work. */
const rest = 20;

/**
 * Whether a device keeps readings of a range of months. $1 and $2: first and last month, years * 12 + months from 0; $3: the hour at which they end. A
 * late reading that was packed into an hour that is about to go does not count.
 */
const isInUse = `
  SELECT EXISTS (SELECT FROM stored_months m JOIN devices d USING (device_id) WHERE m.month BETWEEN $1 AND $2 AND m.readings > 0
                    AND (d.readings_from IS NULL OR d.readings_from < to_timestamp($3::float8 * 3600))) AS is`;

/** Drops a month of which no device keeps readings; returns whether. */
const dropUnused = async ({ pool }: Needs, month: StoredMonth): Promise<boolean> => {
  const months = [month.from === null ? 0 : monthOfHour(month.from), monthOfHour(month.to - 1), month.to];
  const isUnused = async (client: Pick<World["pool"], "query"> = pool): Promise<boolean> =>
    (await client.query<{ is: boolean }>(isInUse, months)).rows[0]?.is === false;
  if (!(await isUnused())) return false;
  return inTransaction(pool, (client) => dropMonth(client, month, () => isUnused(client)));
};

const summarisedDevices = `
  SELECT ceil(extract(epoch FROM d.readings_from) / 3600)::int AS hour, array_agg(c.channel_id) AS channels
    FROM devices d JOIN channels c USING (device_id) WHERE d.readings_from > to_timestamp($1::float8 * 3600)
   GROUP BY d.device_id ORDER BY d.device_id`;

const removeSome = (place?: Place): string => `
  DELETE FROM packed_hours p
   USING (SELECT channel_id, hour FROM packed_hours WHERE channel_id = ANY($1::int4[]) AND hour < $2${inPlace(place)} LIMIT 500) AS part
   WHERE p.channel_id = part.channel_id AND p.hour = part.hour AND p.hour < $2${inPlace(place, "p")}`;

const lockWasTaken = "55P03";

/**
 * Removes the rows of readings that have become summaries. A month that no device keeps is dropped, and its disk space is free at once; of other
 * months rows are deleted in small steps, and their space is used again by later readings.
 */
export const removeSummarised = async (needs: Needs, isStopping: () => boolean): Promise<void> => {
  const months = await storedMonths(needs.pool);
  const kept: StoredMonth[] = [];
  for (const month of months) {
    const isDropped = await dropUnused(needs, month).catch((fault: { code?: string }) => {
      if (fault.code === lockWasTaken) return false;
      throw fault;
    });
    if (isDropped)
      needs.log.info(
        { month: month.table },
        "The packed readings of a month were dropped; summaries of their hours stay",
      );
    else kept.push(month);
  }
  const oldest = kept[0];
  if (!oldest) return;
  const { rows } = await needs.pool.query<{ hour: number; channels: number[] }>(summarisedDevices, [
    oldest.from ?? firstHourOf(0),
  ]);
  for (const { channels, hour } of rows) {
    const statement = removeSome(await placeOf(needs.pool, channels[0] ?? 0));
    while (!isStopping() && ((await needs.pool.query(statement, [channels, hour])).rowCount ?? 0) > 0)
      await pause(rest);
  }
};
