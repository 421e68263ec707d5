import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import yazl from "yazl";

/** Size of a part in the archive, and its SHA-256. */
export interface Measured {
  bytes: number;
  sha256: string;
}

/** A zip archive written part by part, as a stream. */
export interface ArchiveWriter {
  /** Adds a part, compressed by zstd; resolves when all of it has been passed to the file stream. */
  add(path: string, content: Readable): Promise<Measured>;
  /** Adds the last part and renames the file into place. */
  finish(path: string, content: string): Promise<void>;
  /** Aborts and removes the unfinished file. */
  discard(): Promise<void>;
}

const measuring = (): { through: Transform; measured: () => Measured } => {
  const hash = createHash("sha256");
  let bytes = 0;
  const through = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, measured: () => ({ bytes, sha256: hash.digest("hex") }) };
};

/** Starts an archive. Until it is finished it is written to `file.part`; only its owner may read it. */
export const createArchive = (file: string): ArchiveWriter => {
  const unfinished = `${file}.part`;
  const zip = new yazl.ZipFile();
  const broken = new AbortController();
  const writing = pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600, flags: "wx", flush: true }));
  let fault: unknown;
  writing.catch((cause: unknown) => {
    fault = cause;
    broken.abort();
  });
  return {
    add: async (path, content) => {
      const { through, measured } = measuring();
      zip.addReadStream(through, path, { compress: false });
      try {
        await pipeline(content, createZstdCompress(), through, { signal: broken.signal });
      } catch (cause) {
        throw fault ?? cause;
      }
      return measured();
    },
    finish: async (path, content) => {
      zip.addBuffer(Buffer.from(content), path);
      zip.end();
      await writing;
      await rename(unfinished, file);
    },
    discard: async () => {
      (zip.outputStream as Readable).destroy();
      await writing.catch(() => undefined);
      await rm(unfinished, { force: true });
    },
  };
};
