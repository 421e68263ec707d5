import { downloads } from "@telltale/contract/domains/readings/downloads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partsOf, type TestExports, testExports } from "../../test/test-exports.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { sheetOf } from "../../test/test-spreadsheet.ts";
import { createMonthlyPackagesJob } from "./monthly-packages-job.ts";

let server: TestServer;
let plant: TestExports;

beforeAll(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterAll(() => server.close());

const [halfHour, hour, day] = [1_800_000, 3_600_000, 86_400_000];

/** Around the leap day with the start of summer time in the north, and around its end. */
const stretches = [
  [Date.parse("2024-02-27T00:00:00Z"), 36 * day],
  [Date.parse("2024-10-25T00:00:00Z"), 12 * day],
] as const;

/** The local month of a time, computed independently of the code under test. */
const monthOf = (ts: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "long" }).format(ts);

const countBy = (texts: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

test.each(["America/Chicago", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Cairo"])(
  "leap day and summer time: each reading is in the package of its month in %s, once",
  async (zone) => {
    const { owner, device, AI1 } = await plant.aPlant();
    const { deviceId } = device;
    await plant.setZone(deviceId, zone);
    const moments: number[] = [];
    for (const [from, length] of stretches) {
      await plant.write(AI1, from, length / halfHour, halfHour);
      for (let at = from; at < from + length; at += halfHour) moments.push(at);
    }
    await plant.pack(stretches[0][0], stretches[0][0] + 10 * hour);
    await plant.packAll();
    await createMonthlyPackagesJob(server.world).run();
    const packages = await server.as(owner)(downloads.packages, { deviceId });
    const found: Record<string, number> = {};
    const offsets: string[] = [];
    for (const { packLogId, packMonthUs, packYear } of packages) {
      const [, ...rows] = sheetOf(await partsOf(await server.as(owner)(downloads.package, { packLogId })));
      found[`${packMonthUs} ${packYear}`] = rows.length;
      offsets.push(...rows.map((row) => `${row[0]} ${row[1]}`));
    }
    expect(found).toEqual(countBy(moments.map((ts) => monthOf(ts, zone))));
    expect(new Set(offsets).size, "the repeated hour is distinguished by its offset").toBe(moments.length);
  },
);
