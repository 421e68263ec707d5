import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { folderIdOf } from "../files/folder-id.ts";
import { createDiskSampling, diskWarning, forecastDisk } from "./disk-forecast.ts";

const [hour, day] = [3_600_000, 86_400_000];

let world: TestWorld;
/** DATA_DIR of two servers on one database, and on hosts of one name. */
let folder: string;
let other: string;

const aFolder = () => mkdtemp(join(tmpdir(), "telltale-disk-"));

beforeAll(async () => {
  world = await createTestWorld();
  [folder, other] = [await aFolder(), await aFolder()];
});
afterAll(async () => {
  await world.close();
  for (const each of [folder, other]) await rm(each, { recursive: true });
});

const sample = async (ago: number, free: number, of = folder) =>
  world.pool.query("INSERT INTO disk_samples (host, taken_time, free_bytes) VALUES ($1, $2, $3)", [
    await folderIdOf(of),
    new Date(world.clock.now() - ago),
    Math.round(free),
  ]);

test("the disk is full when its free space is used at the rate of the last day; what another server's did is nothing to it", async () => {
  const metrics = new Registry();
  const job = createDiskSampling({ ...world, metrics }, folder);
  const metric = async () => /^telltale_data_disk_full_seconds (\S+)$/m.exec(await metrics.metrics())?.[1];
  await job.run();
  expect((await forecastDisk(world, folder)).daysLeft, "one sample is no rate").toBeNull();
  expect(await metric()).toBeUndefined();

  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  await sample(3 * day, free * 9);
  await sample(day + hour, free * 1.2);
  await sample(day, free * 1.1);
  await sample(hour, free * 1.01);
  await sample(day, free * 50, other);
  const { daysLeft } = await forecastDisk(world, folder);
  expect(daysLeft).toBeGreaterThan(5);
  expect(daysLeft).toBeLessThan(15);
  expect(await diskWarning(world, folder)).toMatch(/^full in \d+ days at the rate of the last day: add space/);
  expect(Number(await metric()) / 86_400).toBeGreaterThan(5);

  await world.pool.query("DELETE FROM disk_samples");
  await sample(day, free * 0.5);
  expect((await forecastDisk(world, folder)).daysLeft, "it got emptier").toBeNull();
  expect(await diskWarning(world, folder)).toBeUndefined();
});

test("two servers on hosts of one name do not take one another's samples", async () => {
  await world.pool.query("DELETE FROM disk_samples");
  const metrics = new Registry();
  await createDiskSampling({ ...world, metrics }, folder).run();
  world.clock.pass(2 * hour);
  expect((await forecastDisk(world, folder)).bytesADay, "its own").not.toBeNull();
  expect((await forecastDisk(world, other)).bytesADay).toBeNull();
});

test("samples are kept for a month, and a database that is away is no matter of the disk", async () => {
  await sample(40 * day, 1e9);
  await createDiskSampling({ ...world, metrics: new Registry() }, folder).run();
  const { rows } = await world.pool.query("SELECT FROM disk_samples WHERE taken_time < $1", [
    new Date(world.clock.now() - 31 * day),
  ]);
  expect(rows).toHaveLength(0);
  const away = { ...world, pool: { query: () => Promise.reject(new Error("away")) } as never };
  expect(await diskWarning(away, folder)).toBeUndefined();
});
