import { Readable } from "node:stream";
import type { preParsingAsyncHookHandler } from "fastify";

/** Pieces that are kept apart at most: each costs some hundred bytes of memory, a single byte too. */
const mostPieces = 64;

/** The same bytes in fewer pieces. */
export async function* inLargerPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const piece of bytes) {
    if (pieces.push(piece) < mostPieces) continue;
    yield Buffer.concat(pieces);
    pieces = [];
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

/**
 * Fastify keeps a body as the pieces in which it comes, until its end. Whoever sends it a byte at a time would make the server hold
 * hundreds of times as much; here a body that is not all there with its head is joined on its way. Nothing is read before Fastify does.
 */
export const joinPieces: preParsingAsyncHookHandler = async (request, _reply, body) => {
  // What has come together with the head has been read when this goes on.
  await undefined;
  if (request.raw.complete) return body;
  return Readable.from(inLargerPieces(body), { objectMode: false });
};
