import { deviceLimits } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import { firmware, VersionType } from "@telltale/contract/domains/firmware";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anImage, aUnit, type TestImage } from "../../test/test-firmware.ts";
import { anOwner } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";
import { readImage } from "./chunks.ts";
import { createFirmwareJob } from "./silent-updates-job.ts";

const version = "2.5.0";
const minute = 60_000;

describe("a device that fetches an image whole", () => {
  let world: DeviceWorld;
  let app: FastifyInstance;
  let image: TestImage;
  let device: TestDevice;
  beforeAll(async () => {
    world = await createDeviceWorld();
    app = await buildApp(world, { callDevice: world.gateway.callDevice, deviceApi: world.gateway.http });
    image = await anImage(world, { model: "MIX-420-10", version, size: 1_000_000 });
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });
  beforeEach(async () => {
    const owner = await anOwner(world);
    device = await aDevice(world, owner, { model: Model.mixed });
    await aUnit(world, device, "2.4.1");
    const as = clientsOf(app)(owner);
    await vi.waitUntil(async () => (await as(firmware.detail, { deviceId: device.deviceId })).status === 2);
    const { deviceSnId } = device;
    await as(firmware.update, { deviceSnId, versionNo: version, versionType: VersionType.mcu });
  });

  const get = (query: string) => app.inject({ method: "GET", url: `/api/v1/${device.accessToken}/firmware?${query}` });
  const isOpen = async () => {
    const { rows } = await world.pool.query("SELECT ended_time FROM firmware_updates WHERE device_id = $1", [
      device.deviceId,
    ]);
    return rows.every(({ ended_time }) => ended_time === null);
  };

  test("gets chunks of the largest size afterwards, where it names none", async () => {
    const whole = await get("size=0");
    expect(whole.rawPayload.equals(image.bytes)).toBe(true);
    const chunk = await get("chunk=1");
    expect(chunk.statusCode).toBe(200);
    const { firmwareChunk } = deviceLimits;
    expect(chunk.rawPayload.equals(image.bytes.subarray(firmwareChunk, 2 * firmwareChunk))).toBe(true);
  });

  test("keeps its update for as long as it reads, however slow its link is, and no longer", async () => {
    const job = createFirmwareJob(world);
    const answer = await readImage(world, device.deviceId, {});
    if (!("content" in answer)) throw new Error(answer.refusal);
    let length = 0;
    for await (const part of answer.content) {
      length += part.length;
      world.clock.pass(2 * minute);
      await job.run();
      expect(await isOpen(), `after ${length} bytes`).toBe(true);
    }
    expect(length).toBe(image.bytes.length);
    world.clock.pass(13 * minute);
    await job.run();
    expect(await isOpen()).toBe(false);
  });
});
