import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import { createFiles, type Files } from "../files/files.ts";
import { createOwnFiles, createSharedFiles, type SharedFiles } from "../files/shared-files.ts";
import type { Peers } from "./peers.ts";

const storeId = `
  INSERT INTO file_store DEFAULT VALUES ON CONFLICT (is_only) DO UPDATE SET store_id = file_store.store_id RETURNING store_id`;

/** Where this database's nodes keep their files in common. */
export const storeIdOf = async (pool: Pick<Pool, "query">): Promise<string> => {
  const { rows } = await pool.query<{ store_id: string }>(storeId);
  if (!rows[0]) throw new Error("The database does not tell where its files are");
  return rows[0].store_id;
};

interface Needs {
  dataDir: string;
  pool: Pick<Pool, "query">;
  peers: Peers;
  clock: Clock;
  log: Logger;
}

/** Milliseconds between two tries to share a node's own files. */
const pause = 60_000;

const shareOwn = async (files: SharedFiles, log: Logger): Promise<void> => {
  for (let isReported = false; ; isReported = true) {
    try {
      const count = await files.shareOwn();
      if (count > 0)
        log.info({ files: count }, "This node's firmware images and data packages are shared with the others");
      return;
    } catch (fault) {
      if (!isReported)
        log.warn({ err: fault }, "This node's own files could not be shared with the others; trying again each minute");
      await sleep(pause, undefined, { ref: false });
    }
  }
};

/** Milliseconds between two looks for copies of what other nodes have removed. */
const day = 86_400_000;

const removeGone = async (files: SharedFiles, log: Logger): Promise<void> => {
  for (;;) {
    await files
      .removeGone()
      .catch((err: unknown) =>
        log.warn({ err }, "Which files other nodes have removed could not be asked; tomorrow again"),
      );
    await sleep(day, undefined, { ref: false });
  }
};

/** Opens the files of a server: its own folder, or that of a node as a copy of what all nodes have in common. */
export const openFiles = async ({ dataDir, pool, peers, clock, log }: Needs): Promise<Files> => {
  const local = createFiles(dataDir);
  if (!peers.files) return createOwnFiles(local);
  const files = createSharedFiles({ local, store: peers.files(await storeIdOf(pool)), clock, log });
  void shareOwn(files, log).then(() => removeGone(files, log));
  return files;
};
