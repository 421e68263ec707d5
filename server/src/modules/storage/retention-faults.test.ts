import { storage } from "@telltale/contract/domains/readings/storage";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeReadings } from "../../test/test-readings.ts";
import { at, type TestRetention, testRetention } from "../../test/test-retention.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createMonthlyPackagesJob } from "../downloads/monthly-packages-job.ts";
import { createRetentionJob } from "./job.ts";

const [hour, month] = [3_600_000, 31 * 86_400_000];

let server: TestServer;
let plant: TestRetention;

beforeEach(async () => {
  server = await startTestServer();
  plant = testRetention(server);
});
afterEach(() => server.close());

test("a device that fails does not hold up the others, and the run tells of it", async () => {
  const failing = await plant.aHistory("2024-10-02T00:00:00Z");
  const other = await plant.aHistory("2024-09-02T00:00:00Z", "2026-11-01T00:00:00Z");
  await createMonthlyPackagesJob(server.world).run();
  const { files } = server.world;
  const { deviceId } = failing.device;
  const remove = async (path: string) => {
    if (path.startsWith(`packages/${deviceId}/`)) throw new Error("The files cannot be reached");
    await files.remove(path);
  };
  const job = createRetentionJob({ ...server.world, files: { ...files, remove } }, 24);
  await expect(job.run()).rejects.toThrow(new RegExp(`^Device ${deviceId}: .*The files cannot be reached$`));
  const september = at("2024-09-01T00:00:00Z");
  expect(await plant.readings(other.AI1, september, september + month)).toBe(0);
  expect(await plant.months()).not.toContain("2024_09");
});

test("an hour whose packed row is damaged keeps neither its device's readings nor its month, and late readings of it count", async () => {
  const damaged = await plant.aHistory("2024-10-02T00:00:00Z");
  const other = await plant.aHistory("2024-10-02T00:00:00Z", "2026-11-01T00:00:00Z");
  const start = at("2024-10-05T00:00:00Z");
  await plant.write(damaged.AI1, start, 300, 10_000);
  await plant.packAll();
  // A step beyond the hour: the row cannot be packed with other readings any more.
  await server.world.pool.query("UPDATE packed_hours SET steps[1] = 100000000 WHERE channel_id = $1 AND hour = $2", [
    damaged.AI1,
    start / hour,
  ]);
  await writeReadings(server.world, damaged.AI1, [[start + 5_000, 999]]);

  await expect(plant.retain(24)).rejects.toThrow(
    `Device ${damaged.device.deviceId}: packing of the hour from 2024-10-05T00:00:00.000Z`,
  );
  expect(await plant.months()).toEqual(["2026_11"]);
  const october = at("2024-10-01T00:00:00Z");
  for (const { AI1 } of [damaged, other]) expect(await plant.readings(AI1, october, start - 1)).toBe(0);
  await plant.packAll();
  const chart = await plant.line(damaged.AI1, start, start + hour - 1);
  expect([chart.count, Math.max(...chart.ys)]).toEqual([301, 999]);
  await plant.retain(24);
});

test("a month that nobody keeps goes whole after a backup that reads it, and its rows are not deleted one by one meanwhile", async () => {
  const made = await plant.aHistory("2026-06-02T00:00:00Z", "2026-08-02T00:00:00Z");
  const other = await plant.aHistory("2026-04-02T00:00:00Z", "2026-08-02T00:00:00Z");
  await server.as(made.owner)(storage.keepOfDevice, { deviceId: made.device.deviceId, months: 1 });
  const { pool } = server.world;
  const rows = async (channelId: number, time: string): Promise<number> => {
    const first = at(time) / hour;
    const { rowCount } = await pool.query(
      "SELECT hour FROM packed_hours WHERE channel_id = $1 AND hour BETWEEN $2 AND $3",
      [channelId, first, first + month / hour],
    );
    return rowCount ?? 0;
  };
  const backup = await pool.connect();
  try {
    await backup.query("BEGIN");
    await backup.query("LOCK TABLE packed_hours IN ACCESS SHARE MODE");
    await plant.retain();
    expect(await rows(made.AI1, "2026-06-01T00:00:00Z"), "nobody keeps June").toBe(48);
    expect(await rows(made.AI1, "2026-08-01T00:00:00Z"), "the other device keeps August").toBe(0);
    expect(await rows(other.AI1, "2026-08-01T00:00:00Z")).toBe(48);
    await backup.query("COMMIT");
  } finally {
    backup.release(true);
  }
  await plant.retain();
  expect(await plant.months()).toEqual(["2026_04", "2026_08"]);
});
