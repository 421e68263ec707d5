import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { inLargerChunks } from "./server.ts";

/** Like a socket: each chunk is read before the next arrives. */
async function* singleBytes(text: string): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) yield Buffer.of(byte);
}

test("a body sent a byte at a time is held in few pieces, and whole", async () => {
  const text = "Überdruck 4.2 bar ".repeat(1_000);
  const pieces = await Readable.from(inLargerChunks(singleBytes(text))).toArray();
  expect(Buffer.concat(pieces).toString()).toBe(text);
  expect(pieces.length).toBeLessThan(Buffer.byteLength(text) / 60);
});

test("an empty body stays empty", async () => {
  expect(await Readable.from(inLargerChunks(Readable.from([]))).toArray()).toEqual([]);
});
