import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { codeOf } from "../fault.ts";

/** Folders whose files belong to what the database says: a backup holds them. */
export const keptFolders = ["firmware", "packages"] as const;
/** Folders whose files are made anew when they are missing. */
type PassingFolder = "manuals";

/** Where a file may lie. A new folder has to say whether backups hold it. */
export type FilePath = `${(typeof keptFolders)[number] | PassingFolder}/${string}`;

/** Files that the server keeps, by paths within its folder. Paths are made by the server, never taken from a request. */
export interface Files {
  /** Writes a file whole or not at all; gives its length in bytes. */
  write(path: FilePath, content: Readable): Promise<number>;
  /** The paths of all whole files in a folder and below. */
  list(folder: string): Promise<string[]>;
  /** A file's content; undefined when there is no such file. */
  read(path: string): Promise<Readable | undefined>;
  /** `length` bytes of a file from `start` on; undefined when it has not so many, or does not exist. */
  readPart(path: string, start: number, length: number): Promise<Buffer | undefined>;
  /** Removes a file or a folder with all that is in it; nothing happens when there is none. */
  remove(path: string): Promise<void>;
}

const isMissing = (fault: unknown): boolean => codeOf(fault) === "ENOENT";

/** Files below `folder`, which is made when the first is written. */
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
