import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { VersionType, versionTypeLabel } from "@telltale/contract/domains/firmware";
import { existsAs, partNumberOf } from "../modules/devices/index.ts";
import { endUpdate, imagesOf, keptImages, saveImage, updatesGiving, withdrawImage } from "../modules/firmware/index.ts";
import { versionOrder } from "../modules/firmware/version.rules.ts";
import { announceChange, audit } from "../platform/database/audit.ts";
import type { FilePath } from "../platform/files/files.ts";
import { typedFile } from "../platform/installed.ts";
import { OperatorError } from "../platform/operator-error.ts";
import type { World } from "../world.ts";
import type { Row } from "./print.ts";

type Needs = Pick<World, "db" | "clock" | "files">;

/** Largest image, bytes. */
const largest = 64 * 1024 * 1024;

export interface AddFirmware {
  model: string;
  version: string;
  type: string;
  by: string;
}
export type WithdrawFirmware = Pick<AddFirmware, "model" | "version" | "by">;

const partNumbers = Object.values(Model).flatMap((model) =>
  Object.values(DeviceType)
    .filter((type) => existsAs(model, type))
    .map((type) => partNumberOf(model, type)),
);

const partNumberIn = (model: string): string => {
  const found = partNumbers.find((known) => known === model.trim().toUpperCase());
  if (!found)
    throw new OperatorError(`There is no P/N ${model}: choose one of ${[...new Set(partNumbers)].join(", ")}`);
  return found;
};

const orderIn = (version: string): number[] => {
  const order = versionOrder(version);
  if (!order) throw new OperatorError(`${version} is no version: write up to four numbers with points, such as 2.5.0`);
  return order;
};

const typeIn = (type: string): VersionType => {
  const found = Object.entries(VersionType).find(([name]) => name === type.toLowerCase());
  if (!found) throw new OperatorError(`There is no type ${type}: choose mesh or mcu`);
  return found[1];
};

const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError(`There is no file ${path}`);
  if (found.size === 0 || found.size > largest)
    throw new OperatorError(`${path} has ${found.size} bytes: an image has 1 to ${largest}`);
  return found.size;
};

/** Requires one type for all images of a P/N, since versions of different types cannot be compared. */
const checkType = async ({ db }: Needs, partNumber: string, versionType: VersionType): Promise<void> => {
  const [other] = await imagesOf(db, partNumber);
  if (other && other.versionType !== versionType)
    throw new OperatorError(`Firmware for ${partNumber} is of type ${versionTypeLabel(other.versionType)}`);
};

/** Copies an image into the server's files; returns size and digest of the copy. */
const keep = async ({ files }: Needs, from: string, file: FilePath) => {
  const hash = createHash("sha256");
  const hashed = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of parts) {
      hash.update(part);
      yield part;
    }
  };
  // A file that cannot be read ends the write, which a pipe would not.
  const size = await files.write(file, Readable.from(hashed(createReadStream(from)), { objectMode: false }));
  return { size, sha256: hash.digest("hex") };
};

/** Stores an image and offers it to the devices of its P/N. */
export const addFirmware = async (needs: Needs, path: string, options: AddFirmware): Promise<Row[]> => {
  const partNumber = partNumberIn(options.model);
  const order = orderIn(options.version);
  const versionType = typeIn(options.type);
  const from = typedFile(path);
  await sizeOf(from);
  await checkType(needs, partNumber, versionType);
  const now = needs.clock.date();
  const version = options.version.trim().replace(/^v/i, "");
  const file = `firmware/${partNumber}-${version}-${now.getTime()}.bin` as const;
  const { size, sha256 } = await keep(needs, from, file);
  const image = { partNumber, version, versionOrder: order, versionType, file, size, sha256, addedBy: options.by, now };
  const isNew = await needs.db.transaction().execute(async (trx) => {
    if (!(await saveImage(trx, image))) return false;
    const detail = { partNumber, version, sha256, madeBy: options.by };
    await audit(trx, { plantId: null, userId: null, action: "firmware.add", detail, now });
    await announceChange(trx, { plantId: null, record: "firmwareImage" });
    return true;
  });
  if (!isNew) {
    await needs.files.remove(file);
    throw new OperatorError(`There is a version ${version} for ${partNumber} already: withdraw it first`);
  }
  return [{ deviceSn: partNumber, version, type: versionTypeLabel(versionType), size, sha256 }];
};

/** Lists the offered images. */
export const listFirmware = async ({ db }: Needs): Promise<Row[]> =>
  (await keptImages(db)).map((image) => ({
    deviceSn: image.device_sn,
    version: image.version,
    type: versionTypeLabel(image.version_type),
    size: image.size,
    sha256: image.sha256,
    added: image.created_time.toISOString(),
    addedBy: image.added_by,
    updating: Number(image.under_way),
  }));

/** Withdraws an image permanently. Updates to it end, and their devices keep their current version. */
export const withdrawFirmware = async (needs: Needs, options: WithdrawFirmware): Promise<Row[]> => {
  const partNumber = partNumberIn(options.model);
  const order = orderIn(options.version);
  const now = needs.clock.date();
  const withdrawn = await needs.db.transaction().execute(async (trx) => {
    const image = await withdrawImage(trx, partNumber, order, now);
    if (!image) throw new OperatorError(`There is no version ${options.version} for ${partNumber}`);
    const ended = await updatesGiving(trx, image.image_id);
    for (const update of ended) await endUpdate(trx, update, "The version was withdrawn", now);
    const detail = { partNumber, version: image.version, madeBy: options.by };
    await audit(trx, { plantId: null, userId: null, action: "firmware.withdraw", detail, now });
    await announceChange(trx, { plantId: null, record: "firmwareImage" });
    return { ...image, ended: ended.length };
  });
  await needs.files.remove(withdrawn.file);
  return [{ deviceSn: partNumber, version: withdrawn.version, endedUpdates: withdrawn.ended }];
};
