import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "@telltale/contract/call/codes";
import { addDeviceLink } from "@telltale/contract/domains/fleet/add-device-link";
import { LabelSheet, labels } from "@telltale/contract/domains/fleet/labels";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PrintLabels, printLabels } from "../../operator/labels.ts";
import { aDevice, anUnclaimedDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "telltale-labels-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server.close();
});

/** Sheets of a PDF. */
const sheetsOf = (pdf: Uint8Array): number =>
  Buffer.from(pdf)
    .toString("latin1")
    .match(/\/Type \/Page\n/g)?.length ?? 0;

test("a QR code's link opens Add device, whatever the device ID", () => {
  const link = new URL(addDeviceLink("https://console.test", "a&b=c#d 7Č"));
  expect([link.pathname, link.searchParams.get("id")]).toEqual(["/addDevice", "a&b=c#d 7Č"]);
});

describe("labels of a plant", () => {
  test("are a PDF of all devices, or of those that are chosen, after the labels that are used", async () => {
    const owner = await anOwner(server.world);
    const ids: number[] = [];
    for (let n = 0; n < 9; n += 1)
      ids.push((await aDevice(server.world, owner, { name: `Насос 😀 ${n} ${"x".repeat(50)}` })).deviceId);
    const pdf = async (input: { deviceIds?: number[]; skip?: number; sheet?: LabelSheet }) =>
      new Uint8Array(await (await server.as(owner)(labels.pdf, { sheet: LabelSheet.large, ...input })).arrayBuffer());
    const all = await pdf({});
    expect(Buffer.from(all.subarray(0, 5)).toString()).toBe("%PDF-");
    expect(sheetsOf(all)).toBe(1);
    expect(sheetsOf(await pdf({ skip: 6 }))).toBe(2);
    expect(sheetsOf(await pdf({ skip: 6, deviceIds: ids.slice(0, 8) }))).toBe(1);
    expect(sheetsOf(await pdf({ skip: 6, sheet: LabelSheet.small }))).toBe(1);
  });

  test("are for owners and admins, of devices of the plant only", async () => {
    const owner = await anOwner(server.world);
    const { deviceId } = await aDevice(server.world, await anOwner(server.world));
    const asOwner = server.as(owner);
    await expect(asOwner(labels.pdf, { sheet: 1 })).rejects.toMatchObject({ code: Code.conflict });
    await aDevice(server.world, owner);
    await expect(asOwner(labels.pdf, { sheet: 1, deviceIds: [deviceId] })).rejects.toMatchObject({
      code: Code.notFound,
    });
    const manager = server.as(await aDeviceManager(server.world, owner));
    await expect(manager(labels.pdf, { sheet: 1 })).rejects.toMatchObject({ code: Code.notAllowed });
  });
});

describe("telltale devices labels", () => {
  const print = (file: string, deviceSnIds: string[] = [], more: Partial<PrintLabels> = {}) => {
    const place = { databaseUrl: server.world.url, adminUrl: server.world.url };
    const operator = { ...server.world, dataDir: folder, place };
    return printLabels(operator, { file: join(folder, file), deviceSnIds, sheet: "21", skip: 0, ...more });
  };

  test("writes a new file with the units that no plant has, or with those that are named", async () => {
    const unit = await anUnclaimedDevice(server.world);
    const claimed = await aDevice(server.world, await anOwner(server.world));
    const free = await print("free.pdf");
    expect(free).toContainEqual({ deviceSnId: unit.deviceSnId, deviceSn: unit.deviceSn });
    expect(free.map(({ deviceSnId }) => deviceSnId)).not.toContain(claimed.deviceSnId);
    expect(sheetsOf(await readFile(join(folder, "free.pdf")))).toBe(1);
    expect(await print("named.pdf", [claimed.deviceSnId], { skip: 20, sheet: "48" })).toHaveLength(1);
    await expect(print("free.pdf")).rejects.toThrow("exists already");
    await expect(print("b.pdf", ["nobody"])).rejects.toThrow("There is no device nobody");
    await expect(print("b.pdf", [], { sheet: "9" })).rejects.toThrow("14, 21, 48");
  });
});
