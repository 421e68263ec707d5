import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "./bench-database.ts";
import { withServer } from "./bench-server.ts";

export const deviceCount = 100_000;
export const alertCount = 10_000_000;

/** As many devices as a large plant has; four of five are sub-devices of the fifth. Rows are copies of the first device's. */
const fillDevices = `
  INSERT INTO devices (device_sn_id, device_sn, access_token, type_id, device_type, plant_id, parent_device_id, device_name, created_time, claimed_time,
                       expire_time, last_seen_time, is_online)
  SELECT 'B' || n, 'AIS-' || n, 'bench-' || n, 1, CASE WHEN n % 5 = 0 THEN 1 ELSE 2 END, $1, NULL, 'Pump ' || n, now(), now() - n * interval '1 second',
         now() + interval '1 year', CASE WHEN n % 7 > 0 THEN now() END, n % 11 > 0
    FROM generate_series(1, $2::int) AS n`;
const nameMasters = `
  UPDATE devices sub SET parent_device_id = master.device_id FROM devices master
   WHERE sub.plant_id = $1 AND sub.device_type = 2 AND master.device_sn_id = 'B' || (substr(sub.device_sn_id, 2)::int / 5 + 1) * 5`;

const fillAlerts = `
  INSERT INTO alerts (plant_id, device_id, alarm_class, alarm_type, status, value, threshold, report_interval, created_time, accept_time, cleared_time, rule_key)
  SELECT $1, $2 + n % $3, 1 + n % 4, 1 + n % 6, CASE WHEN n % 1000 = 0 THEN 1 WHEN n % 100 = 0 THEN 2 ELSE 3 END, n % 100, 90, CASE WHEN n % 10007 = 0 THEN 5 ELSE 60 END,
         now() - ($4::int - n) * interval '3 seconds',
         CASE WHEN n % 1000 > 0 THEN now() - ($4::int - n) * interval '3 seconds' + interval '1 minute' END,
         CASE WHEN n % 100 > 0 THEN now() - ($4::int - n) * interval '3 seconds' + interval '1 hour' END, CASE WHEN n % 100 = 0 THEN 'open:' || n ELSE 'bench:' || n % 5000 END
    FROM generate_series($5::int, $6::int) AS n`;
const alertsAtOnce = 500_000;

interface Index {
  name: string;
  definition: string;
}

const indexesOfAlerts = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'alerts' AND indexname <> 'alerts_pkey'`;

/** Drops the indexes, writes, and recreates them, which takes a fraction of the time. */
const withoutIndexes = async (pool: Pool, write: () => Promise<void>): Promise<void> => {
  const { rows } = await pool.query<Index>(indexesOfAlerts);
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
  await write();
  for (const { definition } of rows) await pool.query(definition);
};

/** Fills a plant with the longest lists: its devices and their alert log. */
const fillLongLists = async (pool: Pool, plantId: number): Promise<void> => {
  await pool.query(fillDevices, [plantId, deviceCount]);
  await pool.query(nameMasters, [plantId]);
  const { rows } = await pool.query<{ first: number }>(
    "SELECT min(device_id) AS first FROM devices WHERE device_sn_id LIKE 'B%'",
  );
  await withoutIndexes(pool, async () => {
    for (let from = 1; from <= alertCount; from += alertsAtOnce)
      await pool.query(fillAlerts, [plantId, rows[0]?.first, deviceCount, alertCount, from, from + alertsAtOnce - 1]);
  });
  await pool.query("VACUUM ANALYZE");
};

/** A server whose plant has the longest lists, and the ids to query them with. */
export interface LongLists {
  baseURL: string;
  pool: Pool;
  plantId: number;
  token: string;
}

/** Runs `work` with a server whose plant has the longest lists. */
export const withLongLists = <T>(work: (lists: LongLists) => Promise<T>): Promise<T> =>
  withDatabaseUrl((url) =>
    withServer(
      1,
      ({ baseURL, signIn }) =>
        withPool(url, async (pool) => {
          const { token, accountId: plantId } = await signIn();
          await fillLongLists(pool, plantId);
          return work({ baseURL, pool, plantId, token });
        }),
      { DATABASE_URL: url },
    ),
  );
