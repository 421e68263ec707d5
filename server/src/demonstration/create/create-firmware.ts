import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { UpdateStep, VersionType } from "@telltale/contract/domains/firmware";
import { Role } from "@telltale/contract/permissions";
import { partNumberOf } from "../../modules/devices/index.ts";
import { imagesOf, saveImage } from "../../modules/firmware/index.ts";
import { versionOrder } from "../../modules/firmware/version.rules.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { World } from "../../world.ts";
import { ids } from "../plants/measured.ts";
import { after } from "../plants/moments.ts";
import { holderOf } from "../plants/people.ts";
import { insertDeviceEvent, type PlantDraft } from "./create-devices.ts";

/** Factory firmware version of the simulated devices. */
const fromTheWorks = "2.4.1";

/** Images for the simulated devices, and when the operator added them; the main device can be updated and downgraded. */
const images = [
  {
    ...{ partNumber: partNumberOf(Model.mixed, DeviceType.main), version: fromTheWorks },
    ...{ versionType: VersionType.mcu, added: [47, "13:20"] as const },
  },
  {
    ...{ partNumber: partNumberOf(Model.mixed, DeviceType.main), version: "2.5.0" },
    ...{ versionType: VersionType.mcu, added: [6, "08:35"] as const },
  },
  {
    ...{ partNumber: partNumberOf(Model.vibration, DeviceType.sub), version: fromTheWorks },
    ...{ versionType: VersionType.mesh, added: [47, "13:24"] as const },
  },
] as const;

/** The pump house came with an older version. */
const update = { deviceSnId: ids.pumpHouse, from: "2.3.8", on: [44, "10:05"], chunkSize: 4096, minutes: 3 } as const;

const size = 96 * 1024;

/** Deterministic bytes that begin with a line saying that they are not for any hardware. */
const bytesOf = (partNumber: string, version: string): Buffer => {
  const line = Buffer.from(
    `Telltale: image for the simulated ${partNumber}, version ${version}. Not for any hardware.\n`,
  );
  const parts = [line];
  for (let length = line.length, last = line; length < size; length += 64) {
    last = createHash("sha512").update(last).digest();
    parts.push(last);
  }
  return Buffer.concat(parts).subarray(0, size);
};

/** Records a successful update, with its notification. */
const makeUpdate = async (db: Database, imageId: number, being: PlantDraft): Promise<void> => {
  const { plantId, people, moments, made } = being;
  const deviceId = made.get(update.deviceSnId)?.deviceId;
  if (deviceId === undefined) return;
  const [begun, ended] = [moments.at(update.on), after(moments.at(update.on), update.minutes)];
  const { userId } = holderOf(people, Role.installer);
  await db
    .insertInto("firmware_updates")
    .values({
      ...{ plant_id: plantId, device_id: deviceId, image_id: imageId, from_version: update.from, asked_by: userId },
      ...{ step: UpdateStep.restarting, chunk_size: update.chunkSize, chunks_sent: Math.ceil(size / update.chunkSize) },
      ...{ created_time: begun, heard_time: ended, ended_time: ended },
    })
    .execute();
  await insertDeviceEvent(db, {
    ...{ plantId, deviceId, what: "firmware", msg: `Firmware updated to ${fromTheWorks}`, at: ended },
  });
  const change = { before: { version: update.from }, after: { version: fromTheWorks } };
  await audit(db, { plantId, userId, action: "firmware.update", detail: { deviceId, ...change }, now: begun });
};

/** Creates firmware images for the simulated devices, and a past update of one of them. */
export const makeFirmware = async ({ db, files }: Pick<World, "db" | "files">, being: PlantDraft): Promise<void> => {
  for (const { partNumber, version, versionType, added } of images) {
    const bytes = bytesOf(partNumber, version);
    const file = `firmware/${partNumber}-${version}-demonstration.bin` as const;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await files.write(file, Readable.from([bytes]));
    const order = versionOrder(version) ?? [];
    const image = { partNumber, version, versionOrder: order, versionType, file, size: bytes.length, sha256 };
    await saveImage(db, { ...image, addedBy: "demonstration", now: being.moments.at(added) });
  }
  const [first] = images;
  const image = (await imagesOf(db, first.partNumber)).find(({ version }) => version === first.version);
  if (image) await makeUpdate(db, image.imageId, being);
};
