import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../platform/fault.ts";
import { keptFolders } from "../platform/files/files.ts";

/** What was the kept folders while others are put in their place: as long as it is there, the exchange may still be undone. */
const replaced = "files-before-restore";
/** What nobody needs any more. */
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

/** Puts back what was put away. A folder that was not is still in its place. */
const putBack = async (root: string): Promise<void> => {
  const before = join(root, replaced);
  for (const folder of keptFolders) {
    if (!(await isThere(join(before, folder)))) continue;
    await rm(join(root, folder), { recursive: true, force: true });
    await rename(join(before, folder), join(root, folder));
  }
  await rm(before, { recursive: true, force: true });
};

/** At once, so that nothing puts half of it back. */
const discard = async (root: string): Promise<void> => {
  await moveIfThere(join(root, replaced), join(root, discarded));
  await rm(join(root, discarded), { recursive: true, force: true });
};

/**
 * Puts the kept folders of `staging` in the place of those of `root`, all or none; gives how to undo it, and how to end it. What a restore that
 * was killed has put away is back first.
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
      // There in any case, so that what is put away says what was exchanged.
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
