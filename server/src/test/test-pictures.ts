import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Red on the left, green in the middle, blue on the right, so that cropping and rotation can be checked. */
export const stripes = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#00ff00" } }).composite([
    {
      input: { create: { width: Math.floor(width / 3), height, channels: 3, background: "#ff0000" } },
      left: 0,
      top: 0,
    },
    {
      input: { create: { width: Math.floor(width / 3), height, channels: 3, background: "#0000ff" } },
      left: width - Math.floor(width / 3),
      top: 0,
    },
  ]);

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A valid blank PNG, one bit per pixel: a few kB that decode to any size. */
export const emptyPng = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
};

const webp = { operation: ["VipsForeignLoadWebpBuffer"] };

let lookers = 0;

/** Inspects a picture made by the server, in this process, where the decoders stay unblocked until the last inspection has ended. */
const looking = async <T>(look: () => Promise<T>): Promise<T> => {
  lookers += 1;
  sharp.unblock(webp);
  try {
    return await look();
  } finally {
    lookers -= 1;
    if (lookers === 0) sharp.block(webp);
  }
};

/** A picture's metadata. */
export const headOf = (picture: Buffer) => looking(() => sharp(picture).metadata());

/** The dominant colour of a picture at a place: red, green or blue. */
export const colourAt = (picture: Buffer, left: number, top: number): Promise<string | undefined> =>
  looking(async () => {
    const pixel = sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw();
    const data = await pixel.toBuffer();
    return ["red", "green", "blue"][data.indexOf(Math.max(...data))];
  });
