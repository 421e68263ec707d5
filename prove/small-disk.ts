import { execFile } from "node:child_process";
import { mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A small in-memory disk. */
export interface SmallDisk {
  folder: string;
  /** Writes a file until the disk is full. */
  fill(): Promise<void>;
  /** Removes that file. */
  empty(): Promise<void>;
  /** Fails while a process has a file open for writing. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  remove(): Promise<void>;
}

const chunk = Buffer.alloc(1024 * 1024);

const fillWith = async (path: string): Promise<void> => {
  const file = await open(path, "a");
  try {
    for (;;) await file.write(chunk);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
  } finally {
    await file.close();
  }
};

const remount = async (folder: string, how: "ro" | "rw"): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run("mount", ["-o", `remount,${how}`, folder]);
      return;
    } catch (cause) {
      if (attempt === 50) throw cause;
      await sleep(100); // busy: a killed process has not fully exited yet
    }
  }
};

/** Mounts a tmpfs of this many MB; undefined without the permission. */
export const mountSmallDisk = async (megabytes: number): Promise<SmallDisk | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-disk-"));
  const options = `size=${megabytes}m,mode=755`;
  const isMounted = await run("mount", ["-t", "tmpfs", "-o", options, "telltale-prove", folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rmdir(folder);
    return undefined;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    fill: () => fillWith(filler),
    empty: () => rm(filler, { force: true }),
    setReadOnly: (isReadOnly) => remount(folder, isReadOnly ? "ro" : "rw"),
    remove: async () => {
      await run("umount", [folder]);
      await rmdir(folder);
    },
  };
};
