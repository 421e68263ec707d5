import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { crc32, createZstdDecompress } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { codeOf, fieldOf } from "../platform/fault.ts";
import { format, Manifest, manifestPath } from "./manifest.ts";

/** The file cannot be restored; the message says why and what to do. */
export class BadBackup extends Error {}

/** An archive whose parts all match the manifest's digests. */
export interface CheckedArchive {
  manifest: Manifest;
  /** The decompressed content of a part. */
  open(part: string): Promise<Readable>;
  close(): void;
}

const longestManifest = 16 * 1024 * 1024;

const openZip = async (file: string): Promise<ZipFile> => {
  try {
    return await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT") throw new BadBackup(`There is no file ${file}`, { cause });
    if (code === "EACCES" || code === "EISDIR") throw new BadBackup(`${file} can't be read as a file`, { cause });
    throw new BadBackup(
      `${file} is no backup of Telltale, or its end is missing: copy it again from where it was made`,
      {
        cause,
      },
    );
  }
};

const entriesOf = async (zip: ZipFile, file: string): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw new BadBackup(`${file} is damaged: copy it again from where it was made`, { cause });
  }
  return entries;
};

const manifestOf = async (zip: ZipFile, entry: Entry | undefined, file: string): Promise<Manifest> => {
  if (!entry || entry.uncompressedSize > longestManifest) throw new BadBackup(`${file} is no backup of Telltale`);
  const content = await buffer(await zip.openReadStreamPromise(entry)).catch(() => Buffer.alloc(0));
  if (crc32(content) !== entry.crc32)
    throw new BadBackup(`${file} is damaged (${manifestPath}): copy it again from where it was made`);
  const json: unknown = JSON.parse(content.toString());
  if (fieldOf(json, "kind") === "telltale-backup" && Number(fieldOf(json, "format")) > format)
    throw new BadBackup(`${file} was made by a newer Telltale: restore it with that version or a later one`);
  const read = Manifest.safeParse(json);
  if (!read.success) throw new BadBackup(`${file} is no backup of Telltale: its manifest has another form`);
  return read.data;
};

const digestOf = async (stream: Readable): Promise<string> => {
  const hash = createHash("sha256");
  await pipeline(stream, hash);
  return hash.digest("hex");
};

/** Opens a backup and verifies all parts; throws `BadBackup` when it is not a backup, or incomplete. */
export const openArchive = async (file: string): Promise<CheckedArchive> => {
  const zip = await openZip(file);
  try {
    const entries = await entriesOf(zip, file);
    const manifest = await manifestOf(zip, entries.get(manifestPath), file);
    for (const { part, sha256 } of [...manifest.tables, ...manifest.files]) {
      const entry = entries.get(part);
      const found = entry && (await zip.openReadStreamPromise(entry).then(digestOf, () => ""));
      if (found !== sha256) throw new BadBackup(`${file} is damaged (${part}): copy it again from where it was made`);
    }
    return {
      manifest,
      open: async (part) => {
        const entry = entries.get(part);
        if (!entry) throw new BadBackup(`${file} lacks ${part}`);
        const packed = await zip.openReadStreamPromise(entry);
        const content = createZstdDecompress();
        packed.on("error", (fault) => content.destroy(fault));
        return packed.pipe(content);
      },
      close: () => zip.close(),
    };
  } catch (fault) {
    zip.close();
    throw fault;
  }
};
