import { storage } from "@telltale/contract/domains/readings/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anAdmin } from "../../test/test-people.ts";
import { type TestPurchases, testPurchases } from "../../test/test-purchases.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { at, type TestRetention, testRetention } from "../../test/test-retention.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

const [hour, day] = [3_600_000, 86_400_000];

let server: TestServer;
let plant: TestRetention;
let purchases: TestPurchases;

beforeEach(async () => {
  server = await startTestServer();
  plant = testRetention(server);
  purchases = testPurchases(server);
});
afterEach(() => server.close());

/** Stores a reading an hour, of ten hours, of a device's first channel, and counts each as so many. Returns the channel. */
const fill = async (deviceId: number, start: number, each: number): Promise<number> => {
  const { pool } = server.world;
  const { rows } = await pool.query<{ channel_id: number }>(
    "SELECT channel_id FROM channels WHERE device_id = $1 ORDER BY channel_id LIMIT 1",
    [deviceId],
  );
  const channelId = rows[0]?.channel_id ?? 0;
  await writeReadings(
    server.world,
    channelId,
    Array.from({ length: 10 }, (_, n) => [start + n * hour, n] as const),
  );
  await plant.packAll();
  await pool.query("UPDATE hour_summaries SET count = $2 WHERE channel_id = $1", [channelId, each]);
  await pool.query("UPDATE stored_months SET readings = $2 WHERE device_id = $1", [deviceId, 10 * each]);
  return channelId;
};

/** Mails to this person that say that storage space is used up. */
const noticesOf = async ({ email }: { email: string }): Promise<number> => {
  const mails = server.world.db.selectFrom("outbox").select("subject").where("recipient", "=", email);
  return (await mails.where("subject", "like", "Storage%").execute()).length;
};

/** Buys as an admin who signs in now: the session of an earlier day has ended. Returns the buyer. */
const buy = async (owner: { plantId: number }, deviceId: number, packageId: number, storageSpace: number) => {
  const buyer = await anAdmin(server.world, owner);
  await purchases.buy(buyer, deviceId, { packageId, storageSpace, year: 1 });
  return buyer;
};

test("a device that exceeds its storage space is announced, and loses its oldest hours only 30 days later", async () => {
  const { owner, deviceId } = await purchases.aDueStation();
  await purchases.buy(owner, deviceId);
  const start = at("2026-11-01T00:00:00Z");
  const channelId = await fill(deviceId, start, 10_000_000);

  await plant.retain();
  await plant.retain();
  expect(await noticesOf(owner)).toBe(1);
  const received = await server.as(owner)(storage.ofDevice, { deviceId });
  expect(received).toMatchObject({ storageSpace: 1, usedBytes: 1.2e9, readingsFrom: null });
  expect(received.notice?.summarisedTime.getTime()).toBe(server.world.clock.now() + 30 * day);
  server.world.clock.jump(29 * day);
  await plant.retain();
  expect(await plant.readings(channelId, start, start + day)).toBe(10);
  server.world.clock.jump(2 * day);
  await plant.retain();
  // 1 GB holds 83 million: the newest eight hours.
  expect(await plant.readings(channelId, start, start + day)).toBe(8);
  expect(await noticesOf(owner)).toBe(1);

  await server.world.pool.query("UPDATE stored_months SET readings = 10 WHERE device_id = $1", [deviceId]);
  await plant.retain();
  expect(await server.world.db.selectFrom("storage_notices").selectAll().execute()).toEqual([]);
});

test("a device that has been full for long is announced anew after a smaller package was bought, and keeps its readings for 30 days", async () => {
  const { owner, deviceId } = await purchases.aDueStation();
  await buy(owner, deviceId, 2, 2);
  const start = at("2026-11-01T00:00:00Z");
  const channelId = await fill(deviceId, start, 20_000_000);
  const stored = () => plant.readings(channelId, start, start + day);
  await plant.retain();
  server.world.clock.jump(31 * day);
  await plant.retain();
  expect(await stored(), "2 GB hold 166 million").toBe(8);
  server.world.clock.jump(60 * day);

  const buyer = await buy(owner, deviceId, 1, 1);
  const before = await server.as(buyer)(storage.ofDevice, { deviceId });
  expect([before.storageSpace, before.notice]).toEqual([1, null]);
  await plant.retain();
  expect([await noticesOf(owner), await stored()]).toEqual([2, 8]);
  const { notice } = await server.as(buyer)(storage.ofDevice, { deviceId });
  expect(notice?.summarisedTime.getTime()).toBe(server.world.clock.now() + 30 * day);
  server.world.clock.jump(29 * day);
  await plant.retain();
  expect([await noticesOf(owner), await stored()]).toEqual([2, 8]);

  await buy(owner, deviceId, 2, 2);
  await plant.retain();
  server.world.clock.jump(2 * day);
  await buy(owner, deviceId, 1, 1);
  await plant.retain();
  expect([await noticesOf(owner), await stored()], "to and fro: the 30 days begin anew").toEqual([3, 8]);

  server.world.clock.jump(31 * day);
  await plant.retain();
  expect([await noticesOf(owner), await stored()], "1 GB holds 83 million").toEqual([3, 4]);
});

test("no more goes than needed where a sub-device keeps its readings for less", async () => {
  const { owner, deviceId, subId } = await purchases.aDueStation();
  await purchases.buy(owner, deviceId);
  await server.as(owner)(storage.keepOfDevice, { deviceId: subId, months: 1 });
  const start = at("2026-09-01T00:00:00Z");
  const [ofMaster, ofSub] = [await fill(deviceId, start, 10_000_000), await fill(subId, start, 10_000_000)];
  await plant.retain();
  expect(await plant.readings(ofSub, start, start + day)).toBe(0);
  server.world.clock.jump(31 * day);
  await plant.retain();
  expect(await plant.readings(ofMaster, start, start + day), "1 GB holds 83 million").toBe(8);
});
