import type { Pool } from "pg";
import { systemClock } from "../../server/src/platform/clock.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { packHourRange } from "../../server/src/telemetry/history/packing.ts";
import { keepPartitions } from "../../server/src/telemetry/history/partitions.ts";
import { withDatabase } from "../bench-database.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";

const channels = 24;
const hours = 6;
const hour = 3_600_000;

/**
 * Signals of a 12-bit transmitter at 1 Hz with some time jitter: a slow wave, noise of a few steps, and a third of channels that are contacts or
 * counters. Seeded, so that every run stores the same data.
 */
const fill = `
  INSERT INTO readings (channel_id, ts, value, status)
  SELECT c, $1::bigint + s * 1000 + CASE WHEN s % 97 = 0 THEN 3 ELSE 0 END,
         CASE WHEN c % 6 = 0 THEN (s / 613) % 2
              WHEN c % 6 = 1 THEN s / 7
              ELSE round((8 + 3 * sin(s / 900.0 + c) + 0.02 * (random() - 0.5))::numeric / 0.004) * 0.004 END, 1
    FROM generate_series(1, ${channels}) AS c, generate_series(0, ${hours * 3600 - 1}) AS s`;

const sizeOf = async (pool: Pool, like: string): Promise<number> => {
  const { rows } = await pool.query<{ bytes: number }>(
    "SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class WHERE relkind = 'r' AND relname LIKE $1",
    [like],
  );
  return rows[0]?.bytes ?? 0;
};

/** Bytes per reading including indexes, hot and packed; and the packing rate. */
export const storage = (): Promise<Figure[]> =>
  withDatabase(async (pool) => {
    await keepPartitions({ pool, clock: systemClock, log: createLog("error") });
    const firstHour = Math.floor(systemClock.now() / 86_400_000) * 24;
    await pool.query("SELECT setseed(0.42)");
    await pool.query(fill, [firstHour * hour]);
    const readings = channels * hours * 3600;
    const plain = (await sizeOf(pool, "readings%")) / readings;
    const start = performance.now();
    for (let at = firstHour; at < firstHour + hours; at++) await packHourRange(pool, at, at + 1);
    const seconds = (performance.now() - start) / 1000;
    await pool.query("VACUUM FULL packed_hours");
    const packed = (await sizeOf(pool, "packed_hours")) / readings;
    return [
      {
        name: "bytes a reading, packed, with indexes",
        goal: "<= 4",
        measured: fixed(packed, 2, "bytes"),
        baseline: `plain rows: ${fixed(plain, 1, "bytes")}`,
        ratio: ratio(packed, plain),
      },
      { name: "packing", goal: "", measured: count(readings / seconds, "readings/s"), baseline: "", ratio: "" },
    ];
  });
