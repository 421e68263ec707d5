import { avatarSize, notAPhoto } from "@telltale/contract/domains/people/profile";
import { invalid } from "../../platform/http/api-error.ts";

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

/**
 * Crops the central square of a JPG or PNG and re-encodes it as WebP, rotated upright; all metadata (location, camera, text) is dropped. The format
 * is detected by content, not by name.
 */
export const squarePicture = (file: Blob): Promise<Buffer> =>
  oneAtATime(async () => {
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
  });
