import { Code } from "@telltale/contract/call/codes";
import { avatarSize, notAPhoto } from "@telltale/contract/domains/people/profile";
import { ApiError, invalid } from "../../platform/http/api-error.ts";

/** Most pixels of a decoded picture: enough for a phone's camera, and at most 160 MB of memory. */
const mostPixels = 16_000_000;
/** Longest time for one picture, seconds. */
const longest = 10;

/** Loaded with the first picture, to save memory. */
const load = async () => {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  // Blocks decoders of other formats, whatever type a file claims.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });
  return sharp;
};
let loaded: ReturnType<typeof load> | undefined;

let last: Promise<unknown> = Promise.resolve();
/** Processes one picture at a time to bound memory. */
const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
};

/** Most pictures of one user that wait: each is kept in memory meanwhile. */
const waitingOfUser = 2;
/** Number of waiting pictures by user. */
const waiting = new Map<number, number>();

/** Runs the work if few pictures of the user are waiting. */
const inShare = async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
  const count = waiting.get(userId) ?? 0;
  if (count >= waitingOfUser) throw new ApiError(Code.tooManyTries, "Wait until your last photo is saved");
  waiting.set(userId, count + 1);
  try {
    return await work();
  } finally {
    const left = (waiting.get(userId) ?? 1) - 1;
    if (left > 0) waiting.set(userId, left);
    else waiting.delete(userId);
  }
};

/** Rejects by its header a picture that must not be decoded. */
const checkHead = async (sharp: Awaited<ReturnType<typeof load>>, content: Buffer): Promise<void> => {
  const head = await sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!head || !["jpeg", "png"].includes(head.format)) throw invalid(notAPhoto);
  if (head.width * head.height > mostPixels) {
    throw invalid(`The photo has at most ${mostPixels / 1_000_000} megapixels: choose a smaller one`);
  }
};

const square = async (file: Blob): Promise<Buffer> => {
  loaded ??= load();
  const sharp = await loaded;
  const content = Buffer.from(await file.arrayBuffer());
  await checkHead(sharp, content);
  return sharp(content, { failOn: "error", limitInputPixels: mostPixels })
    .timeout({ seconds: longest })
    .autoOrient()
    .resize(avatarSize, avatarSize, { fit: "cover", position: "centre" })
    .webp({ quality: 85 })
    .toBuffer()
    .catch(() => {
      throw invalid("The photo is damaged: choose another one");
    });
};

/**
 * Crops the central square of a JPG or PNG and re-encodes it as WebP, rotated upright; all metadata (location, camera, text) is dropped. The format
 * is detected by content, not by name. Refuses a user's third picture while two are waiting.
 */
export const squarePicture = (userId: number, file: Blob): Promise<Buffer> =>
  inShare(userId, () => oneAtATime(() => square(file)));
