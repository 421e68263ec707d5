import { createHash } from "node:crypto";
import type { Client } from "@telltale/contract/call/client";
import { firmwareOfferKeys, httpPath, topics } from "@telltale/contract/device-api";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { DeviceStatus, DeviceType, Model } from "@telltale/contract/domains/devices";
import { firmware, UpdateStatus, UpdateStep, VersionType } from "@telltale/contract/domains/firmware";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { withdrawFirmware } from "../../operator/firmware.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anImage, aUnit, fetchImage, type TestImage, type TestUnit } from "../../test/test-firmware.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";
import { createFirmwareJob } from "./silent-updates-job.ts";

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let device: TestDevice;
let unit: TestUnit;
let image: TestImage;

const model = "MIX-420-10";
const size = 4096;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice, deviceApi: world.gateway.http });
  image = await anImage(world, { model, version: "2.5.0" });
  await anImage(world, { model, version: "2.4.1" });
});
beforeEach(async () => {
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  device = await aDevice(world, owner, { name: "Pump house", model: Model.mixed });
  unit = await aUnit(world, device, "2.4.1");
  await vi.waitUntil(async () => (await row()).versionNo === "2.4.1" && (await row()).status === 2);
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const row = ({ deviceId }: TestDevice = device) => as(firmware.detail, { deviceId });
const update = (versionNo = "2.5.0", { deviceSnId }: TestDevice = device, versionType: number = VersionType.mcu) =>
  as(firmware.update, { deviceSnId, versionNo, versionType });
const offered = async (version = "2.5.0", to: TestUnit = unit) =>
  vi.waitUntil(() => to.attributes.find(({ fw_version }) => fw_version === version));
const ended = async () => {
  await vi.waitUntil(async () => (await row()).updateStatus === UpdateStatus.idle);
  return row();
};
const install = async (version = "2.5.0") => {
  await update(version);
  await offered(version);
  await fetchImage(unit, size);
  await unit.report({ current_fw_version: version, fw_state: "UPDATED" });
  return ended();
};

test("the list is filtered by the devices' status, as every list is", async () => {
  await aDevice(world, owner, { name: "In its box" });
  const named = async (...status: number[]) =>
    (await as(firmware.list, { status })).data.map(({ deviceName }) => deviceName);
  expect(await named(DeviceStatus.normal)).toEqual(["Pump house"]);
  expect(await named(DeviceStatus.inactive)).toEqual(["In its box"]);
  expect(await named(DeviceStatus.normal, DeviceStatus.inactive)).toHaveLength(2);
});

describe("a device that is offered a newer version", () => {
  test("gets title, size and digest, downloads the image in chunks, and is shown with its new version", async () => {
    expect(await row()).toMatchObject({ versionStatus: "NEW", latestVersion: "2.5.0", updateTime: null, failure: "" });
    await update();
    const offer = await offered();
    expect(offer).toMatchObject({ fw_title: model, fw_size: image.bytes.length, fw_checksum_algorithm: "SHA256" });
    expect(offer?.fw_checksum).toBe(image.sha256);
    await vi.waitUntil(() => unit.commands.some(({ method }) => method === "updateFirmware"));
    expect(await row()).toMatchObject({ updateStatus: 2, progress: { step: UpdateStep.offered, chunk: 0, chunks: 0 } });

    await unit.report({ current_fw_version: "2.4.1", fw_state: "DOWNLOADING" });
    const parts = [await unit.chunk(0, size), await unit.chunk(1, size)];
    expect((await row()).progress).toEqual({ step: UpdateStep.downloading, versionNo: "2.5.0", chunk: 2, chunks: 3 });
    parts.push(await unit.chunk(2, size));
    const fetched = Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0)));
    expect(createHash("sha256").update(fetched).digest("hex")).toBe(image.sha256);
    expect(await unit.chunk(3, size), "beyond its end there is nothing").toHaveLength(0);

    for (const [state, step] of [
      ["DOWNLOADED", UpdateStep.downloaded],
      ["VERIFIED", UpdateStep.verified],
      ["UPDATING", UpdateStep.restarting],
    ] as const) {
      await unit.report({ current_fw_version: "2.4.1", fw_state: state, fw_checksum: image.sha256 });
      expect((await row()).progress?.step, state).toBe(step);
    }
    await unit.report({ current_fw_title: model, current_fw_version: "2.5.0", fw_state: "UPDATED" });
    expect(await row()).toMatchObject({
      versionNo: "2.5.0",
      versionStatus: "NONE",
      rollbackVersion: "2.4.1",
      updateStatus: UpdateStatus.idle,
      updateTime: world.clock.date(),
      progress: null,
      failure: "",
    });
  });

  test("may report it as firmwareVersion, or among its readings, as ThingsBoard's devices do", async () => {
    await update();
    await offered();
    const facts = { current_fw_title: model, current_fw_version: "2.4.1", fw_state: "DOWNLOADING", AI1: 4 };
    await unit.client.publishAsync(topics.telemetry, JSON.stringify(facts), { qos: 1 });
    expect((await row()).progress?.step).toBe(UpdateStep.downloading);
    expect(await world.readings(device, "AI1")).toMatchObject([{ value: 4 }]);
    await unit.client.publishAsync(topics.attributes, JSON.stringify({ firmwareVersion: "2.5.0" }), { qos: 1 });
    expect(await row()).toMatchObject({ versionNo: "2.5.0", updateStatus: UpdateStatus.idle, failure: "" });
  });

  test("leaves a notification, and the audit log says who asked", async () => {
    await install();
    const { data } = await as(alerts.notifications);
    expect(data.map(({ msg }) => msg)).toContain("Firmware updated to 2.5.0");
    const { data: log } = await as(audit.list);
    const entry = log.find(({ action }) => action === "firmware.update");
    expect(entry).toMatchObject({ email: owner.email, target: "Pump house" });
    expect(entry?.changes).toEqual([{ field: "version", before: "2.4.1", after: "2.5.0" }]);
  });
});

describe("a download that is interrupted", () => {
  test("goes on where it was: the offer and the progress are in the database", async () => {
    await update();
    await offered();
    const first = await unit.chunk(0, size);
    await unit.client.endAsync(true);
    expect(await row()).toMatchObject({ updateStatus: 2, progress: { chunk: 1, chunks: 3 } });
    const back = await aUnit(world, device, "2.4.1");
    await offered("2.5.0", back);
    const rest = await fetchImage(back, size, 1);
    expect(Buffer.concat([first ?? Buffer.alloc(0), rest]).equals(image.bytes)).toBe(true);
  });

  test("is ended after too long a silence, with its progress, and the offer is withdrawn", async () => {
    await update();
    await offered();
    await unit.chunk(0, size);
    world.clock.pass(30 * 60_000);
    await createFirmwareJob(world).run();
    expect((await row()).failure).toBe("2.5.0: The download stopped at chunk 1 of 3 and was not taken up again");
    await vi.waitUntil(() => unit.attributes.some(({ deleted }) => deleted !== undefined));
    expect(unit.attributes.at(-1)).toEqual({ deleted: [...firmwareOfferKeys] });
    expect(await unit.chunk(1, size)).toBeUndefined();
    expect(unit.errors.at(-1)).toBe("No firmware is offered to this device");
  });
});

describe("an update that fails", () => {
  test("because of a wrong digest is ended with the reason, and the device keeps what it runs", async () => {
    await update();
    await offered();
    const wrong = createHash("sha256").update("another image").digest("hex");
    await unit.report({ current_fw_version: "2.4.1", fw_state: "VERIFIED", fw_checksum: wrong });
    expect(await row()).toMatchObject({ versionNo: "2.4.1", versionStatus: "NEW", updateStatus: 0 });
    expect((await row()).failure).toContain(
      `its SHA-256 begins ${wrong.slice(0, 12)} and not ${image.sha256.slice(0, 12)}`,
    );
    expect(await unit.chunk(0, size), "nothing more is sent").toBeUndefined();
    const { data } = await as(alerts.notifications);
    expect(data.some(({ msg }) => msg.startsWith("Firmware update to 2.5.0 failed"))).toBe(true);
  });

  test("because the new image did not start says so, and can be tried again", async () => {
    await update();
    await offered();
    await unit.report({ current_fw_version: "2.4.1", fw_state: "FAILED", fw_error: "2.5.0 did not start" });
    expect((await row()).failure).toBe("2.5.0: 2.5.0 did not start");
    expect(await install()).toMatchObject({ versionNo: "2.5.0", failure: "" });
  });

  test.each([
    ["its answer", { success: false, error: "Pumping" }],
    ["an answer that PostgreSQL would not take", { success: false, error: "Pump\u0000ing" }],
    ["an answer as thingsboard-gateway passes it on", { result: { success: false, error: "Pumping" } }],
  ])("because the device refuses it, is ended by %s", async (_what, refusal) => {
    unit.client.on("message", (topic) => {
      if (!topic.startsWith(topics.rpcRequest)) return;
      const answer = JSON.stringify(refusal);
      unit.client.publish(topics.rpcResponse + topic.slice(topics.rpcRequest.length), answer);
    });
    await update();
    expect((await ended()).failure).toBe("2.5.0: The device refused: Pumping");
  });

  test("because the version was withdrawn, ends at once; it is on offer no more", async () => {
    await anImage(world, { model, version: "2.6.0" });
    await update("2.6.0");
    await offered("2.6.0");
    await withdrawFirmware(world, { model, version: "2.6.0", by: "test" });
    expect(await row()).toMatchObject({ latestVersion: "2.5.0", failure: "2.6.0: The version was withdrawn" });
    await vi.waitUntil(() => unit.attributes.some(({ deleted }) => deleted !== undefined));
    await expect(update("2.6.0")).rejects.toMatchObject({ message: "There is no version 2.6.0 for MIX-420-10" });
  });
});

test("an image whose file is gone ends the update, and not the device's connection", async () => {
  await anImage(world, { model, version: "2.7.0" });
  await update("2.7.0");
  await offered("2.7.0");
  const { rows } = await world.pool.query<{ file: string }>("SELECT file FROM firmware_images WHERE version = '2.7.0'");
  await world.files.remove(rows[0]?.file ?? "");
  expect(await unit.chunk(0, size)).toBeUndefined();
  expect((await row()).failure).toBe("2.7.0: The server no longer has the image");
  expect(unit.client.connected).toBe(true);
  await withdrawFirmware(world, { model, version: "2.7.0", by: "test" });
});

test("a device goes back to the version that it ran before, and may then be updated again", async () => {
  await install();
  expect(await install("2.4.1")).toMatchObject({ versionNo: "2.4.1", rollbackVersion: null, versionStatus: "NEW" });
  const { data } = await as(audit.list);
  expect(data[0]).toMatchObject({ action: "firmware.rollback" });
  expect(await install()).toMatchObject({ versionNo: "2.5.0", rollbackVersion: "2.4.1" });
});

describe("devices without a connection of their own", () => {
  test("get their chunks through their master, and only their own", async () => {
    const sub = { model: Model.vibration, deviceType: DeviceType.sub, parentDeviceId: device.deviceId };
    const sensor = await aDevice(world, owner, { name: "Drive end", ...sub });
    const stranger = await aDevice(world, await anOwner(world), { model: Model.vibration });
    const mesh = await anImage(world, { model: sensor.deviceSn, version: "1.1.0", type: "mesh", size: 3000 });
    const message = { [sensor.deviceSnId]: { firmwareVersion: "1.0.0" } };
    await unit.client.publishAsync(topics.gateway.attributes, JSON.stringify(message), { qos: 1 });
    await vi.waitUntil(async () => (await row(sensor)).status === 2);
    await update("1.1.0", sensor, VersionType.mesh);
    const received = await vi.waitUntil(() => unit.attributes.find((content) => content.device === sensor.deviceSnId));
    expect(received).toMatchObject({ data: { fw_version: "1.1.0", fw_checksum: mesh.sha256 } });
    const ask = (who: TestDevice) => unit.chunk(0, JSON.stringify({ device: who.deviceSnId, size }));
    expect((await ask(sensor))?.equals(mesh.bytes)).toBe(true);
    expect(await ask(stranger)).toBeUndefined();
    expect(unit.errors.at(-1)).toBe(`${stranger.deviceSnId} does not report through this device`);
    const done = { [sensor.deviceSnId]: { current_fw_version: "1.1.0", fw_state: "UPDATED" } };
    await unit.client.publishAsync(topics.gateway.attributes, JSON.stringify(done), { qos: 1 });
    expect(await row(sensor)).toMatchObject({ versionNo: "1.1.0", updateStatus: 0, versionType: VersionType.mesh });
  });

  test("fetch the offer and the chunks by HTTP", async () => {
    await update();
    const get = (kind: "attributes" | "firmware", query: string) =>
      app.inject({ method: "GET", url: `${httpPath(device.accessToken, kind)}?${query}` });
    const { shared } = (await get("attributes", "sharedKeys=fw_title,fw_version")).json();
    expect(shared).toEqual({ fw_title: model, fw_version: "2.5.0" });
    const chunk = await get("firmware", `title=${model}&version=2.5.0&size=${size}&chunk=1`);
    expect(chunk.headers["content-type"]).toBe("application/octet-stream");
    expect(chunk.rawPayload.equals(image.bytes.subarray(size, 2 * size))).toBe(true);
    expect((await row()).progress).toMatchObject({ chunk: 2, chunks: 3 });
    expect((await get("firmware", `title=${model}&version=2.4.1&size=${size}&chunk=0`)).statusCode).toBe(404);
    expect((await get("firmware", `title=${model}&version=2.5.0&size=70000&chunk=0`)).statusCode).toBe(400);
    expect((await app.inject({ method: "GET", url: `${httpPath("nobody", "firmware")}?chunk=0` })).statusCode).toBe(
      401,
    );
  });
});
