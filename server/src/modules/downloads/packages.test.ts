import { UnreachableError } from "@telltale/contract/call/client";
import { DataType, downloads } from "@telltale/contract/domains/readings/downloads";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { partsOf, type TestExports, testExports } from "../../test/test-exports.ts";
import { anOwner } from "../../test/test-people.ts";
import { packRange } from "../../test/test-readings.ts";
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

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const hour = 3_600_000;

describe("monthly packages", () => {
  const aYearBack = Date.UTC(new Date().getUTCFullYear() - 1, 0, 15);
  const job = () => createMonthlyPackagesJob(server.world);

  test("are made once for each finished month that has readings", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    const { deviceId } = device;
    await plant.setZone(deviceId, "America/Chicago");
    await plant.write(AI1, aYearBack, 120);
    // The second of the two hours is March in UTC and still February in Chicago.
    await plant.write(AI1, Date.UTC(new Date(aYearBack).getUTCFullYear(), 2, 1, 4), 60);
    await plant.packAll();
    expect(await job().run()).toBeGreaterThanOrEqual(2);
    expect(await job().run(), "nothing is made twice").toBe(0);
    const packages = await server.as(owner)(downloads.packages, { deviceId });
    const year = new Date(aYearBack).getUTCFullYear();
    expect(packages.map((each) => [each.packMonthUs, each.packYear])).toEqual([
      ["February", year],
      ["January", year],
    ]);
    expect(packages[1]?.packUrl).toBe(`/api/download/package?packLogId=${packages[1]?.packLogId}`);

    const packLogId = packages[1]?.packLogId ?? 0;
    const get = async () => sheetOf(await partsOf(await server.as(owner)(downloads.package, { packLogId })));
    const sheet = await get();
    expect(sheet).toHaveLength(121);
    await server.world.files.write(
      `packages/${deviceId}/${year}-01.xlsx`,
      await import("node:stream").then(({ Readable }) => Readable.from(["x"])),
    );
    await expect(get(), "it is the file that is answered").rejects.toThrow();

    await server.as(owner)(downloads.log, { packLogId });
    const { data } = await server.as(owner)(downloads.history, {});
    expect(data).toMatchObject([{ deviceId, startTime: new Date(Date.UTC(year, 0, 1, 6)) }]);
  });

  test("are generated on download if their file is missing", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    await plant.write(AI1, aYearBack, 10);
    await plant.packAll();
    const writes = { ...server.world, files: { ...server.world.files, write: async () => 0 } };
    expect(await createMonthlyPackagesJob(writes).run()).toBe(1);
    const newest = { deviceId: device.deviceId, type: DataType.consolidated };
    const sheet = sheetOf(await partsOf(await server.as(owner)(downloads.export, newest)));
    expect(sheet).toHaveLength(11);
  });

  test("are generated on download if their file cannot be read now, unless their readings are only in it", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    await plant.write(AI1, aYearBack, 10);
    await plant.packAll();
    expect(await job().run()).toBe(1);
    const newest = { deviceId: device.deviceId, type: DataType.consolidated };
    const get = async () => sheetOf(await partsOf(await server.as(owner)(downloads.export, newest)));
    const reading = vi.spyOn(server.world.files, "read").mockRejectedValue(new Error("NATS cannot be reached"));
    onTestFinished(() => reading.mockRestore());
    expect(await get()).toHaveLength(11);
    await server.world.pool.query("UPDATE devices SET readings_from = now() WHERE device_id = $1", [device.deviceId]);
    await expect(get()).rejects.toThrow(UnreachableError);
  });

  test("are made again when readings come late, also while they are made", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    const { pool, clock } = server.world;
    const late = async (from: number) => {
      await plant.write(AI1, from, 10);
      await packRange(pool, Math.floor(from / hour), Math.floor(from / hour) + 1, clock.now());
    };
    const newest = { deviceId: device.deviceId, type: DataType.consolidated };
    const rows = async () => sheetOf(await partsOf(await server.as(owner)(downloads.export, newest))).length - 1;
    await late(aYearBack);
    await job().run();
    expect(await rows()).toBe(10);
    await late(aYearBack + hour);
    await job().run();
    expect(await rows()).toBe(20);

    await late(aYearBack + 2 * hour);
    const { files } = server.world;
    const slow: typeof files.write = async (path, content) => {
      const bytes = await files.write(path, content);
      await late(aYearBack + 3 * hour);
      return bytes;
    };
    await createMonthlyPackagesJob({ ...server.world, files: { ...files, write: slow } }).run();
    expect(await rows(), "what its file lacks is not lost on whoever downloads it").toBe(40);
    expect(await job().run()).toBe(1);
    expect(await rows()).toBe(40);
    expect(await job().run()).toBe(0);
  });

  test("continue where they were interrupted", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    await plant.write(AI1, aYearBack, 10);
    await plant.packAll();
    const broken = {
      ...server.world,
      files: { ...server.world.files, write: () => Promise.reject(new Error("disk full")) },
    };
    expect(await createMonthlyPackagesJob(broken).run()).toBe(0);
    const list = () => server.as(owner)(downloads.packages, { deviceId: device.deviceId });
    expect(await list()).toEqual([]);
    expect(await job().run()).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  test("of other plants are not found", async () => {
    const { device } = await plant.aPlant();
    const stranger = server.as(await anOwner(server.world));
    await expect(stranger(downloads.packages, { deviceId: device.deviceId })).rejects.toEqual(refusal(404));
    await expect(
      stranger(downloads.export, { deviceId: device.deviceId, type: DataType.consolidated }),
    ).rejects.toEqual(refusal(404));
  });
});
