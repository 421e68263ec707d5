import type { PoolClient } from "pg";
import { allowLongWork, longQuery } from "../../platform/database/long-work.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import type { World } from "../../world.ts";

const hour = 3_600_000;

/** Readings older than this, milliseconds, may belong to a month whose data package already exists. */
const lateAfter = 86_400_000;
/** Largest offsets of local time behind and ahead of UTC: a reading counts for every month that it falls into in any time zone. */
const mostBehind = 12 * hour;
const mostAhead = 14 * hour;

/**
 * Whether packing the hours from `from` on (since the epoch) may change a finished month; decided by the oldest hour. `now` in epoch milliseconds.
 */
const isLate = (from: number, now: number): boolean => from * hour < now - lateAfter;

const markMonths = `
  INSERT INTO late_months (device_id, month)
  SELECT DISTINCT c.device_id, m.month FROM channels c CROSS JOIN generate_series($2::int, $3::int) AS m(month) WHERE c.channel_id = ANY($1::int[])
  ON CONFLICT (device_id, month) DO UPDATE SET mark = DEFAULT`;

const monthAt = (ts: number): number => {
  const date = new Date(ts);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** Marks the months of these hours so that their data packages are regenerated for the devices of these channels. */
const markLateMonths = async (
  client: PoolClient,
  channelIds: readonly number[],
  [from, to]: readonly [number, number],
): Promise<void> => {
  const [first, last] = [monthAt(from * hour - mostBehind), monthAt(to * hour - 1 + mostAhead)];
  await client.query(longQuery(markMonths, [channelIds, first, last]));
};

/** Delay between the end of an hour and its packing, milliseconds, so that readings with ordinary delays still arrive before. */
const sealDelay = 10 * 60_000;
/** Readings from which an hour gets minute summaries; below, reading it whole is as cheap. */
const minuteSummaryFrom = 600;

/**
 * Moves the hot readings of the hours [$1, $2) into packed rows, merged with the existing rows of these hours. One statement, so that a reading is
 * always in exactly one place; DISTINCT removes readings that were stored twice.
 */
const packHours = `
WITH moved AS (
  DELETE FROM readings WHERE ts >= $1::bigint * ${hour} AND ts < $2::bigint * ${hour} RETURNING channel_id, ts, value, status
), touched AS (
  SELECT DISTINCT channel_id, (ts / ${hour})::int AS hour FROM moved
), merged AS (
  SELECT DISTINCT ON (channel_id, ts, value) channel_id, ts, value, status, (ts / ${hour})::int AS hour FROM (
    SELECT channel_id, ts, value, status FROM moved
    UNION ALL
    SELECT p.channel_id, p.hour::bigint * ${hour} + sum(u.step) OVER (PARTITION BY p.channel_id, p.hour ORDER BY u.place), u.value, coalesce(u.status, 1)
      FROM packed_hours p JOIN touched USING (channel_id, hour)
           CROSS JOIN LATERAL unnest(p.steps, p.values, p.statuses) WITH ORDINALITY AS u(step, value, status, place)
  ) AS every_reading ORDER BY channel_id, ts, value, status
), stepped AS (
  SELECT channel_id, hour, ts, value, status, (ts - coalesce(lag(ts) OVER (PARTITION BY channel_id, hour ORDER BY ts, value), hour::bigint * ${hour}))::int AS step FROM merged
), packed AS (
  SELECT channel_id, hour, count(*)::int AS count, min(value) AS min, max(value) AS max, sum(value) AS sum,
         array_agg(step ORDER BY ts, value) AS steps, array_agg(value ORDER BY ts, value) AS values,
         CASE WHEN bool_or(status <> 1) THEN array_agg(status ORDER BY ts, value) END AS statuses
    FROM stepped GROUP BY channel_id, hour
), minutes AS (
  SELECT s.channel_id, s.hour, ((s.ts / 60000) % 60)::int AS minute, count(*)::int AS count, min(s.value) AS min, max(s.value) AS max, avg(s.value) AS avg
    FROM stepped s JOIN packed p ON p.channel_id = s.channel_id AND p.hour = s.hour AND p.count >= ${minuteSummaryFrom} GROUP BY 1, 2, 3
), minute_rows AS (
  SELECT p.channel_id, p.hour, array_agg(coalesce(m.count, 0) ORDER BY g.minute) AS minute_counts, array_agg(m.min ORDER BY g.minute) AS minute_min,
         array_agg(m.max ORDER BY g.minute) AS minute_max, array_agg(m.avg ORDER BY g.minute) AS minute_avg
    FROM packed p CROSS JOIN generate_series(0, 59) AS g(minute) LEFT JOIN minutes m ON m.channel_id = p.channel_id AND m.hour = p.hour AND m.minute = g.minute
   WHERE p.count >= ${minuteSummaryFrom} GROUP BY 1, 2
)
INSERT INTO packed_hours (channel_id, hour, count, min, max, sum, minute_counts, minute_min, minute_max, minute_avg, steps, values, statuses)
SELECT p.channel_id, p.hour, p.count, p.min, p.max, p.sum, m.minute_counts, m.minute_min, m.minute_max, m.minute_avg, p.steps, p.values, p.statuses
  FROM packed p LEFT JOIN minute_rows m USING (channel_id, hour)
ON CONFLICT (channel_id, hour) DO UPDATE SET count = excluded.count, min = excluded.min, max = excluded.max, sum = excluded.sum,
  minute_count = NULL, minute_counts = excluded.minute_counts, minute_min = excluded.minute_min, minute_max = excluded.minute_max, minute_avg = excluded.minute_avg,
  steps = excluded.steps, values = excluded.values, statuses = excluded.statuses
RETURNING channel_id`;

/** Advisory lock of packing; an arbitrary number that must be the same in every version. */
const lockNumber = 8_021_977;

/**
 * Serialises packing until the transaction ends. Must be a statement of its own: the packing statement merges with the packed rows of its snapshot,
 * which is taken when the statement begins. A lock inside it would be granted under a snapshot that lacks the rows of the previous packing, and the
 * merged row would replace them.
 */
const lockPacking = (client: PoolClient) => client.query(longQuery("SELECT pg_advisory_xact_lock($1)", [lockNumber]));

/**
 * Packs every hot reading of the hours `from` to `to` (since the epoch, `to` excluded). Returns the number of packed rows written. At `now` (epoch
 * milliseconds), months with late readings are marked for new data packages.
 */
export const packHourRange = (pool: World["pool"], from: number, to: number, now = 0): Promise<number> => {
  const pack = async (client: PoolClient): Promise<number> => {
    await allowLongWork(client);
    await lockPacking(client);
    // Sorting an hour of many channels in memory is worth it; work_mem is otherwise small.
    await client.query("SET LOCAL work_mem = '64MB'");
    const { rows } = await client.query<{ channel_id: number }>(longQuery(packHours, [from, to]));
    const channelIds = rows.map((row) => row.channel_id);
    if (isLate(from, now)) await markLateMonths(client, channelIds, [from, to]);
    return rows.length;
  };
  // A higher default isolation level would take the snapshot before the lock.
  return inTransaction(pool, pack, "BEGIN ISOLATION LEVEL READ COMMITTED");
};

const hoursOfReadings = `SELECT DISTINCT (ts / ${hour})::int AS hour FROM readings`;

/** Hours with hot readings. Scans the whole table: called once, at the start. */
export const hotHours = (pool: World["pool"]): Promise<number[]> =>
  inTransaction(pool, async (client) => {
    await allowLongWork(client);
    const { rows } = await client.query<{ hour: number }>(longQuery(hoursOfReadings));
    return rows.map((row) => row.hour);
  });

/** Whether an hour (since the epoch) ended long enough ago to be packed. `now` in epoch milliseconds. */
export const isSealed = (hourNumber: number, now: number): boolean => (hourNumber + 1) * hour + sealDelay <= now;
