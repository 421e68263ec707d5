import { createClient } from "@telltale/contract/call/client";
import { imports } from "@telltale/contract/domains/readings/imports";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../app.ts";
import { createTelemetry, type Telemetry } from "../telemetry/index.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { clientsOf } from "../test/test-server.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { untilPacked } from "./send.ts";

let world: TestWorld;
let telemetry: Telemetry;
let app: FastifyInstance;
beforeAll(async () => {
  world = await createTestWorld();
  telemetry = createTelemetry(world);
  app = await buildApp(world, { telemetry });
});
afterAll(async () => {
  await app.close();
  await telemetry.stop();
  await world.close();
});

const hour = 3_600_000;

/** A plant with readings of so many past hours that were just imported, one a minute. */
const anImport = async (hours: number) => {
  const owner = await anOwner(world);
  const pump = await aDevice(world, owner, { name: "Pump" });
  const as = clientsOf(app)(owner);
  const { importId } = await as(imports.begin, { fileName: "history.csv", digest: "ab".repeat(32) });
  const from = Date.UTC(2026, 0, 2);
  const times = Array.from({ length: hours * 60 }, (_, n) => from + n * 60_000);
  const columns = { counts: [times.length], times, values: times.map((_, n) => n) };
  const deviceChannelIds = [pump.channels.AI1 ?? 0];
  await as(imports.store, { importId, after: 0, position: 1, line: 1, unreadable: 0, deviceChannelIds, ...columns });
  await as(imports.end, { importId });
  return { as, importId, channelId: pump.channels.AI1 ?? 0, firstHour: from / hour };
};

const packedHours = async (channelId: number) =>
  (await world.pool.query("SELECT hour, count FROM packed_hours WHERE channel_id = $1", [channelId])).rows;

test("an import ends when its hours are packed, so that charts and SQL statements over them are fast at once", async () => {
  const { as, importId, channelId, firstHour } = await anImport(30);
  expect((await as(imports.packing, { importId })).hours).toBeGreaterThan(0);
  await untilPacked(as, importId, () => undefined);
  const packed = await packedHours(channelId);
  expect(packed).toHaveLength(30);
  expect(packed).toContainEqual({ hour: firstHour + 29, count: 60 });
});

test("an import whose server does not answer while it packs has ended all the same", async () => {
  const { importId } = await anImport(1);

  await untilPacked(createClient({ baseUrl: "http://127.0.0.1:1", token: () => "none" }), importId, () => undefined);
});
