import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { createNotes, noteOf, notesFolder, unfinished } from "./copy-notes.ts";
import { type FilePath, type Files, keptFolders } from "./files.ts";

export { notesFolder };

/** A file's content and what identifies it. */
export interface StoredFile {
  version: string;
  content: Readable;
}

/** Files that all nodes of a cluster have in common. Every method throws when the store cannot be reached. */
export interface FileStore {
  /** Tells it from the store of another database, and of this one before it was restored. */
  id(): Promise<string>;
  /** Changes with the content; undefined when there is no such file. */
  versionOf(path: string): Promise<string | undefined>;
  /** For a file that a node has shared again: when its content was the newest, epoch milliseconds; undefined for one that was written. */
  sharedAsOf(path: string): Promise<number | undefined>;
  /** Whether the file was removed; a store that has lost its disk has never heard of it. */
  isRemoved(path: string): Promise<boolean>;
  /** The content ends with an error when its checksum is not that of the written one. Undefined when there is no such file. */
  read(path: string): Promise<StoredFile | undefined>;
  /** Replaces a file as a whole; returns its version. `asOf`: see `sharedAsOf`. */
  write(path: string, content: Readable, asOf?: number): Promise<string>;
  /** Removes a file, or a folder with all its files. */
  remove(path: string): Promise<void>;
  /** Paths of all files. */
  list(): Promise<string[]>;
}

/** How long a file that was found up to date is taken for that when it is read in parts, milliseconds. */
const memory = 10_000;

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const isKept = (path: string): boolean => keptFolders.some((folder) => isIn(path, folder));

/** The store does not have a file that nobody has removed, and this node has no copy that it may take for it. */
class NotShared extends Error {}

interface Needs {
  local: Files;
  store: FileStore;
  clock: Pick<Clock, "now">;
  log: Logger;
}

/** This node's copies of the store's files, with their notes. */
const createCopies = ({ local, store, clock }: Needs) => {
  const notes = createNotes(local, store);
  const isHere = async (path: string): Promise<boolean> => (await local.readPart(path, 0, 0)) !== undefined;
  return {
    notes,
    isHere,
    /** Whether a copy is whole, and known to be of this store. */
    isWhole: async (path: string): Promise<boolean> => {
      const own = await notes.of(path);
      return own?.version !== unfinished && own?.storeId === (await store.id()) && isHere(path);
    },
    /** Whether a copy is known to be of another store: that of a database which has been replaced by a backup's. */
    isOfAnotherStore: async (path: string): Promise<boolean> => {
      const storeId = (await notes.of(path))?.storeId;
      return storeId !== undefined && storeId !== (await store.id());
    },
    /** Whether another node has shared an older copy again after the store had lost the file. */
    isNewerThanShared: async (path: string): Promise<boolean> => {
      const asOf = await store.sharedAsOf(path);
      return asOf !== undefined && asOf < ((await notes.of(path))?.asOf ?? 0);
    },
    /**
     * Completes a note of an earlier version of Telltale: without the store the copy would not be shared again when the store has lost the file, without
     * the time it would not be known for a newer one than another node's.
     */
    completeNote: async (path: string): Promise<void> => {
      const own = await notes.of(path);
      if (!own || (own.storeId !== undefined && own.asOf !== undefined)) return;
      const now = clock.now();
      if (own.version === (await store.versionOf(path)))
        await notes.write(path, own.version, (await store.sharedAsOf(path)) ?? now);
    },
    fetch: async (path: string): Promise<void> => {
      const now = clock.now();
      const asOf = (await store.sharedAsOf(path)) ?? now;
      const stored = await store.read(path);
      if (!stored) return;
      // Should this be interrupted, the copy is fetched again, and not taken for a file of this node's own.
      await notes.write(path, unfinished, 0);
      await local.write(path as FilePath, stored.content);
      await notes.write(path, stored.version, asOf);
    },
    share: async (path: string): Promise<void> => {
      const content = await local.read(path);
      if (content) await notes.write(path, await store.write(path, content), clock.now());
    },
    /** Shares a copy that the store has lost, or has an older one of. The others must be able to tell it from a newer one of theirs. */
    shareAgain: async (path: string): Promise<void> => {
      const asOf = (await notes.of(path))?.asOf ?? 0;
      const content = await local.read(path);
      if (content) await notes.write(path, await store.write(path, content, asOf), asOf);
    },
    remove: async (path: string): Promise<void> => {
      await local.remove(path);
      await notes.remove(path);
    },
  };
};

type Copies = ReturnType<typeof createCopies>;

/** Returns what brings a copy up to date, and tells whether the file exists. A copy of one that another node has removed goes, too. */
const updater = ({ store, log }: Needs, copies: Copies) => {
  const shareAgain = (path: string): Promise<void> =>
    copies
      .shareAgain(path)
      .catch((err: unknown) =>
        log.warn({ err, path }, "A file that NATS has lost could not be shared again; this node's copy is used"),
      );
  /** Whether a file exists that the store does not have: not when a node has removed it. Throws when that is not known. */
  const existsHere = async (path: string): Promise<boolean> => {
    if (await store.isRemoved(path)) {
      await copies.remove(path);
      return false;
    }
    // Nobody can ask for it any more, and of a database that was replaced nothing may stay on the nodes' disks.
    if (await copies.isOfAnotherStore(path)) await copies.remove(path);
    if (!(await copies.isWhole(path)))
      throw new NotShared(`NATS does not have ${path}, which another node may not have shared yet, or which was lost`);
    await shareAgain(path);
    return true;
  };
  return async (path: string): Promise<boolean> => {
    const own = await copies.notes.of(path);
    const isHere = await copies.isHere(path);
    // Not shared yet, and newer than what the others have.
    if (isHere && own === undefined) return true;
    let version: string | undefined;
    try {
      version = await store.versionOf(path);
    } catch (fault) {
      if (!isHere || own?.version === unfinished || (await copies.isOfAnotherStore(path))) throw fault;
      log.warn({ err: fault, path }, "Whether a file has changed could not be asked; this node's copy is used");
      return true;
    }
    if (version === undefined) return existsHere(path);
    if (version === own?.version && isHere) await copies.completeNote(path);
    else if ((await copies.isWhole(path)) && (await copies.isNewerThanShared(path))) await shareAgain(path);
    else await copies.fetch(path);
    return true;
  };
};

/** Brings this node's copies of files up to date before they are read. */
const createUpdates = (needs: Needs, copies: Copies) => {
  const current = new Map<string, number>();
  const underWay = new Map<string, Promise<boolean>>();
  const bringUpToDate = updater(needs, copies);
  const update = async (path: string): Promise<boolean> => {
    const exists = await bringUpToDate(path);
    if (exists) current.set(path, performance.now() + memory);
    return exists;
  };
  return {
    forget: (path: string): void => {
      for (const known of current.keys()) if (isIn(known, path)) current.delete(known);
    },
    /** Writes a file after what is under way with it; who reads it meanwhile gets the new content. */
    replace: (path: string, write: () => Promise<void>): Promise<boolean> => {
      const before = underWay.get(path) ?? Promise.resolve(true);
      const writing = before
        .catch(() => true)
        .then(write)
        .then(() => true)
        .finally(() => underWay.get(path) === writing && underWay.delete(path));
      underWay.set(path, writing);
      return writing;
    },
    /** Brings a copy up to date, once at a time, however many ask; returns whether the file exists. `isRecent`: unless that was done a moment ago. */
    exists: (path: string, isRecent = false): Promise<boolean> => {
      const known = underWay.get(path);
      if (known !== undefined) return known;
      if (isRecent && (current.get(path) ?? 0) > performance.now()) return Promise.resolve(true);
      const updating = update(path).finally(() => underWay.get(path) === updating && underWay.delete(path));
      underWay.set(path, updating);
      return updating;
    },
  };
};

/** Files of a node and of its cluster. */
export interface SharedFiles extends Files {
  /** Hands the other nodes what this server wrote when it was not one of several. Returns the number of files. */
  shareOwn(): Promise<number>;
  /**
   * Removes copies of files that other nodes have removed, or that a database had before it was restored: nobody would ask for them any more. Shares those
   * again that the store has lost.
   */
  removeGone(): Promise<void>;
}

/**
 * Creates the files of a server alone, which may have been a node and may become one again: what it writes is newer than what the nodes have, and has no
 * note; of all else the notes stay, by which newer versions are told from its copies.
 */
export const createOwnFiles = (local: Files): Files => {
  const forget = (path: string): Promise<void> => local.remove(noteOf(path));
  return {
    ...local,
    write: async (path, content) => {
      const size = await local.write(path, content);
      if (isKept(path)) await forget(path);
      return size;
    },
    remove: async (path) => {
      await local.remove(path);
      if (isKept(path)) await forget(path);
    },
  };
};

/**
 * Creates the files of a node: written to the cluster's store, and kept in this node's folder as a copy that is compared before it is read. Files that
 * are made anew when missing stay the node's own. A file that is neither here nor can be asked for, or that the store has never had, is a fault and not
 * a missing file.
 */
export const createSharedFiles = (needs: Needs): SharedFiles => {
  const { local, store } = needs;
  const copies = createCopies(needs);
  const updates = createUpdates(needs, copies);
  return {
    write: async (path, content) => {
      if (!isKept(path)) return local.write(path, content);
      let size = 0;
      await updates.replace(path, async () => {
        size = await local.write(path, content);
        updates.forget(path);
        await copies.notes.remove(path);
        try {
          await copies.share(path);
        } catch (fault) {
          // Whoever wrote it tries again; a file that only this node has would be missing on the others.
          await local.remove(path);
          throw fault;
        }
      });
      return size;
    },
    read: async (path) => (isKept(path) && !(await updates.exists(path)) ? undefined : local.read(path)),
    readPart: async (path, start, length) =>
      isKept(path) && !(await updates.exists(path, true)) ? undefined : local.readPart(path, start, length),
    list: async (folder) =>
      isKept(folder) ? (await store.list()).filter((path) => isIn(path, folder)).sort() : local.list(folder),
    remove: async (path) => {
      updates.forget(path);
      await copies.remove(path);
      if (isKept(path)) await store.remove(path);
    },
    shareOwn: async () => {
      let shared = 0;
      for (const folder of keptFolders)
        for (const path of await local.list(folder)) {
          if ((await copies.notes.of(path)) !== undefined) continue;
          await copies.share(path);
          shared += 1;
        }
      return shared;
    },
    removeGone: async () => {
      const there = new Set(await store.list());
      for (const note of await local.list(notesFolder)) {
        const path = note.slice(notesFolder.length + 1);
        if (there.has(path)) {
          await copies.completeNote(path);
          if ((await copies.isWhole(path)) && (await copies.isNewerThanShared(path))) await updates.exists(path);
        } else if ((await store.isRemoved(path)) || (await copies.isWhole(path))) await updates.exists(path);
        else if (await copies.isOfAnotherStore(path))
          await updates.exists(path).catch((fault: unknown) => {
            if (!(fault instanceof NotShared)) throw fault;
          });
      }
    },
  };
};
