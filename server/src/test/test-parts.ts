import pg from "pg";
import { createTestDatabase, type TestDatabase } from "../platform/database/test-database.ts";
import { findParts } from "../readings/index.ts";
import { distributeReadings } from "../telemetry/index.ts";
import type { DeviceWorld } from "./device-world.ts";

/** What Telltale uses of Citus, on one PostgreSQL: device groups are said to be on two servers in turns, and stay where they are. */
const pretendedCitus = `
  CREATE FUNCTION create_distributed_table(name text, part text, colocate_with text DEFAULT '', shard_count int DEFAULT 0) RETURNS void LANGUAGE sql AS '';
  CREATE FUNCTION truncate_local_data_after_distributing_table(name text) RETURNS void LANGUAGE sql AS '';
  CREATE FUNCTION citus_add_local_table_to_metadata(name text) RETURNS void LANGUAGE sql AS '';
  CREATE FUNCTION run_command_on_shards(name text, command text) RETURNS TABLE (success boolean, result text) LANGUAGE sql AS $$ SELECT true, '' WHERE false $$;
  CREATE FUNCTION get_shard_id_for_distribution_column(name text, part smallint) RETURNS bigint LANGUAGE sql AS $$ SELECT part::bigint $$;
  CREATE TABLE pg_dist_placement AS SELECT g::bigint AS shardid, 1 + g % 2 AS groupid FROM generate_series(0, 63) AS g;
  CREATE TABLE pg_dist_node AS SELECT g AS groupid, 'worker-' || g AS nodename, 5432 AS nodeport, 'primary' AS noderole FROM generate_series(1, 2) AS g`;

/** While another session has the lock 1, no statement about a version that the second server keeps gets an answer. */
const hangingServer = `
  CREATE FUNCTION answers(part smallint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    IF part % 2 = 1 THEN PERFORM pg_advisory_xact_lock_shared(1); END IF;
    RETURN true;
  END $$;
  ALTER TABLE device_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY answers ON device_versions USING (answers(device_group))`;

/** Without Citus its setting of the database, which is for connections to workers, cannot be set. */
const withoutSetting = (client: pg.Client): pg.ClientBase =>
  new Proxy(client, {
    get: (target, key) =>
      key === "query"
        ? async (text: string, values?: unknown[]) =>
            text.includes("ALTER DATABASE") ? { rows: [] } : target.query(text, values)
        : Reflect.get(target, key),
  });

/** A database whose statements and lanes are those of one in parts, on a PostgreSQL without Citus. */
export interface PretendedParts extends TestDatabase {
  /** Has the server with the number 1 give no answer, until the returned function is called. */
  hang(): Promise<() => Promise<void>>;
}

/** Creates such a database. Its `drop` makes this process's database whole again. */
export const pretendParts = async (): Promise<PretendedParts> => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(pretendedCitus);
  await distributeReadings(withoutSetting(client));
  await client.query(hangingServer);
  return {
    url,
    hang: async () => {
      await client.query("SELECT pg_advisory_lock(1)");
      return async () => void (await client.query("SELECT pg_advisory_unlock(1)"));
    },
    drop: async () => {
      await client.query("DROP TABLE both_sides");
      await findParts(client);
      await client.end();
      await drop();
    },
  };
};

/** A device for which `fits` holds, among new ones. */
export const aDeviceThat = async (
  world: DeviceWorld,
  fits: (id: number) => boolean,
  wanted: Parameters<DeviceWorld["device"]>[0] = {},
) => {
  for (;;) {
    const device = await world.device(wanted);
    if (fits(device.deviceId)) return device;
    // The devices of a group have neighbouring ids.
    await world.pool.query("SELECT nextval(pg_get_serial_sequence('devices', 'device_id')) FROM generate_series(1, 7)");
  }
};
