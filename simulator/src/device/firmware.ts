import { createHash } from "node:crypto";
import { type FirmwareFacts, type FirmwareOffer, FirmwareState } from "@telltale/contract/device-api";
import type { Device } from "./device.ts";
import { FirmwareFault } from "./firmware-fault.ts";

/** Bytes that are asked for at once: as much as a small unit writes to its flash in one piece. */
export const chunkSize = 2048;
/** From one chunk to the next, how long the installing takes, and when an answer is given up, milliseconds. */
const usualTimes = { chunk: 120, install: 900, answer: 10_000 } as const;

/** How the device reaches the server. */
export interface FirmwareNeeds {
  device: Device;
  ask: (chunk: number, size: number) => void;
  say: (facts: FirmwareFacts) => void;
  restart: () => void;
  /** Loses the connection for a moment. */
  lose: () => void;
  times?: Partial<Record<keyof typeof usualTimes, number>>;
}

/** The part of a device that updates its firmware: it fetches an image in chunks, checks it, restarts, and says what it runs. */
export interface FirmwareClient {
  /** Settings or other shared attributes: an offer among them is taken up, and one that is gone is given up. */
  hear: (attributes: Record<string, unknown>) => void;
  /** A chunk that was asked for. */
  take: (chunk: number, bytes: Buffer) => void;
}

const offerIn = (attributes: Record<string, unknown>): FirmwareOffer | undefined => {
  const { fw_title, fw_version, fw_size, fw_checksum } = attributes;
  const isOffer = typeof fw_version === "string" && typeof fw_size === "number" && typeof fw_checksum === "string";
  if (!isOffer) return undefined;
  return { fw_title: String(fw_title), fw_version, fw_size, fw_checksum, fw_checksum_algorithm: "SHA256" };
};

/** The whole settings without an offer, or word that it was taken back. */
const isTakenBack = ({ deleted, reportInterval }: Record<string, unknown>): boolean =>
  (Array.isArray(deleted) && deleted.includes("fw_version")) || reportInterval !== undefined;

/** What has been fetched of an image. It outlives a lost connection, as flash memory does. */
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

/** Uses up the fault if it is this one. */
const hits = (device: Device, fault: FirmwareFault): boolean => {
  if (device.firmwareFault !== fault) return false;
  device.firmwareFault = undefined;
  return true;
};

export const createFirmwareClient = (needs: FirmwareNeeds): FirmwareClient => {
  const { device, ask, say, restart, lose } = needs;
  const times = { ...usualTimes, ...needs.times };
  let download: Download | undefined;
  /** The digest of an image that did not start; said when the device is back. */
  let rejected: string | undefined;
  const facts = (state: FirmwareState, more: FirmwareFacts = {}): FirmwareFacts => ({
    current_fw_version: device.firmwareVersion,
    fw_state: state,
    ...more,
  });
  const after = (at: Download, milliseconds: number, work: () => void): void => {
    clearTimeout(at.timer);
    at.timer = setTimeout(() => {
      if (download === at) work();
    }, milliseconds).unref();
  };
  const giveUp = (): void => {
    clearTimeout(download?.timer);
    download = undefined;
  };
  const askNext = (at: Download): void => {
    if (!device.isSilent) ask(at.parts.length, chunkSize);
    after(at, times.answer, () => askNext(at));
  };
  const install = ({ offer }: Download): void => {
    giveUp();
    if (hits(device, FirmwareFault.noStart)) rejected = offer.fw_checksum;
    else device.firmwareVersion = offer.fw_version;
    restart();
  };
  const check = (at: Download): void => {
    at.isComplete = true;
    say(facts(FirmwareState.downloaded));
    const image = imageOf(at, hits(device, FirmwareFault.corruption));
    const digest = createHash("sha256").update(image).digest("hex");
    if (image.length !== at.offer.fw_size || digest !== at.offer.fw_checksum) {
      giveUp();
      say(facts(FirmwareState.failed, { fw_checksum: digest, fw_error: "The image is damaged" }));
      return;
    }
    say(facts(FirmwareState.verified, { fw_checksum: digest }));
    say(facts(FirmwareState.updating));
    after(at, times.install, () => install(at));
  };
  const isHalfWay = ({ parts, offer }: Download): boolean => parts.length * chunkSize * 2 >= offer.fw_size;
  return {
    hear: (attributes) => {
      const offer = offerIn(attributes);
      if (!offer) {
        if (!isTakenBack(attributes)) return;
        rejected = undefined;
        return giveUp();
      }
      if (offer.fw_checksum === rejected)
        return say(facts(FirmwareState.failed, { fw_error: `${offer.fw_version} did not start` }));
      if (offer.fw_version === device.firmwareVersion) return say(facts(FirmwareState.updated));
      if (download?.isComplete && download.offer.fw_checksum === offer.fw_checksum) return;
      if (download?.offer.fw_checksum !== offer.fw_checksum) {
        giveUp();
        download = { offer, parts: [], isComplete: false, timer: undefined };
        say(facts(FirmwareState.downloading));
      }
      if (download) askNext(download);
    },
    take: (chunk, bytes) => {
      const at = download;
      // An answer that was asked for twice comes twice.
      if (!at || at.isComplete || chunk !== at.parts.length) return;
      at.parts.push(bytes);
      if (at.parts.length * chunkSize >= at.offer.fw_size || bytes.length < chunkSize) return check(at);
      if (isHalfWay(at) && hits(device, FirmwareFault.interruption)) return lose();
      after(at, times.chunk, () => askNext(at));
    },
  };
};
