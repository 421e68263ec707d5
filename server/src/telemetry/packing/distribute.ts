import type { ClientBase } from "pg";
import { groupIn, mark } from "../../readings/index.ts";
import { createMonth, monthOfHour, storedMonths } from "./months.ts";

/** Parts of each table: a number of servers that divides it gets about as many device groups each. Cannot be changed afterwards without moving all. */
const shards = 32;

/** The last migration that a whole database and one in parts have in common: see there. */
const lastOfWhole = "0040-in-parts.sql";

/**
 * Unmerged readings, chunks and versions have their group already, or know it from the device. Foreign keys from parts to the coordinator's tables are
 * impossible: what their cascades did, the trigger on `devices` does.
 */
const smallTables = `
  SELECT create_distributed_table('batches', 'device_group', colocate_with => 'none', shard_count => ${shards});
  SELECT create_distributed_table('chunks', 'device_group', colocate_with => 'batches');
  ALTER TABLE device_versions DROP CONSTRAINT device_versions_device_id_fkey, DROP CONSTRAINT device_versions_pkey, ADD COLUMN device_group smallint;
  UPDATE device_versions SET device_group = ${groupIn("device_id")};
  ALTER TABLE device_versions ALTER device_group SET NOT NULL, ADD PRIMARY KEY (device_group, device_id);
  SELECT create_distributed_table('device_versions', 'device_group', colocate_with => 'batches');
  CREATE TABLE ${mark} (id int PRIMARY KEY);
  SELECT citus_add_local_table_to_metadata('${mark}');`;

/** What was copied to the servers stays on the coordinator until it is removed. */
const freeTables = ["batches", "chunks", "device_versions"].map(
  (table) => `SELECT truncate_local_data_after_distributing_table('${table}')`,
);

/** Keyed by channel: the column by which they are spread is new, and comes with the copy. Channels of devices that are being removed are left out. */
const newSummaries = `
  ALTER TABLE hour_summaries RENAME TO hour_summaries_whole;
  ALTER INDEX hour_summaries_pkey RENAME TO hour_summaries_whole_pkey;
  CREATE TABLE hour_summaries (device_group smallint NOT NULL, LIKE hour_summaries_whole INCLUDING DEFAULTS, PRIMARY KEY (device_group, channel_id, hour));
  SELECT create_distributed_table('hour_summaries', 'device_group', colocate_with => 'batches');
  INSERT INTO hour_summaries SELECT ${groupIn("c.device_id")}, s.* FROM hour_summaries_whole s JOIN channels c USING (channel_id);
  DROP TABLE hour_summaries_whole;`;

const newPacked = `
  ALTER TABLE packed_hours RENAME TO packed_hours_whole;
  ALTER INDEX packed_hours_pkey RENAME TO packed_hours_whole_pkey;
  CREATE TABLE packed_hours (device_group smallint NOT NULL, LIKE packed_hours_whole INCLUDING DEFAULTS, PRIMARY KEY (device_group, channel_id, hour)) PARTITION BY RANGE (hour);
  SELECT create_distributed_table('packed_hours', 'device_group', colocate_with => 'batches');`;

const copyPacked = `
  INSERT INTO packed_hours SELECT ${groupIn("c.device_id")}, p.* FROM packed_hours_whole p JOIN channels c USING (channel_id)
   WHERE p.hour BETWEEN $1 AND $2`;

/** As in the migrations of a whole database, but group by group, each with its server alone. */
const functions = `
  CREATE OR REPLACE FUNCTION begin_device_versions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${mark} WHERE id = 0;
    INSERT INTO device_versions (device_group, device_id) VALUES (${groupIn("new.device_id")}, new.device_id);
    RETURN NULL;
  END $$;
  CREATE FUNCTION end_device_versions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM ${mark} WHERE id = 0;
    DELETE FROM device_versions WHERE device_group = ${groupIn("old.device_id")} AND device_id = old.device_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER end_versions AFTER DELETE ON devices FOR EACH ROW EXECUTE FUNCTION end_device_versions();
  CREATE OR REPLACE FUNCTION pass_fence(ids int[], expected bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    part   record;
    raised record;
    count  int;
  BEGIN
    FOR part IN SELECT ${groupIn("e.id")} AS device_group, array_agg(e.id ORDER BY e.id) AS ids, array_agg(e.version ORDER BY e.id) AS versions
                  FROM unnest(ids, expected) AS e(id, version) GROUP BY 1 ORDER BY 1 LOOP
      count := 0;
      FOR raised IN UPDATE device_versions SET version = version + 1 WHERE device_group = part.device_group AND device_id = ANY(part.ids)
                    RETURNING device_id, version LOOP
        count := count + 1;
        IF raised.version <> part.versions[array_position(part.ids, raised.device_id)] + 1 THEN
          RAISE EXCEPTION 'Device % has changed', raised.device_id USING ERRCODE = 'TT001';
        END IF;
      END LOOP;
      IF count < cardinality(part.ids) THEN
        RAISE foreign_key_violation USING MESSAGE = format('A device of group %s no longer exists', part.device_group);
      END IF;
    END LOOP;
  END $$;`;

/** One connection of a session to each server: with more, a transaction would see a server in several snapshots, and end there at several moments. */
const oneConnection = `
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET citus.max_adaptive_executor_pool_size = 1', current_database()); END $$`;

const hoursOf = "SELECT min(hour) AS first, max(hour) AS last FROM packed_hours_whole WHERE hour >= $1 AND hour < $2";
const firstHour = -2_147_483_648;

/** Month by month. What was packed before months were apart is divided, now that it is written anew. */
const copyMonths = async (client: ClientBase): Promise<void> => {
  const months = await storedMonths(client);
  for (const { table } of months) await client.query(`ALTER TABLE ${table} RENAME TO ${table}_whole`);
  await client.query(newPacked);
  for (const { from, to } of months) {
    const { rows } = await client.query<{ first: number | null; last: number | null }>(hoursOf, [
      from ?? firstHour,
      to,
    ]);
    const { first, last } = rows[0] ?? { first: null, last: null };
    if (first === null || last === null) continue;
    for (let month = monthOfHour(first); month <= monthOfHour(last); month++) await createMonth(client, month);
    await client.query(copyPacked, [first, last]);
  }
  await client.query("DROP TABLE packed_hours_whole");
};

/** Servers from before this one must not start on a database in parts. */
const unreadable = `UPDATE schema_migrations SET readable_since = NULL WHERE name = '${lastOfWhole}'`;

/** Settings of vacuum for a table's stored bytes, which Citus does not pass on when it spreads the table; as in the migrations. */
const vacuumOf = (table: string, settings: string): string => `
  SELECT success, result FROM run_command_on_shards('${table}', 'ALTER TABLE %s SET (toast.autovacuum_vacuum_cost_delay = 0, ${settings})') WHERE NOT success`;

const vacuums = [
  vacuumOf(
    "batches",
    "toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_insert_threshold = -1",
  ),
  vacuumOf("chunks", "toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000"),
];

/** How far the work has come. */
type Told = (step: string) => void;

/**
 * Spreads the readings of a whole database over the workers of its Citus, in one transaction: it is whole or in parts. No server may use the database
 * meanwhile. Needs about as much disk on the workers as the readings take on the coordinator, whose disk is free again at the end.
 */
export const distributeReadings = async (client: ClientBase, told: Told = () => undefined): Promise<void> => {
  await client.query("BEGIN");
  try {
    // Everything over one connection to each server, or the later steps would not see the earlier ones there.
    await client.query("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'");
    told("Unpacked readings and versions");
    await client.query(smallTables);
    for (const free of freeTables) await client.query(free);
    told("Summaries of hours");
    await client.query(newSummaries);
    told("Packed hours");
    await copyMonths(client);
    for (const statement of [functions, oneConnection, unreadable]) await client.query(statement);
    await client.query("COMMIT");
  } catch (fault) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw fault;
  }
  for (const statement of vacuums) {
    const { rows } = await client.query<{ result: string }>(statement);
    if (rows[0]) throw new Error(`The readings are spread, but a table could not be set up: ${rows[0].result}`);
  }
};
