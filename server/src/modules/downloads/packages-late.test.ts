import { downloads } from "@telltale/contract/domains/readings/downloads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partsOf, type TestExports, testExports } from "../../test/test-exports.ts";
import { packRange } from "../../test/test-readings.ts";
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

const hour = 3_600_000;

const becomes = (time: string): void => server.world.clock.jump(Date.parse(time) - server.world.clock.now());
const makePackages = () => createMonthlyPackagesJob(server.world).run();

const aPlantInUtc = async () => {
  const made = await plant.aPlant();
  await plant.setZone(made.device.deviceId, "UTC");
  return made;
};

type Plant = Awaited<ReturnType<typeof aPlantInUtc>>;

/** Number of readings in each package of the device, newest month first. */
const packagesOf = async ({ owner, device: { deviceId } }: Plant): Promise<[string, number][]> => {
  const found: [string, number][] = [];
  for (const { packLogId, packMonthUs } of await server.as(owner)(downloads.packages, { deviceId })) {
    const sheet = sheetOf(await partsOf(await server.as(owner)(downloads.package, { packLogId })));
    found.push([packMonthUs, sheet.length - 1]);
  }
  return found;
};

test("a backlog that reaches from a finished month into the next is in the package of its month", async () => {
  becomes("2026-10-02T00:05:00Z");
  const made = await aPlantInUtc();
  await plant.write(made.AI1, Date.parse("2026-09-30T10:00:00Z"), 10, hour);
  await plant.packAll();
  await makePackages();
  expect(await packagesOf(made)).toEqual([["September", 10]]);
  becomes("2026-10-02T06:20:00Z");
  await plant.write(made.AI1, Date.parse("2026-09-30T20:00:00Z"), 34, hour);
  await plant.packAll();
  await makePackages();
  expect(await packagesOf(made)).toEqual([["September", 14]]);
});

test("a clock that falls back to 2000 creates one package, and the newest months of all devices come first", async () => {
  becomes("2026-10-03T00:05:00Z");
  const [one, other] = [await aPlantInUtc(), await aPlantInUtc()];
  for (const { AI1 } of [one, other]) await plant.write(AI1, Date.parse("2026-07-15T00:00:00Z"), 90, 24 * hour);
  await plant.packAll();
  expect(await makePackages()).toBe(6);
  let sent = 0;
  const fallBack = async () => {
    await plant.write(one.AI1, Date.parse("2000-01-01T00:00:00Z") + 60_000 * sent++, 1);
    await packRange(server.world.pool, 262_968, 262_969, server.world.clock.now());
  };
  await fallBack();
  becomes("2026-11-03T00:05:00Z");
  await plant.packAll();
  const made: string[] = [];
  const { files } = server.world;
  const write: typeof files.write = async (path, content) => {
    made.push(path);
    const bytes = await files.write(path, content);
    await fallBack();
    return bytes;
  };
  await createMonthlyPackagesJob({ ...server.world, files: { ...files, write } }).run();
  const [id, otherId] = [one.device.deviceId, other.device.deviceId];
  expect(made).toEqual([
    `packages/${id}/2026-10.xlsx`,
    `packages/${otherId}/2026-10.xlsx`,
    `packages/${id}/2000-01.xlsx`,
  ]);
  expect(await makePackages(), "what came while it was made").toBe(1);
  expect(await makePackages()).toBe(0);
  // The owner signed in a month ago.
  becomes("2026-10-03T00:05:00Z");
  expect((await packagesOf(one)).at(-1)).toEqual(["January", 4]);
});
