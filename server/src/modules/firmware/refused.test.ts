import type { Client } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { deviceLimits, topics } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { firmware, VersionType } from "@telltale/contract/domains/firmware";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { addFirmware } from "../../operator/firmware.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anImage, aUnit, type TestUnit } from "../../test/test-firmware.ts";
import { anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let device: TestDevice;
let unit: TestUnit;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice });
  for (const version of ["2.3.0", "2.4.1", "2.5.0"]) await anImage(world, { model: "MIX-420-10", version });
  await anImage(world, { model: "AIS-420-16", version: "3.0.0" });
});
beforeEach(async () => {
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  device = await aDevice(world, owner, { name: "Pump house", model: Model.mixed });
  unit = await aUnit(world, device, "2.4.1");
  await vi.waitUntil(async () => {
    const row = await as(firmware.detail, { deviceId: device.deviceId });
    return row.status === 2 && row.versionNo === "2.4.1";
  });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const refusal = (code: number, message: string) => expect.objectContaining({ code, message });
const update = (versionNo: string, to: { deviceSnId: string } = device, versionType: number = VersionType.mcu) =>
  as(firmware.update, { deviceSnId: to.deviceSnId, versionNo, versionType });
const progress = async () => (await as(firmware.detail, { deviceId: device.deviceId })).progress;

describe("an update is refused with its reason", () => {
  test("to a version for another model", async () => {
    await expect(update("3.0.0")).rejects.toEqual(
      refusal(Code.invalid, "Version 3.0.0 is for AIS-420-16, and Pump house is MIX-420-10. Choose one for its P/N"),
    );
  });

  test("to an older version that is not the one it can go back to", async () => {
    await expect(update("2.3.0")).rejects.toEqual(
      refusal(
        Code.invalid,
        "Version 2.3.0 is older than 2.4.1, which Pump house runs. There is none that it could go back to",
      ),
    );
  });

  test("to a version that does not exist, or is of another type, or runs already", async () => {
    await expect(update("9.9.9")).rejects.toEqual(refusal(Code.invalid, "There is no version 9.9.9 for MIX-420-10"));
    await expect(update("../2.5.0")).rejects.toEqual(
      refusal(Code.invalid, "There is no version ../2.5.0 for MIX-420-10"),
    );
    await expect(update("2.5.0", device, VersionType.mesh)).rejects.toEqual(
      refusal(Code.invalid, "Version 2.5.0 for MIX-420-10 is of type MCU"),
    );
    await expect(update("2.4.1")).rejects.toEqual(refusal(Code.conflict, "Pump house runs 2.4.1 already"));
  });

  test("while another one runs; of two at the same moment one is begun", async () => {
    const both = await Promise.allSettled([update("2.5.0"), update("2.5.0")]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(update("2.5.0")).rejects.toEqual(
      refusal(Code.conflict, "Pump house is being updated to 2.5.0. Please wait until that update has ended"),
    );
    const { rows } = await world.pool.query("SELECT 1 FROM firmware_updates WHERE device_id = $1", [device.deviceId]);
    expect(rows).toHaveLength(1);
  });

  test("of a device that was never heard, is disabled, or is offline", async () => {
    const silent = await aDevice(world, owner, { name: "Tank farm", model: Model.mixed });
    await expect(update("2.5.0", silent)).rejects.toEqual(
      refusal(Code.conflict, "Tank farm is inactive. It can be updated when it is enabled and has sent data"),
    );
    const set = (columns: string) =>
      world.pool.query(`UPDATE devices SET ${columns} WHERE device_id = $1`, [device.deviceId]);
    await set("is_disabled = true");
    await expect(update("2.5.0")).rejects.toMatchObject({ code: Code.conflict });
    await set("is_disabled = false, is_online = false");
    await expect(update("2.5.0")).rejects.toEqual(
      refusal(Code.conflict, "Pump house is offline. It can be updated when it is online"),
    );
    await set("is_online = true, expire_time = created_time");
    await expect(update("2.5.0")).rejects.toEqual(
      refusal(Code.conflict, "A payment is due for Pump house. It can be updated when that is paid"),
    );
    expect(await progress()).toBeNull();
  });

  test("of another plant's device, and by those who only look", async () => {
    const foreign = await aDevice(world, await anOwner(world), { model: Model.mixed });
    await expect(update("2.5.0", foreign)).rejects.toEqual(refusal(Code.notFound, Message.notFound));
    await expect(as(firmware.detail, { deviceId: foreign.deviceId })).rejects.toMatchObject({ code: Code.notFound });
    const input = { deviceSnId: device.deviceSnId, versionNo: "2.5.0", versionType: VersionType.mcu };
    for (const person of [await aSupportView(world, owner), await aViewer(world, owner)])
      await expect(clientsOf(app)(person)(firmware.update, input)).rejects.toMatchObject({ code: Code.notAllowed });
  });
});

describe("a chunk is refused", () => {
  test("to a device that is offered nothing", async () => {
    expect(await unit.chunk(0, 4096)).toBeUndefined();
    expect(unit.errors).toEqual(["No firmware is offered to this device"]);
  });

  test("when it is too large, has no size, or is no number; the device stays connected", async () => {
    await update("2.5.0");
    for (const size of [deviceLimits.firmwareChunk + 1, 0, -5, 1.5, "much", "[]", '{"size":"all"}'])
      expect(await unit.chunk(0, size), String(size)).toBeUndefined();
    expect(new Set(unit.errors)).toEqual(new Set(["A chunk has 1 to 65536 bytes, and chunks are counted from 0"]));
    expect(await unit.chunk(0, deviceLimits.firmwareChunk), "the largest there is").toHaveLength(10_000);
    expect(unit.client.connected).toBe(true);
  });

  test("of another device, by a device that is not its master", async () => {
    const other = await aDevice(world, owner, { model: Model.mixed });
    expect(await unit.chunk(0, JSON.stringify({ device: other.deviceSnId, size: 100 }))).toBeUndefined();
    expect(unit.errors.at(-1)).toBe(`${other.deviceSnId} does not report through this device`);
  });

  test("and a flood of requests is bounded", async () => {
    await update("2.5.0");
    const flood = Array.from({ length: 200 }, (_, at) =>
      unit.client.publishAsync(`${topics.firmware.request}7/chunk/0`, String(1000 + at), { qos: 1 }),
    );
    await Promise.all(flood);
    expect(unit.client.connected).toBe(true);
    expect((await progress())?.chunk).toBe(1);
  });
});

describe("the operator", () => {
  const add = (path: string, input: Partial<Parameters<typeof addFirmware>[2]>) =>
    addFirmware(world, path, { model: "MIX-420-10", version: "7.0.0", type: "mcu", by: "test", ...input });

  test("gets an error that names what is wrong with an image", async () => {
    const file = import.meta.filename;
    await expect(add("/nowhere/image.bin", {})).rejects.toThrow("There is no file /nowhere/image.bin");
    await expect(add(file, { model: "PUMP" })).rejects.toThrow(/^There is no P\/N PUMP: choose one of AIS-420-16, /);
    await expect(add(file, { version: "latest" })).rejects.toThrow(/^latest is no version/);
    await expect(add(file, { type: "radio" })).rejects.toThrow("There is no type radio: choose mesh or mcu");
    await expect(add(file, { type: "mesh" })).rejects.toThrow("Firmware for MIX-420-10 is of type MCU");
    await expect(add(file, { version: "v2.5" })).rejects.toThrow("There is a version 2.5 for MIX-420-10 already");
  });
});
