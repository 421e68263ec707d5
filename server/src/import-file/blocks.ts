import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { codeOf } from "../platform/fault.ts";
import { BadSource, type Place } from "./source.ts";

/** Bytes that are read at a time: complete lines of about as many are a block. */
const blockSize = 64 * 1024;
/** Longest line, and longest text in quotes, bytes. */
const longestLine = 16 * 1024 * 1024;
const newline = 10;
const quote = 34;

/** Complete lines of a file. */
export interface Block {
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** After it. */
  end: Place;
  /** Part of the file that has been read with it, from 0 to 1. */
  done: number;
}

const countOf = (bytes: Buffer, wanted: number): number => {
  let count = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) count += 1;
  return count;
};

/** The chunks of an unpacked file; throws `BadSource` where it is not packed as its name says, or broken off. */
async function* unpackedOf(chunks: Readable, file: string): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (fault) {
    if (!codeOf(fault)?.startsWith("Z_")) throw fault;
    throw new BadSource(`${file} ends in .gz and cannot be unpacked: it is no gzip, or broken off`);
  }
}

/** The bytes of a file from a position on, unpacked when its name ends in `.gz`. */
async function* bytesFrom(file: string, position: number): AsyncGenerator<{ bytes: Buffer; read: number }> {
  const isPacked = file.endsWith(".gz");
  const start = isPacked ? 0 : position;
  const stored = createReadStream(file, { start, highWaterMark: blockSize });
  // The callback takes a fault that comes after the last block that was wanted: nobody would hear it, which ends the program.
  const unpacked: Readable = isPacked ? pipeline(stored, createGunzip({ chunkSize: blockSize }), () => {}) : stored;
  let skipped = isPacked ? position : 0;
  for await (const bytes of unpackedOf(unpacked, file)) {
    const left: Buffer = bytes.subarray(Math.min(skipped, bytes.length));
    skipped -= bytes.length - left.length;
    if (left.length > 0) yield { bytes: left, read: start + stored.bytesRead };
  }
}

/**
 * The lines of a file from a place on, in blocks. `isQuoted`: a line break within quotes does not end a line. A byte order mark is left out.
 */
export async function* blocksOf(file: string, from: Place, isQuoted: boolean): AsyncGenerator<Block> {
  const { size } = await stat(file);
  let rest: Buffer = Buffer.alloc(0);
  let { position, line } = from;
  const blockOf = (bytes: Buffer, read: number): Block => {
    const first = line + 1;
    position += bytes.length;
    line += countOf(bytes, newline);
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    return { text, line: first, end: { position, line }, done: size > 0 ? read / size : 1 };
  };
  for await (const { bytes, read } of bytesFrom(file, from.position)) {
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const end = all.lastIndexOf(newline) + 1;
    const isWhole = end > 0 && !(isQuoted && countOf(all.subarray(0, end), quote) % 2 === 1);
    if (!isWhole && all.length > longestLine)
      throw new BadSource(`The line ${line + 1} does not end, or a quote in it: the file is not what its format says`);
    rest = isWhole ? all.subarray(end) : all;
    if (isWhole) yield blockOf(all.subarray(0, end), read);
  }
  if (rest.length > 0) yield blockOf(rest, size);
}

/** The first lines of a file. */
export const firstBlock = async (file: string, isQuoted: boolean): Promise<Block> => {
  for await (const block of blocksOf(file, { position: 0, line: 0 }, isQuoted)) return block;
  throw new BadSource(`${file} is empty`);
};

/** The first bytes of a file, unpacked; none of an empty one. */
export const firstBytes = async (file: string): Promise<Buffer> => {
  for await (const { bytes } of bytesFrom(file, 0)) return bytes;
  return Buffer.alloc(0);
};

/** All of a file, unpacked, as text. Throws `BadSource` when it has more bytes than `most`. */
export const wholeText = async (file: string, most: number): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const { bytes } of bytesFrom(file, 0)) {
    size += bytes.length;
    if (size > most)
      throw new BadSource(`${file} is larger than ${most / 1024 ** 2} MB: export shorter times, by startTs and endTs`);
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
};
