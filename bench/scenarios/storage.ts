import type { Pool } from "pg";
import { withDatabase } from "../bench-database.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { packStored, type Series, storeReadings } from "../stored-readings.ts";

const channels = 24;
const hours = 6;
const hour = 3_600_000;

/** A device of its own, whose channels need no rows: packing knows them by their readings. */
const deviceId = 1;

/** Numbers between 0 and 1 from a seed, so that every run stores the same data. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/**
 * Signals of a 12-bit transmitter at 1 Hz with some time jitter: a slow wave, noise of a few steps, and a third of channels that are contacts or
 * counters.
 */
const seriesOf = (channelId: number, firstHour: number): Series => {
  const random = randomFrom(channelId);
  return {
    deviceId,
    channelId,
    timeOf: (n) => firstHour * hour + n * 1000 + (n % 97 === 0 ? 3 : 0),
    valueOf: (n) => {
      if (channelId % 6 === 0) return Math.floor(n / 613) % 2;
      if (channelId % 6 === 1) return Math.floor(n / 7);
      return Math.round((8 + 3 * Math.sin(n / 900 + channelId) + 0.02 * (random() - 0.5)) / 0.004) * 0.004;
    },
  };
};

const plainRows = `
  CREATE TABLE plain (channel_id int NOT NULL, ts bigint NOT NULL, value float8 NOT NULL, status smallint NOT NULL, PRIMARY KEY (channel_id, ts, value));
  INSERT INTO plain SELECT c, $1::bigint + s * 1000, random(), 1 FROM generate_series(1, $2::int) AS c, generate_series(0, $3::int - 1) AS s`;

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
    const firstHour = Math.floor(Date.now() / 86_400_000) * 24;
    const readings = channels * hours * 3600;
    const [create, fill] = plainRows.split(";");
    await pool.query(create ?? "");
    await pool.query(fill ?? "", [firstHour * hour, channels, hours * 3600]);
    const plain = (await sizeOf(pool, "plain")) / readings;
    for (let channelId = 1; channelId <= channels; channelId++)
      for (let at = 0; at < hours * 3600; at += 600)
        await storeReadings(pool, seriesOf(channelId, firstHour), at, at + 600);
    const start = performance.now();
    await packStored(pool, deviceId, firstHour, firstHour + hours);
    const seconds = (performance.now() - start) / 1000;
    await pool.query("VACUUM FULL packed_hours");
    const packed = ((await sizeOf(pool, "packed\\_hours%")) + (await sizeOf(pool, "hour_summaries"))) / readings;
    return [
      {
        name: "bytes a reading, packed, with indexes",
        goal: "<= 4",
        measured: fixed(packed, 2, "bytes"),
        baseline: `plain rows: ${fixed(plain, 1, "bytes")}`,
        ratio: ratio(packed, plain),
      },
      {
        name: "merging and packing",
        goal: "",
        measured: count(readings / seconds, "readings/s"),
        baseline: "",
        ratio: "",
      },
    ];
  });
