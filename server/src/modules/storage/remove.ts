import { setTimeout as pause } from "node:timers/promises";
import { inTransaction } from "../../platform/database/transaction.ts";
import { codeOf, collectFaults, type Faults } from "../../platform/fault.ts";
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

const lockWasTaken = "55P03";

/** What became of a month. `left`: nobody keeps it any more, but something reads it, and it goes with the next run. */
type Outcome = "dropped" | "left" | "used";

/** Drops a month of which no device keeps readings. */
const dropUnused = async ({ pool }: Needs, month: StoredMonth): Promise<Outcome> => {
  const months = [month.from === null ? 0 : monthOfHour(month.from), monthOfHour(month.to - 1), month.to];
  const isUnused = async (client: Pick<World["pool"], "query"> = pool): Promise<boolean> =>
    (await client.query<{ is: boolean }>(isInUse, months)).rows[0]?.is === false;
  if (!(await isUnused())) return "used";
  try {
    const isDropped = await inTransaction(pool, (client) => dropMonth(client, month, () => isUnused(client)));
    return isDropped ? "dropped" : "used";
  } catch (fault) {
    if (codeOf(fault) === lockWasTaken) return "left";
    throw fault;
  }
};

/** Hours since the epoch, `to` excluded. */
interface Span {
  from: number;
  to: number;
}

/**
 * Drops the months of which no device keeps readings. Returns the spans of the others, without those that are left to the next run: deleting their rows one
 * by one, while a backup holds its locks for hours, would take long and free nothing.
 */
const dropMonths = async (needs: Needs, faults: Faults): Promise<Span[]> => {
  const used: Span[] = [];
  let isAdjacent = false;
  for (const month of await storedMonths(needs.pool)) {
    const { table, from, to } = month;
    const outcome = await faults.of(table, () => dropUnused(needs, month));
    const last = used.at(-1);
    if (outcome === "dropped")
      needs.log.info({ month: table }, "The packed readings of a month were dropped; summaries of their hours stay");
    else if (outcome === "used" && last && isAdjacent) last.to = to;
    else if (outcome === "used") used.push({ from: from ?? firstHourOf(0), to });
    if (outcome !== "dropped") isAdjacent = outcome === "used";
  }
  return used;
};

const summarisedDevices = `
  SELECT d.device_id, ceil(extract(epoch FROM d.readings_from) / 3600)::int AS hour, array_agg(c.channel_id) AS channels
    FROM devices d JOIN channels c USING (device_id) WHERE d.readings_from > to_timestamp($1::float8 * 3600)
   GROUP BY d.device_id ORDER BY d.device_id`;

const removeSome = (place?: Place): string => `
  DELETE FROM packed_hours p
   USING (SELECT channel_id, hour FROM packed_hours
           WHERE channel_id = ANY($1::int4[]) AND hour >= $2 AND hour < $3${inPlace(place)} LIMIT 500) AS part
   WHERE p.channel_id = part.channel_id AND p.hour = part.hour AND p.hour >= $2 AND p.hour < $3${inPlace(place, "p")}`;

/** Deletes the rows of channels of one device in a span of hours, in small steps. */
const removeRows = async (
  { pool }: Needs,
  channels: readonly number[],
  { from, to }: Span,
  isStopping: () => boolean,
): Promise<void> => {
  const statement = removeSome(await placeOf(pool, channels[0] ?? 0));
  while (!isStopping() && ((await pool.query(statement, [channels, from, to])).rowCount ?? 0) > 0) await pause(rest);
};

/**
 * Removes the rows of readings that have become summaries. A month that no device keeps is dropped, and its disk space is free at once; of other
 * months rows are deleted in small steps, and their space is used again by later readings. What fails is left to the next run, and told in the end.
 */
export const removeSummarised = async (needs: Needs, isStopping: () => boolean): Promise<void> => {
  const faults = collectFaults();
  const used = await dropMonths(needs, faults);
  const [oldest] = used;
  const { rows } = oldest
    ? await needs.pool.query<{ device_id: number; hour: number; channels: number[] }>(summarisedDevices, [oldest.from])
    : { rows: [] };
  for (const { device_id, channels, hour } of rows)
    await faults.of(`Device ${device_id}`, async () => {
      for (const { from, to } of used)
        if (from < hour) await removeRows(needs, channels, { from, to: Math.min(to, hour) }, isStopping);
    });
  faults.throwFirst();
};
