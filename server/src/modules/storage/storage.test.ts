import { setTimeout as pause } from "node:timers/promises";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { storage } from "@telltale/contract/domains/readings/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../../platform/database/connect.ts";
import { anAdmin } from "../../test/test-people.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { at, type TestRetention, testRetention } from "../../test/test-retention.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createMonthlyPackagesJob } from "../downloads/monthly-packages-job.ts";
import { createRetentionJob } from "./job.ts";

const hour = 3_600_000;

let server: TestServer;
let plant: TestRetention;

beforeEach(async () => {
  server = await startTestServer({ monthsKept: 24 });
  plant = testRetention(server);
});
afterEach(() => server.close());

test("what the operator no longer keeps is dropped by months, its summaries stay, and charts go on by them", async () => {
  const made = await plant.aHistory("2024-10-02T00:00:00Z", "2024-11-02T00:00:00Z", "2026-11-01T00:00:00Z");
  const [from, to] = [at("2024-10-01T00:00:00Z"), at("2024-10-31T00:00:00Z")];
  const before = await plant.line(made.AI1, from, to);
  expect(before.count).toBe(48);
  expect(await plant.months()).toEqual(["2024_10", "2024_11", "2026_11"]);

  await plant.retain(24);

  expect(await plant.months(), "the month of two years ago is kept whole").toEqual(["2024_11", "2026_11"]);
  const after = await plant.line(made.AI1, from, to);
  expect(after.count).toBe(48);
  expect([Math.min(...after.ys), Math.max(...after.ys)]).toEqual([0, 47]);
  expect(after.xs.map((x) => Math.floor(x / hour))).toEqual(before.xs.map((x) => Math.floor(x / hour)));
  expect(await plant.readings(made.AI1, from, to)).toBe(0);
  expect(await plant.readings(made.AI1, at("2024-11-01T00:00:00Z"), at("2024-11-30T00:00:00Z"))).toBe(48);
  const [entry] = await plant.auditOf(made);
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

  await plant.retain(24);
  expect(await plant.auditOf(made), "a run without anything to do says nothing").toHaveLength(1);
});

test("a settings period and its chart begin where the summaries do", async () => {
  const made = await plant.aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await plant.retain(24);
  const { data } = await server.as(made.owner)(history.periods, { channelId: made.AI1, page: 1, size: 10 });
  expect(data.at(-1)?.startTime.toISOString()).toBe("2024-10-02T00:00:00.000Z");
});

test("an owner keeps one device's readings for less; those of others stay, and an admin may not", async () => {
  const made = await plant.aHistory("2026-06-02T00:00:00Z", "2026-10-02T00:00:00Z");
  const other = await plant.aHistory("2026-06-02T00:00:00Z");
  const { deviceId } = made.device;
  const admin = await anAdmin(server.world, made.owner);
  await expect(server.as(admin)(storage.keepOfDevice, { deviceId, months: 3 })).rejects.toThrow();
  await expect(server.as(other.owner)(storage.keepOfDevice, { deviceId, months: 3 })).rejects.toThrow();
  await server.as(made.owner)(storage.keepOfDevice, { deviceId, months: 3 });
  await plant.retain();
  const [from, to] = [at("2026-06-01T00:00:00Z"), at("2026-06-30T00:00:00Z")];
  expect([await plant.readings(made.AI1, from, to), await plant.readings(other.AI1, from, to)]).toEqual([0, 48]);
  expect((await plant.line(made.AI1, from, to)).count).toBe(48);
  expect(await plant.months()).toEqual(["2026_06", "2026_10"]);
  expect((await plant.auditOf(made)).map(({ action }) => action)).toEqual(["readings.summarise", "readings.keep"]);

  await server.as(other.owner)(storage.keepOfPlant, { months: 1 });
  await plant.retain();
  expect(await plant.months(), "nobody keeps June any more").toEqual(["2026_10"]);
});

test("readings and their packages stay when an owner decides to keep them while the job is about to make summaries", async () => {
  const { AI1, device } = await plant.aHistory("2026-08-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const { db, files, pool } = server.world;
  const ofDevice = db.updateTable("devices").where("device_id", "=", device.deviceId);
  await ofDevice.set({ months_kept: 1 }).execute();
  const deciding = await pool.connect();
  try {
    await deciding.query("BEGIN");
    await deciding.query("UPDATE devices SET months_kept = NULL WHERE device_id = $1", [device.deviceId]);
    const job = plant.retain();
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(async () => (await pool.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1);
    await deciding.query("COMMIT");
    await job;
  } finally {
    deciding.release();
  }
  expect(await plant.readings(AI1, at("2026-08-01T00:00:00Z"), at("2026-08-30T00:00:00Z"))).toBe(48);
  expect(await files.list(`packages/${device.deviceId}`)).toEqual([`packages/${device.deviceId}/2026-08.xlsx`]);
  expect(await db.selectFrom("monthly_packages").selectAll().execute()).toHaveLength(1);
});

test("packages go when their time has passed, also of readings that went earlier for the storage space", async () => {
  const made = await plant.aHistory("2024-09-02T00:00:00Z", "2024-10-02T00:00:00Z", "2026-10-02T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  await server.world.db
    .updateTable("devices")
    .set({ readings_from: new Date("2026-10-02T12:00:00Z") })
    .where("device_id", "=", made.device.deviceId)
    .execute();
  await plant.retain(24);
  expect(await server.as(made.owner)(downloads.packages, { deviceId: made.device.deviceId })).toHaveLength(1);
  expect(await server.world.files.list("packages")).toEqual([`packages/${made.device.deviceId}/2026-10.xlsx`]);
  const [entry] = await plant.auditOf(made, "packages");
  expect(entry).toMatchObject({ isServer: true, target: "Pump house" });
  expect(entry?.changes).toEqual(
    expect.arrayContaining([
      { field: "packages", before: null, after: "2" },
      { field: "until", before: null, after: "2024-11-01T00:00:00.000Z" },
      { field: "because", before: null, after: "kept for 24 months" },
    ]),
  );

  await plant.retain(24);
  expect(await plant.auditOf(made, "packages"), "a run without anything to do says nothing").toHaveLength(1);
});

test("a package whose file cannot be removed now is removed later", async () => {
  const { device } = await plant.aHistory("2024-10-02T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const { files } = server.world;
  const remove = async () => {
    throw new Error("The files cannot be reached");
  };
  const away = createRetentionJob({ ...server.world, files: { ...files, remove } }, 24).run();
  await expect(away).rejects.toThrow("The files cannot be reached");
  const path = `packages/${device.deviceId}/2024-10.xlsx`;
  expect(await files.read(path)).toBeDefined();
  await plant.retain(24);
  expect(await files.read(path)).toBeUndefined();
  expect(await server.world.db.selectFrom("monthly_packages").select("month").execute()).toEqual([]);
});

test("a package goes although its node's store is slow; meanwhile its device is not locked, and a download says that it has gone", async () => {
  const made = await plant.aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const { url, log, pool, files } = server.world;
  const { deviceId } = made.device;
  const client = server.as(made.owner);
  const [{ packLogId } = { packLogId: 0 }] = await client(downloads.packages, { deviceId });
  const idleLimit = 500;
  const remove = async (path: string): Promise<void> => {
    await files.remove(path);
    await pause(2 * idleLimit);
    await pool.query("SELECT FROM devices WHERE device_id = $1 FOR UPDATE NOWAIT", [deviceId]);
    await expect(client(downloads.package, { packLogId })).rejects.toThrow("This data package has been removed");
  };
  const node = connect(url, log, { idleLimit });
  await createRetentionJob({ ...server.world, db: node.db, pool: node.pool, files: { ...files, remove } }, 24).run();
  await node.close();
  expect(await client(downloads.packages, { deviceId })).toEqual([]);
  expect(await plant.auditOf(made, "packages")).toHaveLength(1);
});

test("packages of a month go with its readings, and a package of a month that is partly kept is not made anew", async () => {
  const made = await plant.aHistory("2024-10-02T00:00:00Z", "2026-10-02T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const packages = () =>
    server.world.db.selectFrom("monthly_packages").select(["month", "bytes"]).orderBy("month").execute();
  expect(await packages()).toHaveLength(2);
  await plant.retain(24);
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
  const made = await plant.aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await plant.retain(24);
  await writeReadings(server.world, made.AI1, [[at("2024-10-02T00:30:00Z"), 99]]);
  await plant.packAll();
  const chart = await plant.line(made.AI1, at("2024-10-02T00:00:00Z"), at("2024-10-02T00:59:59Z"));
  expect([chart.count, Math.max(...chart.ys)]).toEqual([2, 99]);
  expect(await plant.months()).toEqual(["2026_11"]);
});
