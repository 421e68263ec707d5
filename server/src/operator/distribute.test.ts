import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { prepareSqlAccess } from "../modules/sql-access/prepare.ts";
import { migrate } from "../platform/database/migrate.ts";
import { openSession, tryLock } from "../platform/database/serving-lock.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../platform/database/test-database.ts";
import { findParts, groupOf, isInParts, serverCount, serverOf } from "../readings/index.ts";
import { distribute } from "./distribute.ts";

const workers = inject("workerUrls");
const quietly = () => undefined;

let database: TestDatabase;

const query = async <R extends pg.QueryResultRow>(text: string, url = database.url): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
};

describe("a database that cannot be distributed is told so in one line", () => {
  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrate(database.url);
  });
  afterAll(() => database.drop());

  test("without Citus", async () => {
    await expect(distribute(database.url, quietly)).rejects.toThrow("The database has no Citus: install it");
  });

  test("while a server uses it", async () => {
    const { client } = await openSession(database.url, "telltale process 1 on here");
    await tryLock(client, "alone");
    const refused = "Servers use the database (telltale process 1 on here): stop them first";
    await expect(distribute(database.url, quietly)).rejects.toThrow(refused);
    await client.end();
  });
});

/** On the servers of TEST_CITUS only. */
describe.skipIf(workers.length === 0)("on a PostgreSQL with Citus", () => {
  const place = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port}`;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrate(database.url);
  });
  afterAll(async () => {
    await database.drop();
    const whole = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: whole.url });
    await findParts(pool);
    await pool.end();
    await whole.drop();
  });

  test("it says what is missing, moves every row to its group's server, and does so once", async () => {
    await query("CREATE EXTENSION citus");
    await expect(distribute(database.url, quietly)).rejects.toThrow("citus_set_coordinator_host");
    await query(`SELECT citus_set_coordinator_host(${place(database.url)})`);
    await expect(distribute(database.url, quietly)).rejects.toThrow("Citus has no workers");
    for (const worker of workers) {
      const own = new URL(worker);
      own.pathname = new URL(database.url).pathname;
      await query("CREATE EXTENSION citus", own.href);
      await query(`SELECT citus_add_node(${place(worker)})`);
    }
    await query(`
      INSERT INTO devices (device_sn_id, device_sn, type_id, device_type, access_token, created_time) SELECT 'S' || i, 'X', 1, 1, 'T' || i, now() FROM generate_series(1, 40) AS i;
      INSERT INTO channels (device_id, channel_cn, channel_name, channel_type, group_name, position) SELECT device_id, 'AI1', '', 1, '', 1 FROM devices;
      CREATE TABLE packed_hours_2025_11 PARTITION OF packed_hours FOR VALUES FROM (489576) TO (490296);
      INSERT INTO packed_hours (channel_id, hour, count, steps, values) SELECT channel_id, 490000, 1, '{0}', '{1}' FROM channels;
      INSERT INTO hour_summaries (channel_id, hour, count, min, max, sum) SELECT channel_id, 490000, 1, 1, 1, 1 FROM channels;
      INSERT INTO chunks (device_group, device_id, hour, first_ts, last_ts, count, readings) SELECT (device_id >> 4) % 64, device_id, 1, 1, 1, 1, '' FROM devices;
      UPDATE device_versions SET version = device_id`);
    const servers = await distribute(database.url, quietly);
    expect(servers.map(({ groups }) => groups).reduce((sum, groups) => Number(sum) + Number(groups))).toBe(64);
    expect(servers).toHaveLength(workers.length);
    const pool = new pg.Pool({ connectionString: database.url });
    await findParts(pool);
    await pool.end();
    expect(isInParts()).toBe(true);
    expect(serverCount()).toBe(workers.length);
    expect(serverOf(1)).toBe(serverOf(groupOf(1) * 16));
    for (const table of ["packed_hours", "hour_summaries"]) {
      const rows = await query<{ right: number }>(
        `SELECT count(*)::int AS right FROM ${table} p, channels c WHERE c.channel_id = p.channel_id AND p.device_group = (c.device_id >> 4) % 64`,
      );
      expect(rows).toEqual([{ right: 40 }]);
    }
    expect(await query("SELECT count(*)::int AS n FROM chunks")).toEqual([{ n: 40 }]);
    expect(
      await query(
        "SELECT count(*)::int AS n FROM device_versions WHERE version = device_id AND device_group = (device_id >> 4) % 64",
      ),
    ).toEqual([{ n: 40 }]);
    const sqlAccess = prepareSqlAccess({ databaseUrl: database.url, adminUrl: database.url }, pool);
    await expect(sqlAccess).rejects.toThrow("SQL users cannot read a database in parts: leave out SQL_PORT");
    await query("DELETE FROM channels WHERE device_id = 5; DELETE FROM devices WHERE device_id = 5");
    expect(await query("SELECT FROM device_versions WHERE device_id = 5")).toEqual([]);
    await expect(distribute(database.url, quietly)).rejects.toThrow("in parts already");
    expect(await query("SELECT readable_since FROM schema_migrations WHERE name = '0040-in-parts.sql'")).toEqual([
      { readable_since: null },
    ]);
  });
});
