import { audit } from "@telltale/contract/domains/audit";
import { history } from "@telltale/contract/domains/readings/history";
import { storage } from "@telltale/contract/domains/readings/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chartOf, pointsOf, storedMonths } from "../../telemetry/index.ts";
import { type TestExports, testExports } from "../../test/test-exports.ts";
import { anAdmin } from "../../test/test-people.ts";
import { testPurchases } from "../../test/test-purchases.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createMonthlyPackagesJob } from "../downloads/monthly-packages-job.ts";
import { createRetentionJob } from "./job.ts";

const [hour, day] = [3_600_000, 86_400_000];

let server: TestServer;
let plant: TestExports;

beforeEach(async () => {
  server = await startTestServer({ monthsKept: 24 });
  plant = testExports(server);
  server.world.clock.jump(Date.parse("2026-11-15T12:00:00Z") - server.world.clock.now());
});
afterEach(() => server.close());

const at = (time: string): number => Date.parse(time);
const retain = (months: number | null = null) => createRetentionJob(server.world, months).run();
const months = async (): Promise<string[]> =>
  (await storedMonths(server.world.pool)).map(({ table }) => table.slice(-7));
const line = (channelId: number, from: number, to: number) => chartOf(server.world.pool, channelId, from, to, 1_500);
const readings = async (channelId: number, from: number, to: number): Promise<number> =>
  (await pointsOf(server.world.pool, channelId, from, to, { page: 1, size: 10 })).total;

/** A reading every hour for two days from each of these times. */
const aHistory = async (...times: string[]) => {
  const made = await plant.aPlant();
  await plant.setZone(made.device.deviceId, "UTC");
  for (const time of times)
    await writeReadings(
      server.world,
      made.AI1,
      Array.from({ length: 48 }, (_, n) => [at(time) + n * hour + 5_000, n] as const),
    );
  await plant.packAll();
  return made;
};

const auditOf = async ({ owner }: Awaited<ReturnType<typeof aHistory>>) =>
  (await server.as(owner)(audit.list, { page: 1, size: 50 })).data.filter(({ action }) =>
    action.startsWith("readings."),
  );

test("what the operator no longer keeps is dropped by months, its summaries stay, and charts go on by them", async () => {
  const made = await aHistory("2024-10-02T00:00:00Z", "2024-11-02T00:00:00Z", "2026-11-01T00:00:00Z");
  const [from, to] = [at("2024-10-01T00:00:00Z"), at("2024-10-31T00:00:00Z")];
  const before = await line(made.AI1, from, to);
  expect(before.count).toBe(48);
  expect(await months()).toEqual(["2024_10", "2024_11", "2026_11"]);

  await retain(24);

  expect(await months(), "the month of two years ago is kept whole").toEqual(["2024_11", "2026_11"]);
  const after = await line(made.AI1, from, to);
  expect(after.count).toBe(48);
  expect([Math.min(...after.ys), Math.max(...after.ys)]).toEqual([0, 47]);
  expect(after.xs.map((x) => Math.floor(x / hour))).toEqual(before.xs.map((x) => Math.floor(x / hour)));
  expect(await readings(made.AI1, from, to)).toBe(0);
  expect(await readings(made.AI1, at("2024-11-01T00:00:00Z"), at("2024-11-30T00:00:00Z"))).toBe(48);
  const [entry] = await auditOf(made);
  expect(entry).toMatchObject({ isServer: true, target: "Pump house" });
  expect(entry?.changes).toEqual(
    expect.arrayContaining([
      { field: "readings", before: null, after: "48" },
      { field: "until", before: null, after: "2024-11-01T00:00:00.000Z" },
      { field: "because", before: null, after: "kept for 24 months" },
    ]),
  );
  const stored = await server.as(made.owner)(storage.ofDevice, { deviceId: made.device.deviceId });
  expect(stored).toMatchObject({ readings: 96, usedBytes: 96 * 12, monthsKept: { operator: 24 } });
  expect(stored.readingsFrom?.toISOString()).toBe("2024-11-01T00:00:00.000Z");

  await retain(24);
  expect(await auditOf(made), "a run without anything to do says nothing").toHaveLength(1);
});

test("a settings period and its chart begin where the summaries do", async () => {
  const made = await aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await retain(24);
  const { data } = await server.as(made.owner)(history.periods, { channelId: made.AI1, page: 1, size: 10 });
  expect(data.at(-1)?.startTime.toISOString()).toBe("2024-10-02T00:00:00.000Z");
});

test("an owner keeps one device's readings for less; those of others stay, and an admin may not", async () => {
  const made = await aHistory("2026-06-02T00:00:00Z", "2026-10-02T00:00:00Z");
  const other = await aHistory("2026-06-02T00:00:00Z");
  const { deviceId } = made.device;
  const admin = await anAdmin(server.world, made.owner);
  await expect(server.as(admin)(storage.keepOfDevice, { deviceId, months: 3 })).rejects.toThrow();
  await expect(server.as(other.owner)(storage.keepOfDevice, { deviceId, months: 3 })).rejects.toThrow();
  await server.as(made.owner)(storage.keepOfDevice, { deviceId, months: 3 });
  await retain();
  const [from, to] = [at("2026-06-01T00:00:00Z"), at("2026-06-30T00:00:00Z")];
  expect([await readings(made.AI1, from, to), await readings(other.AI1, from, to)]).toEqual([0, 48]);
  expect((await line(made.AI1, from, to)).count).toBe(48);
  expect(await months()).toEqual(["2026_06", "2026_10"]);
  expect((await auditOf(made)).map(({ action }) => action)).toEqual(["readings.summarise", "readings.keep"]);

  await server.as(other.owner)(storage.keepOfPlant, { months: 1 });
  await retain();
  expect(await months(), "nobody keeps June any more").toEqual(["2026_10"]);
});

test("readings stay when an owner decides to keep them while the job is about to make summaries", async () => {
  const { AI1, device } = await aHistory("2026-08-02T00:00:00Z", "2026-11-01T00:00:00Z");
  const { db, pool } = server.world;
  const ofDevice = db.updateTable("devices").where("device_id", "=", device.deviceId);
  await ofDevice.set({ months_kept: 1 }).execute();
  const deciding = await pool.connect();
  try {
    await deciding.query("BEGIN");
    await deciding.query("UPDATE devices SET months_kept = NULL WHERE device_id = $1", [device.deviceId]);
    const job = retain();
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await pool.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1);
    await deciding.query("COMMIT");
    await job;
  } finally {
    deciding.release();
  }
  expect(await readings(AI1, at("2026-08-01T00:00:00Z"), at("2026-08-30T00:00:00Z"))).toBe(48);
});

test("a package whose file cannot be removed now is removed later", async () => {
  const { device } = await aHistory("2024-10-02T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const { files } = server.world;
  const remove = async () => {
    throw new Error("The files cannot be reached");
  };
  const away = createRetentionJob({ ...server.world, files: { ...files, remove } }, 24).run();
  await expect(away).rejects.toThrow("The files cannot be reached");
  const path = `packages/${device.deviceId}/2024-10.xlsx`;
  expect(await files.read(path)).toBeDefined();
  await retain(24);
  expect(await files.read(path)).toBeUndefined();
  expect(await server.world.db.selectFrom("monthly_packages").select("month").execute()).toEqual([]);
});

test("packages of a month go with its readings, and a package of a month that is partly kept is not made anew", async () => {
  const made = await aHistory("2024-10-02T00:00:00Z", "2026-10-02T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const packages = () =>
    server.world.db.selectFrom("monthly_packages").select(["month", "bytes"]).orderBy("month").execute();
  expect(await packages()).toHaveLength(2);
  await retain(24);
  const [kept, ...others] = await packages();
  expect(others).toEqual([]);
  expect(await server.world.files.read(`packages/${made.device.deviceId}/2024-10.xlsx`)).toBeUndefined();
  await server.world.db
    .updateTable("devices")
    .set({ readings_from: new Date("2026-10-03T00:00:00Z") })
    .where("device_id", "=", made.device.deviceId)
    .execute();
  await server.world.pool.query("DELETE FROM packed_hours");
  await writeReadings(server.world, made.AI1, [[at("2026-10-03T05:00:00Z"), 3]]);
  await plant.packAll();
  await createMonthlyPackagesJob(server.world).run();
  expect(await packages()).toEqual([kept]);
});

test("readings that were accepted before their hour became a summary are added to it", async () => {
  const made = await aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await retain(24);
  await writeReadings(server.world, made.AI1, [[at("2024-10-02T00:30:00Z"), 99]]);
  await plant.packAll();
  const chart = await line(made.AI1, at("2024-10-02T00:00:00Z"), at("2024-10-02T00:59:59Z"));
  expect([chart.count, Math.max(...chart.ys)]).toEqual([2, 99]);
  expect(await months()).toEqual(["2026_11"]);
});

test("a device that exceeds its storage space is announced, and loses its oldest hours only 30 days later", async () => {
  const purchases = testPurchases(server);
  const { owner, deviceId } = await purchases.aDueStation();
  await purchases.buy(owner, deviceId);
  const { rows } = await server.world.pool.query<{ channel_id: number }>(
    "SELECT channel_id FROM channels WHERE device_id = $1 ORDER BY channel_id LIMIT 1",
    [deviceId],
  );
  const channelId = rows[0]?.channel_id ?? 0;
  const start = at("2026-11-01T00:00:00Z");
  await writeReadings(
    server.world,
    channelId,
    Array.from({ length: 10 }, (_, n) => [start + n * hour, n] as const),
  );
  await plant.packAll();
  // As if each of them were ten million.
  await server.world.pool.query("UPDATE hour_summaries SET count = 10000000 WHERE channel_id = $1", [channelId]);
  await server.world.pool.query("UPDATE stored_months SET readings = 100000000 WHERE device_id = $1", [deviceId]);
  const mails = () =>
    server.world.db.selectFrom("outbox").select("subject").where("subject", "like", "Storage%").execute();

  await retain();
  await retain();
  expect(await mails()).toHaveLength(1);
  const received = await server.as(owner)(storage.ofDevice, { deviceId });
  expect(received).toMatchObject({ storageSpace: 1, usedBytes: 1.2e9, readingsFrom: null });
  expect(received.notice?.summarisedTime.getTime()).toBe(server.world.clock.now() + 30 * day);
  server.world.clock.jump(29 * day);
  await retain();
  expect(await readings(channelId, start, start + day)).toBe(10);
  server.world.clock.jump(2 * day);
  await retain();
  // 1 GB holds 83 million: the newest eight hours.
  expect(await readings(channelId, start, start + day)).toBe(8);
  expect(await mails()).toHaveLength(1);

  await server.world.pool.query("UPDATE stored_months SET readings = 10 WHERE device_id = $1", [deviceId]);
  await retain();
  expect(await server.world.db.selectFrom("storage_notices").selectAll().execute()).toEqual([]);
});
