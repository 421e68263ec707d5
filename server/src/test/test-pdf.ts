import { inflateSync } from "node:zlib";

/** All compressed content of a PDF as text, including the characters of its fonts by code point. */
export const unpackedPdf = (pdf: Buffer): string => {
  const starts = [...pdf.toString("latin1").matchAll(/\/Filter \/FlateDecode\n>>\nstream\n/g)];
  return starts
    .map(({ index, 0: head }) => inflateSync(pdf.subarray(index + head.length)).toString("latin1"))
    .join("\n");
};
