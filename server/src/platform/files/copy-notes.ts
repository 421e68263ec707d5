import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { FilePath, Files } from "./files.ts";

/** Folder in which a node notes which version of a file it has. */
export const notesFolder = "versions";

/** Where the note of a file is. */
export const noteOf = (path: string): FilePath => `${notesFolder}/${path}`;

/** Version in the note of a copy that is being fetched. */
export const unfinished = "unfinished";

/** Which version of a store's file a copy is. */
export interface Note {
  version: string;
  /** Undefined in a note of an earlier version of Telltale. */
  storeId: string | undefined;
  /** When the copy is known to have been the newest, epoch milliseconds; undefined in a note of an earlier version of Telltale. */
  asOf: number | undefined;
}

/** Notes of a node's copies. */
export interface Notes {
  of(path: string): Promise<Note | undefined>;
  write(path: string, version: string, asOf: number): Promise<void>;
  remove(path: string): Promise<void>;
}

const parseNote = (note: string): Note => {
  const [version = "", storeId, asOf] = note.split(" ");
  return { version, storeId, asOf: asOf === undefined ? undefined : Number(asOf) };
};

/** Which versions of the stores' files this node has. A file without a note was never shared, and is newer than one in the store. */
export const createNotes = (local: Files, store: { id(): Promise<string> }): Notes => ({
  of: async (path) => {
    const note = await local.read(noteOf(path));
    return note && parseNote(await text(note));
  },
  write: async (path, version, asOf) =>
    void (await local.write(noteOf(path), Readable.from([`${version} ${await store.id()} ${asOf}`]))),
  remove: (path) => local.remove(noteOf(path)),
});
