import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../fault.ts";

/** Folders with files that database rows refer to; part of a backup. */
export const keptFolders = ["firmware", "packages"] as const;
/** Folders with files that are regenerated when missing. */
type PassingFolder = "manuals" | "versions";

/** Path of a file. A new folder must be assigned to one of the two kinds. */
export type FilePath = `${(typeof keptFolders)[number] | PassingFolder}/${string}`;

/** The server's file store, by relative paths. Paths are created by the server, never taken from a request. */
export interface Files {
  /** Writes a file atomically; returns its size in bytes. */
  write(path: FilePath, content: Readable): Promise<number>;
  /** Paths of all complete files in a folder and below. */
  list(folder: string): Promise<string[]>;
  /** A file's content; undefined when it does not exist. */
  read(path: string): Promise<Readable | undefined>;
  /** `length` bytes of a file from `start` on; undefined when the file is shorter or does not exist. */
  readPart(path: string, start: number, length: number): Promise<Buffer | undefined>;
  /** Removes a file or folder recursively; no error when it does not exist. */
  remove(path: string): Promise<void>;
}

const isMissing = (fault: unknown): boolean => codeOf(fault) === "ENOENT";

/** Creates a file store in `folder`, which is created with the first file. */
export const createFiles = (folder: string): Files => ({
  write: async (path, content) => {
    const target = join(folder, path);
    const part = `${target}.part`;
    await mkdir(dirname(target), { recursive: true });
    try {
      await pipeline(content, createWriteStream(part, { flush: true }));
      const { size } = await stat(part);
      await rename(part, target);
      return size;
    } catch (fault) {
      await rm(part, { force: true });
      throw fault;
    }
  },
  readPart: async (path, start, length) => {
    const file = await open(join(folder, path)).catch((fault: unknown) => {
      if (isMissing(fault)) return undefined;
      throw fault;
    });
    if (!file) return undefined;
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, start);
      return bytesRead === length ? buffer : undefined;
    } finally {
      await file.close();
    }
  },
  list: async (within) => {
    const entries = await readdir(join(folder, within), { recursive: true, withFileTypes: true }).catch(
      (fault: unknown) => {
        if (isMissing(fault)) return [];
        throw fault;
      },
    );
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".part"))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  },
  remove: (path) => rm(join(folder, path), { recursive: true, force: true }),
  read: async (path) => {
    try {
      return (await open(join(folder, path))).createReadStream();
    } catch (fault) {
      if (isMissing(fault)) return undefined;
      throw fault;
    }
  },
});
