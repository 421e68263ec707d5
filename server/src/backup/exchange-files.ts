import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptFolders } from "../files.ts";

/** What was the kept folders while others are put in their place. */
const replaced = "files-before-restore";

const isMissing = (fault: unknown): boolean => (fault as { code?: string }).code === "ENOENT";

const moveIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((fault: unknown) => {
    if (!isMissing(fault)) throw fault;
  });

/** Puts the kept folders of `staging` in the place of those of `root`; gives how to undo it, and how to end it. */
export const exchangeFiles = async (
  root: string,
  staging: string,
): Promise<{ undo(): Promise<void>; end(): Promise<void> }> => {
  const before = join(root, replaced);
  await rm(before, { recursive: true, force: true });
  await mkdir(before, { recursive: true });
  for (const folder of keptFolders) {
    await moveIfThere(join(root, folder), join(before, folder));
    await moveIfThere(join(staging, folder), join(root, folder));
  }
  return {
    undo: async () => {
      for (const folder of keptFolders) {
        await rm(join(root, folder), { recursive: true, force: true });
        await moveIfThere(join(before, folder), join(root, folder));
      }
      await rm(before, { recursive: true, force: true });
    },
    end: () => rm(before, { recursive: true, force: true }),
  };
};
