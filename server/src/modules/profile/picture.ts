import { avatarSize, notAPhoto } from "@telltale/contract/domains/people/profile";
import { invalid } from "../../platform/http/api-error.ts";

/** Most pixels of a picture that is decoded: enough for a phone's camera, and 160 MB of memory for a moment at the very worst. */
const mostPixels = 16_000_000;
/** Longest time for one picture, seconds. */
const longest = 10;

/** Loaded with the first picture, so that a server without any does without its memory. */
const load = async () => {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  // Decoders of other formats are never reached, whatever a file says that it is.
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer"] });
  return sharp;
};
let loaded: ReturnType<typeof load> | undefined;

let last: Promise<unknown> = Promise.resolve();
/** One picture after the other: many at once would need the memory of all of them. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
};

/** Refuses, by the picture's head, what is not to be decoded. */
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
 * The square in the middle of a JPG or PNG, drawn anew as WebP: turned as the camera was held, and nothing of the file is kept beside the
 * pixels: no place, no camera, no hidden text. Goes by the content and not by what the file is called.
 */
export const squarePicture = (file: Blob): Promise<Buffer> =>
  inTurn(async () => {
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
