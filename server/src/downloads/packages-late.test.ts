import { downloads } from "@telltale/contract/downloads";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMonthlyPackagesJob } from "../jobs/monthly-packages.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { partsOf, type TestExports, testExports } from "../test/test-exports.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { sheetOf } from "../test/test-spreadsheet.ts";

let server: TestServer;
let plant: TestExports;

beforeEach(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterEach(() => server.close());

const hour = 3_600_000;

const becomes = (time: string): void => server.world.clock.jump(Date.parse(time) - server.world.clock.now());
const pack = () => createTelemetry({ ...server.world, metrics: new Registry() }).packing.run();
const makePackages = () => createMonthlyPackagesJob(server.world).run();

const aPlantInUtc = async () => {
  const made = await plant.aPlant();
  await plant.setZone(made.device.deviceId, "UTC");
  return made;
};

type Plant = Awaited<ReturnType<typeof aPlantInUtc>>;

/** How many readings each package of the plant's device holds, newest month first. */
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
  await makePackages();
  expect(await packagesOf(made)).toEqual([["September", 10]]);
  becomes("2026-10-02T06:20:00Z");
  await plant.write(made.AI1, Date.parse("2026-09-30T20:00:00Z"), 34, hour);
  await pack();
  await makePackages();
  expect(await packagesOf(made)).toEqual([["September", 14]]);
});
