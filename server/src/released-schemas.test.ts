import { allCalls } from "@telltale/contract/all-calls";
import type { Call } from "@telltale/contract/call/call";
import { CallError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { alerts } from "@telltale/contract/domains/alerts";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import pg from "pg";
import { expect, test } from "vitest";
import { signIn } from "./modules/accounts/sign-in/sign-in.ts";
import { applyMigrations, knownMigrations, migrate } from "./platform/database/migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "./platform/database/test-database.ts";
import { fillEveryTable, rowCounts } from "./test/test-rows.ts";
import { startTestServer } from "./test/test-server.ts";

const names = await knownMigrations();

/**
 * Unpacked readings of an hour that is packed already, as a server leaves them that is stopped in the middle of it: one that is packed, sent again, and a
 * new one. Only versions that have such rows; returns how many new ones there are.
 */
const addUnpacked = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ has: boolean }>("SELECT to_regclass('readings') IS NOT NULL AS has");
  if (!rows[0]?.has) return 0;
  await client.query(
    "INSERT INTO readings (channel_id, ts, value, status) VALUES (1, 490000 * 3600000::bigint + 1000, 2, 1), (1, 490000 * 3600000::bigint + 2000, 3, 1)",
  );
  return 1;
};

/** Creates a database as left by the version whose last migration this was, with rows in every table. */
const asOf = async (
  last: string,
): Promise<{ database: TestDatabase; counts: Record<string, number>; unpacked: number }> => {
  const database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await applyMigrations(client, names.slice(0, names.indexOf(last) + 1));
    await fillEveryTable(client);
    const unpacked = await addUnpacked(client);
    await client.query("COMMIT");
    const counts = await rowCounts(client);
    expect(Object.entries(counts).filter(([, n]) => n === 0)).toEqual([]);
    return { database, counts, unpacked };
  } finally {
    await client.end();
  }
};

/** Every reading call with the ids of the generated rows. */
const readingCalls = Object.values(allCalls)
  .flatMap((ofDomain) => Object.values(ofDomain as Record<string, Call>))
  .filter((call) => call.method === "GET" && call.access !== "public" && String(call.access).endsWith("read"));
const ids = (call: Call): Record<string, unknown> =>
  Object.fromEntries(Object.keys(call.query?.shape ?? {}).flatMap((field) => (/Id$/.test(field) ? [[field, 1]] : [])));

test.each(names)(
  "a database of the version of %s comes to this one with all its rows, and the API reads them",
  async (last) => {
    const { database, counts, unpacked } = await asOf(last);
    await migrate(database.url);
    const server = await startTestServer({}, { database });
    try {
      const { world } = server;
      const now = await world.pool.connect();
      const after = await rowCounts(now as never);
      now.release();
      // Its rows, the unpacked readings of older versions, are in packed hours now, as the list of readings shows below.
      const { readings: _moved, ...kept } = counts;
      expect(Object.entries(kept).filter(([table, n]) => (after[table] ?? 0) < n)).toEqual([]);

      const visitor = { address: "192.0.2.1", userAgent: "test" };
      const as = server.as(await signIn(world.db, world.clock.date(), visitor, { userId: 1, accountId: 1 }));
      expect((await as(devices.list)).data).toMatchObject([{ deviceId: 1, deviceName: "device_name 1" }]);
      expect((await as(alerts.log)).data).toMatchObject([{ deviceId: 1 }]);
      const { data } = await as(history.points, { logId: 1 });
      expect(data.map(({ value }) => value).sort()).toEqual([1, 1, 2, ...(unpacked ? [3] : [])]);
      for (const call of readingCalls) {
        const fault = await as(call, ids(call)).catch((refusal: unknown) => refusal);
        if (fault instanceof CallError) expect([call.path, fault.code]).not.toEqual([call.path, Code.internal]);
        else if (fault instanceof Error) throw fault;
      }
    } finally {
      await server.close();
    }
  },
  // All migrations and all reading calls: on a slow machine beside other tests half a minute and more.
  120_000,
);
