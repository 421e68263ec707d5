import { once } from "node:events";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner } from "../../test/test-people.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { sqlNamesOf } from "./names.ts";
import { prepareSqlAccess } from "./prepare.ts";
import { addSqlUser, removeSqlUser } from "./users.ts";

let world: TestWorld;
let access: TestSqlAccess;
let plantId: number;
let user: string;
let password: string;
let sql: pg.Client;
let number = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  world = await createTestWorld();
  // Longer than a test: what is ended here is ended for another reason.
  access = await openTestSqlAccess(world, {}, { statement: 120, transaction: 120 });
  const owner = await anOwner(world);
  plantId = owner.plantId;
  await aDevice(world, owner);
});
beforeEach(async () => {
  number += 1;
  user = `attacker_${number}_${Date.now() % 100_000}`;
  password = await addSqlUser(world, access.place, { plantId, name: user, madeBy: "Olaf" });
  sql = await access.enter(user, password);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await sql.end().catch(() => undefined);
});
afterAll(() => access.close());

const patient = { timeout: 15_000 };

const asAdmin = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> => {
  const admin = new pg.Client({ connectionString: access.place.adminUrl });
  await admin.connect();
  try {
    return (await admin.query<T>(text, values)).rows;
  } finally {
    await admin.end();
  }
};

describe("a SQL user takes nothing that the server itself needs", () => {
  test.each([
    ["locks, which are few and of all databases", "SELECT pg_advisory_lock(n) FROM generate_series(1, 1000000) AS n"],
    ["locks of a transaction", "SELECT pg_try_advisory_xact_lock_shared(n, 1) FROM generate_series(1, 1000000) AS n"],
    ["the disk, by large objects", "SELECT lo_from_bytea(0, repeat('x', 1000000)::bytea)"],
    ["the disk, by an empty large object that it writes", "SELECT lo_creat(-1)"],
    ["the disk, by PostgreSQL's log of changes", "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000))"],
    ["the disk, by snapshots", "SELECT pg_export_snapshot()"],
  ])("%s", async (_what, statement) => {
    await sql.query("SET default_transaction_read_only = off");
    await expect(sql.query(statement)).rejects.toThrow("permission denied");
  });

  test.each(["log_min_messages", "log_min_error_statement"])(
    "the disk, by PostgreSQL's log of errors and warnings: %s",
    async (setting) => {
      expect((await sql.query(`SHOW ${setting}`)).rows[0]?.[setting]).toMatch(/fatal|panic/);
      await expect(sql.query(`SET ${setting} = 'debug1'`)).rejects.toThrow("permission denied");
    },
  );

  test("a user of before gets the limits that a newer version has", async () => {
    const { offered } = sqlNamesOf(world.url);
    await asAdmin(`ALTER ROLE ${user} IN DATABASE ${offered} RESET ALL`);
    await prepareSqlAccess(access.place, world.pool);
    const again = await access.enter(user, password);
    expect((await again.query("SHOW temp_file_limit")).rows).toEqual([{ temp_file_limit: "1GB" }]);
    await again.end();
  });

  test("the queue of notices: whoever listens in a transaction, so that it is not emptied, is ended", async () => {
    const listener = await access.enter(user, password);
    const ended = new Promise((resolve) => listener.once("end", resolve));
    await listener.query("LISTEN flood");
    await listener.query("SET idle_in_transaction_session_timeout = 0; BEGIN");
    await sql.query("SELECT pg_notify('flood', n || repeat('x', 7900)) FROM generate_series(1, 1500) AS n");
    await ended;
    await expect
      .poll(async () => (await asAdmin("SELECT pg_notification_queue_usage() < 0.001 AS free"))[0], patient)
      .toEqual({ free: true });
  });

  test("the memory, by workers of its statement", async () => {
    for (const setting of [
      "debug_parallel_query = on",
      "max_parallel_workers_per_gather = 2",
      "parallel_leader_participation = off",
      "parallel_setup_cost = 0",
      "parallel_tuple_cost = 0",
      "min_parallel_table_scan_size = 0",
      "work_mem = '8GB'",
      "statement_timeout = 0",
    ])
      await sql.query(`SET ${setting}`);
    const greedy =
      "SELECT count(*) FROM (SELECT repeat('x', 2000) || a.oid || b.oid AS t FROM pg_proc a, pg_proc b ORDER BY t) AS s";
    await expect(sql.query(greedy)).rejects.toThrow(/terminat/);
  });
});

describe("clients that never prove who they are keep no SQL user out", () => {
  const startPacket = (database: string): Buffer => {
    const body = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(body.length + head.length, 0);
    head.writeInt32BE(196_608, 4);
    return Buffer.concat([head, body]);
  };

  /** Connections that send this, and end their side never. */
  const stayOpen = (count: number, sent: Buffer) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect({ port: access.port, host: "127.0.0.1", allowHalfOpen: true });
        socket.on("error", () => undefined);
        sockets.push(socket);
        await once(socket, "connect");
        if (sent.length === 0) return;
        socket.write(sent);
        await Promise.race([once(socket, "data"), once(socket, "end"), once(socket, "close")]);
      }),
    );

  test.each([
    ["say nothing", 30, () => Buffer.alloc(0)],
    ["are refused and stay", 30, () => startPacket("postgres")],
    ["know a name and no password", 30, () => startPacket(sqlNamesOf(world.url).offered)],
  ])("those that %s", async (_what, count, sent) => {
    await stayOpen(count, sent());
    const client = await access.enter(user, password);
    expect((await client.query("SELECT count(*) FROM devices")).rows).toEqual([{ count: "1" }]);
    await client.end();
  });

  test("more than ten sessions there are not, also when they enter at once", async () => {
    const others = [user];
    const passwords = new Map([[user, password]]);
    for (const name of [`${user}_b`, `${user}_c`, `${user}_d`]) {
      passwords.set(name, await addSqlUser(world, access.place, { plantId, name, madeBy: "Olaf" }));
      others.push(name);
    }
    const tries = others.flatMap((name) => Array.from({ length: 4 }, () => name));
    const entered = await Promise.allSettled(
      tries.map(async (name) => {
        const client = await access.enter(name, passwords.get(name) ?? "");
        await client.query("SELECT 1");
        return client;
      }),
    );
    const open = entered.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    // One was open already.
    expect(open.length).toBeLessThanOrEqual(9);
    for (const client of open) await client.end();
  });
});

test("a SQL user that has left default privileges behind can be removed, and the server prepared again", async () => {
  await sql.query("SET default_transaction_read_only = off");
  await sql.query("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC");
  await removeSqlUser(world, access.place, { name: user, madeBy: "Olaf" });
  expect(await asAdmin("SELECT rolname FROM pg_roles WHERE rolname = $1", [user])).toEqual([]);
  await prepareSqlAccess(access.place, world.pool);
});
