import { deviceLimits } from "@telltale/contract/device-api";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mergeNow } from "../../readings/index.ts";
import { chartOf, readingsInOrder } from "../../telemetry/index.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { prepareSqlAccess } from "./prepare.ts";
import { addSqlUser, listSqlUsers, removeSqlUser } from "./users.ts";

let world: TestWorld;
let access: TestSqlAccess;
let owner: Person;
let device: TestDevice;
let foreign: TestDevice;
let sql: pg.Client;

const hour = 3_600_000;
const start = Math.floor(Date.UTC(2026, 4, 4) / hour);
let number = 0;

const aUser = async ({ plantId }: { plantId: number }) => {
  number += 1;
  const name = `reader_${number}_${Date.now() % 100_000}`;
  return { name, password: await addSqlUser(world, access.place, { plantId, name, madeBy: "Olaf" }) };
};

beforeAll(async () => {
  world = await createTestWorld();
  access = await openTestSqlAccess(world);
  owner = await anOwner(world);
  device = await aDevice(world, owner, { name: "Pump house" });
  const other = await anOwner(world);
  foreign = await aDevice(world, other);
  const { name, password } = await aUser(owner);
  sql = await access.enter(name, password);
});
afterAll(() => access.close());

const ai1 = (of = device): number => Number(of.channels.AI1);

const rowsOf = async (text: string, values: unknown[] = [], client = sql) => (await client.query(text, values)).rows;

const readingsBySql = (channelId: number, from: number, to: number) =>
  rowsOf(`SELECT (extract(epoch FROM "time") * 1000)::float8 AS ts, value, status FROM telltale_readings($1, $2, $3)`, [
    channelId,
    new Date(from),
    new Date(to),
  ]);

const readingsByServer = async (channelId: number, from: number, to: number) => {
  const all = [];
  for await (const batch of readingsInOrder(world, [channelId], from, to)) all.push(...batch);
  return all.map(({ ts, value, status }) => ({ ts, value, status: ["Alarm", "Good", "No data"][status] }));
};

describe("a SQL user reads its plant", () => {
  test("devices and channels by name", async () => {
    expect(await rowsOf("SELECT name, unit_id, serial FROM devices")).toEqual([
      { name: "Pump house", unit_id: device.deviceSnId, serial: null },
    ]);
    expect(await rowsOf("SELECT device, code FROM channels WHERE channel_id = $1", [ai1()])).toEqual([
      { device: "Pump house", code: "AI1" },
    ]);
  });

  const values = fc.oneof(
    fc.integer({ min: -1_000, max: 100_000 }),
    fc.integer({ min: -100_000, max: 100_000 }).map((n) => n / 100),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    // What the server takes: the sum of larger ones is no number any more.
    fc.double({ noNaN: true, min: -deviceLimits.magnitude, max: deviceLimits.magnitude }),
  );
  /** Messages of readings between which the server merges or packs; offsets in seconds within four hours. */
  const history = fc.array(
    fc.record({
      readings: fc.array(fc.tuple(fc.nat(4 * 3_600), values, fc.constantFrom(0, 1)), { minLength: 1, maxLength: 30 }),
      after: fc.constantFrom("nothing", "merged", "packed"),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test("every reading exactly as lists and exports have it, from wherever it is stored", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (messages) => {
        const own = await aDevice(world, owner);
        const channelId = ai1(own);
        for (const { readings, after } of messages) {
          const told = readings.map(([at, value, status]) => [start * hour + at * 1_000, value, status] as const);
          await writeReadings(world, channelId, told);
          if (after === "merged") await mergeNow(world, [own.deviceId]);
          if (after === "packed") await packRange(world.pool, start, start + 5);
        }
        const range = [start * hour, (start + 5) * hour] as const;
        const expected = await readingsByServer(channelId, ...range);
        expect(await readingsBySql(channelId, ...range)).toEqual(expected);
        const chart = await rowsOf("SELECT min, max, count FROM telltale_chart($1, $2, $3, $4)", [
          channelId,
          new Date(range[0]),
          new Date(range[1]),
          3,
        ]);
        expect(chart.reduce((sum, { count }) => sum + Number(count), 0)).toBe(expected.length);
        expect(Math.max(...chart.map(({ max }) => max))).toBe(Math.max(...expected.map(({ value }) => value)));
        expect(Math.min(...chart.map(({ min }) => min))).toBe(Math.min(...expected.map(({ value }) => value)));
      }),
      { numRuns: 40 },
    );
  });

  test("a chart of any length has the extremes of the console's", async () => {
    const own = await aDevice(world, owner);
    const channelId = ai1(own);
    for (let at = 0; at < 60; at++) {
      const readings = Array.from({ length: 720 }, (_, n) => {
        const ts = (start + at) * hour + n * 5_000;
        return [ts, Math.round(Math.sin(ts / 1e7) * 1_000) / 100] as const;
      });
      await writeReadings(world, channelId, readings);
    }
    await packRange(world.pool, start, start + 58);
    const [from, to] = [start * hour + 1_234_000, (start + 60) * hour - 77_000];
    const all = await readingsByServer(channelId, from, to);
    for (const points of [1, 7, 200, 2_000]) {
      const line = await chartOf(world.pool, channelId, from, to, 2 * points);
      const chart = await rowsOf("SELECT * FROM telltale_chart($1, $2, $3, $4)", [
        channelId,
        new Date(from),
        new Date(to),
        points,
      ]);
      expect(Math.max(...chart.map(({ max }) => max))).toBe(Math.max(...line.ys));
      expect(Math.min(...chart.map(({ min }) => min))).toBe(Math.min(...line.ys));
      expect(chart.reduce((sum, { count }) => sum + Number(count), 0)).toBe(all.length);
      const mean = chart.reduce((sum, { avg, count }) => sum + avg * Number(count), 0) / all.length;
      expect(mean).toBeCloseTo(all.reduce((sum, { value }) => sum + value, 0) / all.length, 6);
      expect(chart.length).toBeLessThanOrEqual(points + 1);
    }
  });

  test("a row of a chart has the readings from its time to the next row's, wherever the range begins", async () => {
    const own = await aDevice(world, owner);
    const channelId = ai1(own);
    for (let at = 0; at < 30; at++)
      await writeReadings(
        world,
        channelId,
        Array.from({ length: 360 }, (_, n) => [(start + at) * hour + n * 10_000, at * 360 + n] as const),
      );
    await packRange(world.pool, start, start + 29);
    const [from, to] = [start * hour + 1_528_278, (start + 29) * hour + 1_528_278];
    const all = await readingsByServer(channelId, from, to);
    for (const points of [1, 29, 300, 1_000]) {
      const chart = await rowsOf("SELECT * FROM telltale_chart($1, $2, $3, $4)", [
        channelId,
        new Date(from),
        new Date(to),
        points,
      ]);
      const begins = chart.map(({ time }) => new Date(time).getTime());
      for (const [at, { min, max, count }] of chart.entries()) {
        const held = all.filter(
          ({ ts }) => ts >= (begins[at] ?? 0) && ts < (begins[at + 1] ?? Number.POSITIVE_INFINITY),
        );
        expect([min, max, Number(count)]).toEqual([held.at(0)?.value, held.at(-1)?.value, held.length]);
      }
    }
  });

  test("joined with others, as BI programs ask", async () => {
    await writeReadings(world, ai1(), [[start * hour, 4.5]]);
    const joined = await rowsOf(
      `SELECT c.device, c.code, r.value FROM channels c CROSS JOIN LATERAL telltale_readings(c.channel_id, '2026-05-04T00:00Z', '2026-05-04T01:00Z') r WHERE c.device = 'Pump house'`,
    );
    expect(joined).toEqual([{ device: "Pump house", code: "AI1", value: 4.5 }]);
  });
});

test.each(["0", "-3", "NULL"])("a chart of %s points is refused in words", async (points) => {
  await expect(rowsOf(`SELECT * FROM telltale_chart($1, now(), now(), ${points})`, [ai1()])).rejects.toThrow(
    `A chart of ${points} points is none: give 1 or more`,
  );
});

describe("a SQL user gets no further than its plant", () => {
  test("another plant's channel is refused by name, as is one that is nowhere", async () => {
    await expect(readingsBySql(ai1(foreign), start * hour, start * hour)).rejects.toThrow(
      `Your plant has no channel ${ai1(foreign)}`,
    );
    await expect(rowsOf("SELECT * FROM telltale_chart(987654321, now(), now(), 10)")).rejects.toThrow(
      "Your plant has no channel 987654321",
    );
  });

  test.each([
    ["Telltale's own database", { database: "own" }],
    ["PostgreSQL's own database", { database: "postgres" }],
  ])("%s is closed to it", async (_name, { database }) => {
    const { name, password } = await aUser(owner);
    const wanted = database === "own" ? new URL(world.url).pathname.slice(1) : database;
    await expect(access.enter(name, password, { database: wanted })).rejects.toThrow("there is no other for them");
  });

  test("PostgreSQL's own roles cannot be tried at its port", async () => {
    for (const user of ["postgres", "telltale", new URL(world.url).username])
      await expect(access.enter(user, "guessed")).rejects.toThrow("password authentication failed");
  });

  test.each([
    ["the connection behind the functions", "SELECT * FROM private.dblink('own', 'SELECT 1') AS t(a int)"],
    ["that connection's password", "SELECT umoptions FROM pg_user_mappings WHERE umoptions IS NOT NULL"],
    ["writing", "CREATE TABLE telltale.mine (a int)"],
    ["temporary tables", "SET default_transaction_read_only = off; CREATE TEMP TABLE mine (a int)"],
    ["files of the server", "SELECT pg_read_file('/etc/passwd')"],
    ["programs of the server", "COPY (SELECT 1) TO PROGRAM 'cat'"],
    ["another role", "SET SESSION AUTHORIZATION postgres"],
    ["the owner's role", "SET ROLE telltale"],
  ])("it cannot reach %s", async (what, statement) => {
    const answer = sql.query(statement);
    if (what.endsWith("password")) expect((await answer).rows).toEqual([]);
    else await expect(answer).rejects.toThrow(/denied|must be|cannot|does not exist|read-only|permission/);
    await sql.query("SET default_transaction_read_only = on");
  });

  test("a notice that it sends does not reach Telltale's database", async () => {
    const mine = await world.pool.connect();
    let heard = 0;
    mine.on("notification", () => {
      heard += 1;
    });
    await mine.query("LISTEN telltale_device_change");
    await sql.query("NOTIFY telltale_device_change, 'forged'");
    await mine.query("SELECT 1");
    expect(heard).toBe(0);
    mine.release(true);
  });

  test("quotes in a moment or a name are data", async () => {
    await expect(rowsOf(`SELECT * FROM telltale_alerts('''; SELECT 1; --', now())`)).rejects.toThrow("invalid input");
    await sql.query(`SET datestyle = 'German'`);
    expect(await readingsBySql(ai1(), start * hour, start * hour + 1)).toHaveLength(1);
    await sql.query("RESET datestyle");
  });
});

describe("a SQL user is known and can be removed", () => {
  test("its last use is noted, from where", async () => {
    const { name, password } = await aUser(owner);
    await access.enter(name, password);
    await expect
      .poll(async () => (await listSqlUsers(world)).find((user) => user.name === name))
      .toMatchObject({ from: "127.0.0.1", lastUsed: world.clock.date(), createdBy: "Olaf" });
  });

  test("a wrong password is refused, and is no use", async () => {
    const { name } = await aUser(owner);
    await expect(access.enter(name, "wrong")).rejects.toThrow("password authentication failed");
    expect((await listSqlUsers(world)).find((user) => user.name === name)).toMatchObject({ lastUsed: null });
  });

  test("removed, its sessions end at once and it does not enter again", async () => {
    const { name, password } = await aUser(owner);
    const client = await access.enter(name, password);
    const ended = new Promise((resolve) => client.once("end", resolve));
    await removeSqlUser(world, access.place, { name, madeBy: "Olaf" });
    await ended;
    await expect(access.enter(name, password)).rejects.toThrow("password authentication failed");
    await expect(removeSqlUser(world, access.place, { name, madeBy: "Olaf" })).rejects.toThrow(
      `There is no SQL user ${name}`,
    );
  });

  test.each(["postgres", "pg_mine", "Grafana", "x", "a-b"])("%s is no name for one", async (name) => {
    const { plantId } = owner;
    await expect(addSqlUser(world, access.place, { plantId, name, madeBy: "Olaf" })).rejects.toThrow(name);
  });

  test("it is made again with its password where its role is missing, as after a restore", async () => {
    const { name, password } = await aUser(owner);
    const admin = await access.enter(name, password);
    await admin.end();
    const { Client } = (await import("pg")).default;
    const superuser = new Client({ connectionString: access.place.adminUrl });
    await superuser.connect();
    await superuser.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    await superuser.end();
    await world.pool.query("DROP SCHEMA sql_access CASCADE");
    await prepareSqlAccess(access.place, world.pool);
    const again = await access.enter(name, password);
    expect(await rowsOf("SELECT name FROM devices WHERE name = 'Pump house'", [], again)).toHaveLength(1);
  });
});
