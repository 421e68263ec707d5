import { crc32, deflateSync } from "node:zlib";

type Colour = readonly [red: number, green: number, blue: number];

const chunk = (type: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(content.length, 0);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
};

/** A picture with vertical stripes of these colours, of equal width. */
export const stripes = (width: number, height: number, colours: readonly Colour[]): Buffer => {
  const row = Array.from({ length: width }, (_, x) => colours[Math.floor((x * colours.length) / width)] ?? [0, 0, 0]);
  // Each row starts with its filter type: none.
  const line = Buffer.from([0, ...row.flat()]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per channel, RGB.
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};
