import { DataType, downloads, PackageState } from "@telltale/contract/domains/readings/downloads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partsOf, type TestExports, testExports } from "../../test/test-exports.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { sheetOf } from "../../test/test-spreadsheet.ts";
import { createMonthlyPackagesJob } from "./monthly-packages-job.ts";

let server: TestServer;
let plant: TestExports;

beforeEach(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterEach(() => server.close());

const [second, hour, day] = [1000, 3_600_000, 86_400_000];

const becomes = (time: string): void => server.world.clock.jump(Date.parse(time) - server.world.clock.now());
const at = (time: string): number => Date.parse(time);

const aPlantInUtc = async () => {
  const made = await plant.aPlant();
  const { deviceId } = made.device;
  await plant.setZone(deviceId, "UTC");
  const as = server.as(made.owner);
  const packages = () => as(downloads.packages, { deviceId });
  return {
    ...made,
    deviceId,
    as,
    months: async () => (await packages()).map(({ packMonthUs }) => packMonthUs),
    /** Number of readings in each package's download, newest month first. */
    counts: async () => {
      const found: [string, number][] = [];
      for (const { packLogId, packMonthUs } of await packages()) {
        const sheet = sheetOf(await partsOf(await as(downloads.package, { packLogId })));
        found.push([packMonthUs, sheet.length - 1]);
      }
      return found;
    },
    pending: async () =>
      (await as(downloads.pending, { deviceId })).map(({ packMonthUs, state, isMade, readyTime }) => ({
        month: packMonthUs,
        state,
        isMade,
        readyTime,
      })),
    /** When the device was last heard. */
    heard: (time: number) =>
      server.world.db
        .updateTable("devices")
        .set({ last_seen_time: new Date(time) })
        .where("device_id", "=", deviceId)
        .execute(),
    newest: () => as(downloads.export, { deviceId, type: DataType.consolidated }),
  };
};

const refusal = (code: number, message: string) => expect.objectContaining({ code, message });

test("a month into which history is being written has no package, and the user reads why; those before it have", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, months, counts, pending, newest } = await aPlantInUtc();
  const job = createMonthlyPackagesJob(server.world);
  await plant.write(AI1, at("2026-08-25T00:00:00Z"), 7, day);
  await plant.packAll();
  await plant.write(AI1, at("2026-09-01T00:00:00Z"), 13, day);
  await expect(job.run()).resolves.toBe(1);
  expect(await months()).toEqual(["August"]);
  expect(await pending()).toEqual([
    { month: "September", state: PackageState.arriving, isMade: false, readyTime: null },
  ]);
  await plant.write(AI1, at("2026-09-14T00:00:00Z"), 69, day);
  expect(await job.run()).toBe(0);
  await plant.packAll();
  expect((await pending()).map(({ month, state }) => [month, state])).toEqual([
    ["October", PackageState.making],
    ["September", PackageState.making],
  ]);
  expect(await job.run(), "August again: where clocks are behind, the first hours of September are its last").toBe(3);
  expect(await counts()).toEqual([
    ["October", 31],
    ["September", 30],
    ["August", 7],
  ]);
  expect(await pending()).toEqual([]);
  await expect(newest()).resolves.toBeTruthy();
});

test("a download includes readings that arrived after its package was created, before the package is recreated", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, counts, pending } = await aPlantInUtc();
  const job = createMonthlyPackagesJob(server.world);
  await plant.write(AI1, at("2026-10-01T00:00:00Z"), 10, day);
  await plant.packAll();
  await job.run();
  await plant.write(AI1, at("2026-10-20T00:00:00Z"), 5, day);
  expect(await counts()).toEqual([["October", 15]]);
  expect(await pending()).toEqual([{ month: "October", state: PackageState.arriving, isMade: true, readyTime: null }]);
  await plant.packAll();
  expect(await counts(), "packed, and not made again yet").toEqual([["October", 15]]);
  expect(await job.run()).toBe(1);
  expect(await counts()).toEqual([["October", 15]]);
});

test("a month that has just ended says when its package is made, also where there is none to download", async () => {
  becomes("2026-11-01T18:00:00Z");
  const { AI1, pending, newest } = await aPlantInUtc();
  await expect(newest()).rejects.toEqual(refusal(404, "This device has no finished month yet"));
  await plant.write(AI1, at("2026-10-01T00:00:00Z"), 10, day);
  const readyTime = new Date("2026-11-02T00:00:00Z");
  expect(await pending()).toEqual([{ month: "October", state: PackageState.settling, isMade: false, readyTime }]);
  const onItsDay = "The data package of October 2026 is made on 2026-11-02, a day after its end";
  await expect(newest()).rejects.toEqual(refusal(404, onItsDay));
  becomes("2026-11-02T00:00:01Z");
  const soon = "The data package of October 2026 is being made. Try again in a few minutes";
  await expect(newest()).rejects.toEqual(refusal(404, soon));
});

test("after a downtime the server waits for a device's buffered readings: until it is heard, at most an hour", async () => {
  becomes("2026-11-05T00:00:00Z");
  const { AI1, heard, months, counts } = await aPlantInUtc();
  await heard(at("2026-10-28T00:00:00Z"));
  await plant.write(AI1, at("2026-10-01T00:00:00Z"), 27, day);
  await plant.packAll();
  const job = createMonthlyPackagesJob(server.world);
  server.world.clock.pass(10 * second);
  expect(await job.run()).toBe(0);
  await heard(server.world.clock.now());
  await plant.write(AI1, at("2026-10-28T00:00:00Z"), 4, day);
  expect(await job.run()).toBe(0);
  await plant.packAll();
  expect(await job.run()).toBe(1);
  expect(await counts()).toEqual([["October", 31]]);

  const other = await aPlantInUtc();
  await plant.write(other.AI1, at("2026-10-01T00:00:00Z"), 27, day);
  await plant.packAll();
  await server.world.db
    .updateTable("devices")
    .set({ last_seen_time: new Date("2026-10-28T00:00:00Z") })
    .execute();
  const next = createMonthlyPackagesJob(server.world);
  expect(await next.run()).toBe(0);
  server.world.clock.pass(hour);
  expect(await next.run()).toBe(1);
  expect(await other.months()).toEqual(["October"]);
  expect(await months()).toEqual(["October"]);
});

test("a month whose readings can't be packed is made after an hour, with all of them", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, counts } = await aPlantInUtc();
  const job = createMonthlyPackagesJob(server.world);
  await plant.write(AI1, at("2026-10-01T00:00:00Z"), 31, day);
  expect(await job.run()).toBe(0);
  server.world.clock.pass(hour);
  expect(await job.run()).toBe(1);
  await plant.write(AI1, at("2026-10-31T12:00:00Z"), 1);
  expect(await counts()).toEqual([["October", 32]]);
});

test("a device that is claimed after its history was written has the package of each month", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, deviceId, owner, months, counts } = await aPlantInUtc();
  const belongsTo = (plantId: number | null) =>
    server.world.db.updateTable("devices").set({ plant_id: plantId }).where("device_id", "=", deviceId).execute();
  const job = createMonthlyPackagesJob(server.world);
  await belongsTo(null);
  await plant.write(AI1, at("2026-09-01T00:00:00Z"), 61, day);
  await plant.packAll();
  expect(await job.run()).toBe(0);
  await belongsTo(owner.plantId);
  expect(await job.run()).toBe(2);
  expect(await months()).toEqual(["October", "September"]);
  expect(await counts()).toEqual([
    ["October", 31],
    ["September", 30],
  ]);
});

test("a device that has never sent anything gets its history's packages when that is written", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, counts } = await aPlantInUtc();
  const job = createMonthlyPackagesJob(server.world);
  expect(await job.run()).toBe(0);
  await plant.write(AI1, at("2026-09-01T00:00:00Z"), 61, day);
  expect(await job.run()).toBe(0);
  await plant.packAll();
  expect(await job.run()).toBe(2);
  expect(await counts()).toEqual([
    ["October", 31],
    ["September", 30],
  ]);
});

test("a package that can't be recorded, such as of a device deleted meanwhile, leaves no file behind", async () => {
  becomes("2026-11-22T12:00:00Z");
  const { AI1, deviceId } = await aPlantInUtc();
  await plant.write(AI1, at("2026-10-01T00:00:00Z"), 31, day);
  await plant.packAll();
  const { files, pool } = server.world;
  const write: typeof files.write = async (path, content) => {
    const bytes = await files.write(path, content);
    await pool.query(`ALTER TABLE monthly_packages ADD CONSTRAINT gone CHECK (device_id <> ${deviceId})`);
    return bytes;
  };
  expect(await createMonthlyPackagesJob({ ...server.world, files: { ...files, write } }).run()).toBe(0);
  expect(await files.list("packages")).toEqual([]);
});

test("a month is not delayed for a device that was heard after it: its buffered readings are later ones", async () => {
  becomes("2026-11-05T00:00:00Z");
  const gone = await aPlantInUtc();
  await plant.write(gone.AI1, at("2026-09-20T00:00:00Z"), 36, day);
  await plant.packAll();
  await gone.heard(at("2026-10-26T00:00:00Z"));
  await createMonthlyPackagesJob(server.world).run();
  expect(await gone.months(), "heard after September, it has kept back nothing of it").toEqual(["September"]);
});
