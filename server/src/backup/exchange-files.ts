import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../platform/fault.ts";
import { keptFolders } from "../platform/files/files.ts";

/** The previous kept folders during an exchange; while this folder exists, the exchange can be undone. */
const replaced = "files-before-restore";
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
  await moveIfThere(join(root, replaced), join(root, discarded));
  await rm(join(root, discarded), { recursive: true, force: true });
};

/**
 * Replaces the kept folders of `root` by those of `staging`, all or none; returns functions to undo and to finish. First undoes the exchange of a
 * restore that was killed.
 */
export const exchangeFiles = async (
  root: string,
  staging: string,
): Promise<{ undo(): Promise<void>; end(): Promise<void> }> => {
  await rm(join(root, discarded), { recursive: true, force: true });
  await putBack(root);
  await mkdir(join(root, replaced), { recursive: true });
  try {
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
