import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { DeviceType, Model } from "@telltale/contract/devices";
import { VersionType } from "@telltale/contract/firmware";
import { partNumberOf } from "../devices/models.ts";
import { saveImage } from "../firmware/image-queries.ts";
import { versionOrder } from "../firmware/version.rules.ts";
import type { World } from "../world.ts";

/** What the simulated devices run from the works. */
const fromTheWorks = "2.4.1";

/** Images of the simulated devices: the main device has a newer one, and can go back. */
const images = [
  { partNumber: partNumberOf(Model.mixed, DeviceType.main), version: fromTheWorks, versionType: VersionType.mcu },
  { partNumber: partNumberOf(Model.mixed, DeviceType.main), version: "2.5.0", versionType: VersionType.mcu },
  { partNumber: partNumberOf(Model.vibration, DeviceType.sub), version: fromTheWorks, versionType: VersionType.mesh },
] as const;

const size = 96 * 1024;

/** No program for any hardware: a line that says so, and bytes that are the same each time. */
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

/** Gives the simulated devices firmware to be updated to. */
export const makeFirmware = async ({ db, files }: Pick<World, "db" | "files">, now: Date): Promise<void> => {
  for (const { partNumber, version, versionType } of images) {
    const bytes = bytesOf(partNumber, version);
    const file = `firmware/${partNumber}-${version}-demonstration.bin` as const;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await files.write(file, Readable.from([bytes]));
    const order = versionOrder(version) ?? [];
    const image = { partNumber, version, versionOrder: order, versionType, file, size: bytes.length, sha256 };
    await saveImage(db, { ...image, addedBy: "demonstration", now });
  }
};
