import { pipeline, type Readable, Transform } from "node:stream";
import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { World } from "../../world.ts";
import { endUpdate, lockedUpdate, type OpenUpdate, openUpdate, recordChunk, recordFetching } from "./update-queries.ts";

/** Why a device gets nothing. */
interface NoChunk {
  refusal: string;
  reason: RefusalReason;
}

/** A part of an image, or why the device gets none. */
export type ChunkAnswer = { bytes: Buffer } | NoChunk;

/** A device's request. Without a size, chunks have the previous size, or the largest one. */
export interface ChunkRequest {
  chunk: number;
  size?: number | undefined;
  /** The requested image; without, the offered one. */
  title?: string | undefined;
  version?: string | undefined;
}

const notOffered: NoChunk = {
  refusal: "No firmware is offered to this device",
  reason: RefusalReason.notOffered,
};
const badChunk: NoChunk = {
  refusal: `A chunk has 1 to ${deviceLimits.firmwareChunk} bytes, and chunks are counted from 0`,
  reason: RefusalReason.badChunk,
};

const isMeant = ({ device_sn, version }: OpenUpdate, { title, version: requested }: ChunkRequest): boolean =>
  (title === undefined || title === device_sn) && (requested === undefined || requested === version);

const isCount = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

type Needs = Pick<World, "db" | "clock" | "files" | "log">;

/** Ends an update whose file is missing: the device would ask for it forever. */
const endWithoutFile = async ({ db, clock, log }: Needs, { device_id: deviceId, file }: OpenUpdate): Promise<void> => {
  log.error(
    { deviceId, file },
    "A firmware image is missing or truncated; its update was ended as failed. Add the image again with `telltale firmware add`",
  );
  await db.transaction().execute(async (trx) => {
    const update = await lockedUpdate(trx, deviceId);
    if (update) await endUpdate(trx, update, "The server no longer has the image", clock.date());
  });
};

/** Reads a requested chunk of the offered image and records the progress. Beyond the image's end the chunk is empty. */
export const readChunk = async (needs: Needs, deviceId: number, request: ChunkRequest): Promise<ChunkAnswer> => {
  const { db, clock, files } = needs;
  const update = await openUpdate(db, deviceId);
  if (!update || !isMeant(update, request)) return notOffered;
  // The previous request may have been for the whole image.
  const chunkSize =
    request.size ?? Math.min(update.chunk_size ?? deviceLimits.firmwareChunk, deviceLimits.firmwareChunk);
  const { chunk } = request;
  if (!isCount(chunkSize, 1, deviceLimits.firmwareChunk) || !isCount(chunk, 0, 2 ** 31 - 2)) return badChunk;
  const start = chunk * chunkSize;
  if (start >= update.size) return { bytes: Buffer.alloc(0) };
  const bytes = await files.readPart(update.file, start, Math.min(chunkSize, update.size - start));
  if (!bytes) {
    await endWithoutFile(needs, update);
    return notOffered;
  }
  const isOpen = await recordChunk(db, update.update_id, { chunk, chunkSize, now: clock.date() });
  return isOpen ? { bytes } : notOffered;
};

/** How often it is recorded that a whole image is still being fetched, milliseconds. */
const recordEvery = 60_000;

/**
 * Passes an image on, and records now and then, and at its end, that the device still fetches it: over a slow link a whole image takes longer than a
 * device may be silent during an update.
 */
const recordingFetch = ({ db, clock, log }: Needs, { update_id, device_id: deviceId }: OpenUpdate): Transform => {
  let recordedAt = clock.now();
  const record = async (): Promise<void> => {
    recordedAt = clock.now();
    await recordFetching(db, update_id, clock.date()).catch((fault: unknown) =>
      log.warn({ err: fault, deviceId }, "Could not record that a device fetches its firmware; it goes on"),
    );
  };
  return new Transform({
    transform: (part, _encoding, done) => {
      const recorded = clock.now() - recordedAt < recordEvery ? Promise.resolve() : record();
      void recorded.then(() => done(null, part));
    },
    flush: (done) => void record().then(() => done()),
  });
};

/** Opens the offered image to be sent whole, and records it. */
export const readImage = async (
  needs: Needs,
  deviceId: number,
  request: Pick<ChunkRequest, "title" | "version">,
): Promise<{ content: Readable; size: number } | NoChunk> => {
  const { db, clock, files } = needs;
  const update = await openUpdate(db, deviceId);
  if (!update || !isMeant(update, { ...request, chunk: 0 })) return notOffered;
  const content = await files.read(update.file);
  if (!content) {
    await endWithoutFile(needs, update);
    return notOffered;
  }
  const isOpen = await recordChunk(db, update.update_id, { chunk: 0, chunkSize: update.size, now: clock.date() });
  if (!isOpen) {
    content.destroy();
    return notOffered;
  }
  // A fault of either stream ends the other; whoever reads the last one gets it.
  return { content: pipeline(content, recordingFetch(needs, update), () => {}), size: update.size };
};
