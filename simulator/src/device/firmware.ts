import { createHash } from "node:crypto";
import { type FirmwareFacts, type FirmwareOffer, FirmwareState } from "@telltale/contract/device-api";
import type { Device } from "./device.ts";
import { FirmwareFault } from "./firmware-fault.ts";

/** Chunk size in bytes: what a small unit writes to its flash at once. */
export const chunkSize = 2048;
/** Delay between chunks, duration of the installation, and timeout of an answer, milliseconds. */
const times = { chunk: 120, install: 900, answer: 10_000 } as const;

/** How the device reaches the server. */
export interface FirmwareNeeds {
  device: Device;
  ask: (chunk: number, size: number) => void;
  publish: (facts: FirmwareFacts) => void;
  restart: () => void;
  /** Drops the connection briefly. */
  lose: () => void;
}

/** The firmware client of a device: downloads an image in chunks, verifies it, restarts, and reports the running version. */
export interface FirmwareClient {
  /** Handles shared attributes: starts on an offer, and aborts when it is withdrawn. */
  handleAttributes: (attributes: Record<string, unknown>) => void;
  /** Handles a requested chunk. */
  take: (chunk: number, bytes: Buffer) => void;
}

const offerIn = (attributes: Record<string, unknown>): FirmwareOffer | undefined => {
  const { fw_title, fw_version, fw_size, fw_checksum } = attributes;
  const isOffer = typeof fw_version === "string" && typeof fw_size === "number" && typeof fw_checksum === "string";
  if (!isOffer) return undefined;
  return { fw_title: String(fw_title), fw_version, fw_size, fw_checksum, fw_checksum_algorithm: "SHA256" };
};

/** Complete settings without an offer, or its explicit removal. */
const isTakenBack = ({ deleted, reportInterval }: Record<string, unknown>): boolean =>
  (Array.isArray(deleted) && deleted.includes("fw_version")) || reportInterval !== undefined;

/** The downloaded part of an image. It survives a lost connection, like flash memory. */
interface Download {
  offer: FirmwareOffer;
  parts: Buffer[];
  isComplete: boolean;
  timer: NodeJS.Timeout | undefined;
}

const imageOf = ({ parts }: Download, isDamaged: boolean): Buffer => {
  const image = Buffer.concat(parts);
  if (isDamaged) image[0] = 255 - (image[0] ?? 0);
  return image;
};

/** Consumes the injected fault if it is this one. */
const consumesFault = (device: Device, fault: FirmwareFault): boolean => {
  if (device.firmwareFault !== fault) return false;
  device.firmwareFault = undefined;
  return true;
};

/** State of an update. */
interface Updating extends FirmwareNeeds {
  download: Download | undefined;
  /** The digest of an image that did not start; reported when the device is back. */
  rejected: string | undefined;
}

const report = ({ device, publish }: Updating, state: FirmwareState, more: FirmwareFacts = {}): void =>
  publish({ current_fw_version: device.firmwareVersion, fw_state: state, ...more });

const after = (unit: Updating, at: Download, milliseconds: number, work: () => void): void => {
  clearTimeout(at.timer);
  at.timer = setTimeout(() => {
    if (unit.download === at) work();
  }, milliseconds).unref();
};

const giveUp = (unit: Updating): void => {
  clearTimeout(unit.download?.timer);
  unit.download = undefined;
};

const askNext = (unit: Updating, at: Download): void => {
  if (!unit.device.isSilent) unit.ask(at.parts.length, chunkSize);
  after(unit, at, times.answer, () => askNext(unit, at));
};

const install = (unit: Updating, { offer }: Download): void => {
  giveUp(unit);
  if (consumesFault(unit.device, FirmwareFault.noStart)) unit.rejected = offer.fw_checksum;
  else unit.device.firmwareVersion = offer.fw_version;
  unit.restart();
};

const check = (unit: Updating, at: Download): void => {
  at.isComplete = true;
  report(unit, FirmwareState.downloaded);
  const image = imageOf(at, consumesFault(unit.device, FirmwareFault.corruption));
  const digest = createHash("sha256").update(image).digest("hex");
  if (image.length !== at.offer.fw_size || digest !== at.offer.fw_checksum) {
    giveUp(unit);
    report(unit, FirmwareState.failed, { fw_checksum: digest, fw_error: "The image is damaged" });
    return;
  }
  report(unit, FirmwareState.verified, { fw_checksum: digest });
  report(unit, FirmwareState.updating);
  after(unit, at, times.install, () => install(unit, at));
};

/** Starts a download, or resumes it. */
const startOrResume = (unit: Updating, offer: FirmwareOffer): void => {
  const isUnderWay = unit.download?.offer.fw_checksum === offer.fw_checksum;
  if (isUnderWay && unit.download?.isComplete) return;
  if (!isUnderWay) {
    giveUp(unit);
    unit.download = { offer, parts: [], isComplete: false, timer: undefined };
    report(unit, FirmwareState.downloading);
  }
  if (unit.download) askNext(unit, unit.download);
};

const handleAttributes = (unit: Updating, attributes: Record<string, unknown>): void => {
  const offer = offerIn(attributes);
  if (!offer) {
    if (!isTakenBack(attributes)) return;
    unit.rejected = undefined;
    giveUp(unit);
  } else if (offer.fw_checksum === unit.rejected)
    report(unit, FirmwareState.failed, { fw_error: `${offer.fw_version} did not start` });
  else if (offer.fw_version === unit.device.firmwareVersion) report(unit, FirmwareState.updated);
  else startOrResume(unit, offer);
};

const isHalfWay = ({ parts, offer }: Download): boolean => parts.length * chunkSize * 2 >= offer.fw_size;

const take = (unit: Updating, chunk: number, bytes: Buffer): void => {
  const at = unit.download;
  // A chunk that was requested twice arrives twice.
  if (!at || at.isComplete || chunk !== at.parts.length) return;
  at.parts.push(bytes);
  if (at.parts.length * chunkSize >= at.offer.fw_size || bytes.length < chunkSize) check(unit, at);
  else if (isHalfWay(at) && consumesFault(unit.device, FirmwareFault.interruption)) unit.lose();
  else after(unit, at, times.chunk, () => askNext(unit, at));
};

export const createFirmwareClient = (needs: FirmwareNeeds): FirmwareClient => {
  const unit: Updating = { ...needs, download: undefined, rejected: undefined };
  return {
    handleAttributes: (attributes) => handleAttributes(unit, attributes),
    take: (chunk, bytes) => take(unit, chunk, bytes),
  };
};
