import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Pool } from "pg";
import { codeOf } from "../platform/fault.ts";
import { keptFolders } from "../platform/files/files.ts";
import { notesFolder } from "../platform/files/shared-files.ts";

/** The previous kept folders during an exchange; while this folder exists, the exchange can be undone. */
const replaced = "files-before-restore";
/** Beside the previous folders: the `store_id` that the database has once the restore is committed. */
const restoredId = "store-id";
/** Files to be deleted. */
const discarded = "files-discarded";

const isMissing = (fault: unknown): boolean => codeOf(fault) === "ENOENT";

const moveIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((fault: unknown) => {
    if (!isMissing(fault)) throw fault;
  });

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Restores the previous folders. A folder that was not moved is still in place. */
const putBack = async (root: string): Promise<void> => {
  const before = join(root, replaced);
  for (const folder of keptFolders) {
    if (!(await isThere(join(before, folder)))) continue;
    await rm(join(root, folder), { recursive: true, force: true });
    await rename(join(before, folder), join(root, folder));
  }
  await rm(before, { recursive: true, force: true });
};

/** Deletes the previous folders; renamed first, so that a crash cannot lead to a partial undo. */
const discard = async (root: string): Promise<void> => {
  // First: files with notes of before would not be shared with other nodes.
  await rm(join(root, notesFolder), { recursive: true, force: true });
  await moveIfThere(join(root, replaced), join(root, discarded));
  await rm(join(root, discarded), { recursive: true, force: true });
};

const restoredIdIn = (root: string): Promise<string | undefined> =>
  readFile(join(root, replaced, restoredId), "utf8").catch((fault: unknown) => {
    if (isMissing(fault)) return undefined;
    throw fault;
  });

/**
 * Ends the exchange of a restore that was killed: the files of the backup stay if the database was committed with them, else the previous ones come
 * back. Called while no other restore can run, before files are served.
 */
export const settleExchange = async (root: string, database: Pick<Pool, "query">): Promise<void> => {
  await rm(join(root, discarded), { recursive: true, force: true });
  if (!(await isThere(join(root, replaced)))) return;
  const { rows } = await database.query<{ store_id: string }>("SELECT store_id FROM file_store");
  const storeId = rows[0]?.store_id;
  if (storeId !== undefined && storeId === (await restoredIdIn(root))) await discard(root);
  else await putBack(root);
};

/**
 * Replaces the kept folders of `root` by those of `staging`, all or none; returns functions to undo and to finish. `storeId` is what the database's
 * `file_store` has once the restore is committed.
 */
export const exchangeFiles = async (
  root: string,
  staging: string,
  storeId: string,
): Promise<{ undo(): Promise<void>; end(): Promise<void> }> => {
  await mkdir(join(root, replaced), { recursive: true });
  try {
    await writeFile(join(root, replaced, restoredId), storeId, { flush: true });
    for (const folder of keptFolders) {
      // Created even if missing, so that the moved folders show what was exchanged.
      await mkdir(join(root, folder), { recursive: true });
      await rename(join(root, folder), join(root, replaced, folder));
      await moveIfThere(join(staging, folder), join(root, folder));
    }
  } catch (fault) {
    await putBack(root);
    throw fault;
  }
  return { undo: () => putBack(root), end: () => discard(root) };
};
