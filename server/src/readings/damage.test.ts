import { channels } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { withDatabase } from "../platform/database/test-commands.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { writeReadings } from "../test/test-readings.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { asSuperuser } from "../test/test-sql-users.ts";
import { markUnreadable, mergeNow, theChannels } from "./index.ts";
import { Unreadable } from "./places.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Deletes what PostgreSQL keeps outside of the rows of a table, as a damaged disk might. */
const loseParts = async (table: "batches" | "chunks"): Promise<void> => {
  const { url } = server.world;
  const client = new pg.Client(withDatabase(asSuperuser(url), new URL(url).pathname.slice(1)));
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT reltoastrelid::regclass::text AS name FROM pg_class WHERE oid = '${table}'::regclass`,
  );
  const kindOf = (kind: string) => `UPDATE pg_class SET relkind = '${kind}' WHERE oid = '${rows[0]?.name}'::regclass`;
  // PostgreSQL refuses to delete from a relation of this kind.
  await client.query(kindOf("r"));
  const { rowCount } = await client.query(`DELETE FROM ${rows[0]?.name}`);
  await client.query(kindOf("t"));
  // Until then deleted parts can still be read.
  await client.query(`VACUUM ${rows[0]?.name}`);
  await client.end();
  expect(rowCount).toBeGreaterThan(0);
};

/** So many, and so various, that they are kept outside of the row. */
const many = (from: number): [ts: number, value: number][] =>
  Array.from({ length: 2_000 }, (_, at) => [from + at, Math.sin(at) * 1e6]);

/** A device whose channel has many readings in one row and, a second later, one in another. */
const aDamagedDevice = async (table: "batches" | "chunks") => {
  const { world } = server;
  const owner = await anOwner(world);
  const device = await aDevice(world, owner);
  const channelId = Number(device.channels.AI1);
  const now = Math.floor(world.clock.now() / 60_000) * 60_000 - 60_000;
  await writeReadings(world, channelId, many(now));
  if (table === "chunks") await mergeNow(world, [device.deviceId]);
  await loseParts(table);
  await writeReadings(world, channelId, [[now + 3_000, 7]]);
  return { as: server.as(owner), device, channelId, startTime: new Date(now), endTime: new Date(now + 60_000) };
};

/** The parts are elsewhere in a database in parts. */
test.skipIf(inject("workerUrls").length > 0).each(["batches", "chunks"] as const)(
  "lost parts of a row of %s cost no other reading: newest value, list and chart are answered at once without it",
  async (table) => {
    const { as, device, channelId, startTime, endTime } = await aDamagedDevice(table);
    // All at once, as a screen asks.
    const [value, chart, again, points] = await Promise.all([
      as(channels.value, { deviceChannelId: channelId }),
      as(history.chart, { channelId, startTime, endTime }),
      as(history.chart, { channelId, startTime, endTime }),
      as(history.points, { channelId, startTime, endTime }),
    ]);
    expect(value).toMatchObject({ value: 7 });
    for (const line of [chart, again]) expect(line).toMatchObject({ dataYs: [7], count: 1 });
    expect(points.data).toMatchObject([{ value: 7 }]);
    const { rows } = await server.world.pool.query(
      `SELECT count, damage FROM ${table} WHERE damage IS NOT NULL AND ${device.deviceId} = ${table === "chunks" ? "device_id" : "ANY(device_ids)"}`,
    );
    expect(rows).toEqual([{ count: 2_000, damage: expect.stringContaining("missing chunk") }]);
    const late = new Unreadable(theChannels([channelId]), undefined);
    expect(await markUnreadable(server.world, late), "a call that failed before another one marked it").toBe(true);
  },
);
