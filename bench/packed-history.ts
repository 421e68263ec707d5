import type { Pool } from "pg";
import { inTransaction } from "../server/src/platform/database/transaction.ts";
import { createMonths } from "../server/src/telemetry/packing/months.ts";
import { packedRow } from "../server/src/telemetry/packing/packed-row.ts";

const hourSeconds = 3_600;

/** An hour's readings, one every `seconds`: a slow wave with the noise of a sensor of twelve bits. */
const anHour = (hour: number, seconds: number) => {
  const times = Float64Array.from(
    { length: hourSeconds / seconds },
    (_, at) => (hour * hourSeconds + at * seconds) * 1_000,
  );
  const values = times.map((_, at) => {
    const value = 8 + 3 * Math.sin((at * seconds) / 900) + 0.02 * (Math.random() - 0.5);
    return Number((Math.round(value / 0.004) * 0.004).toFixed(3));
  });
  return { times, values, statuses: new Uint8Array(times.length).fill(1) };
};

const fill = `
  INSERT INTO packed_hours (channel_id, hour, count, minute_counts, minute_min, minute_max, minute_avg, steps, values, newest_of, newest)
  SELECT $1, h, $4, $5::int4[], $6::float8[], $7::float8[], $8::float8[], $9::int4[], $10::float8[], $11, $12 FROM generate_series($2::int, $3::int) AS h`;
const summarise = `
  INSERT INTO hour_summaries (channel_id, hour, count, min, max, sum)
  SELECT $1, h, 3600 / $4::int, 5 + (h % 17) / 100.0, 11 + (h % 13) / 100.0, 28800 / $4::int FROM generate_series($2::int, $3::int) AS h`;
const hoursAtOnce = 2_000;

/**
 * Fills hours (since the epoch) `first` to `last` of a channel with a reading every `seconds`, a divisor of 60, as the packing job writes them. Every
 * hour has the same noise, so that all have the same size.
 */
export const fillHours = async (
  pool: Pool,
  channelId: number,
  first: number,
  last: number,
  seconds = 1,
): Promise<void> => {
  const hours = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  await inTransaction(pool, (client) => createMonths(client, hours));
  const { count, minutes, steps, values, newest } = packedRow(channelId, first, anHour(first, seconds));
  const row = [
    ...[count, minutes?.counts ?? null, minutes?.min ?? null, minutes?.max ?? null, minutes?.avg ?? null],
    ...[steps, [...values], newest && count, newest],
  ];
  for (let from = first; from <= last; from += hoursAtOnce)
    await pool.query(fill, [channelId, from, Math.min(last, from + hoursAtOnce - 1), ...row]);
  await pool.query(summarise, [channelId, first, last, seconds]);
};
