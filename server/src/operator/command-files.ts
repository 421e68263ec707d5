import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { createFiles, type Files } from "../platform/files/files.ts";
import { createOwnFiles, createSharedFiles, type FileStore } from "../platform/files/shared-files.ts";
import { createLog } from "../platform/log.ts";
import { storeIdOf } from "../platform/node/open-files.ts";

/** Opens a store when it is asked for the first time. */
const lazily = (open: () => Promise<FileStore>): FileStore => {
  let opening: Promise<FileStore> | undefined;
  const opened = (): Promise<FileStore> => {
    opening ??= open();
    return opening;
  };
  return {
    id: async () => (await opened()).id(),
    versionOf: async (path) => (await opened()).versionOf(path),
    sharedAsOf: async (path) => (await opened()).sharedAsOf(path),
    isRemoved: async (path) => (await opened()).isRemoved(path),
    read: async (path) => (await opened()).read(path),
    write: async (path, content, asOf) => (await opened()).write(path, content, asOf),
    remove: async (path) => (await opened()).remove(path),
    list: async () => (await opened()).list(),
  };
};

/** A command's files: those of DATA_DIR, or those that the nodes of a cluster have in common. */
export interface CommandFiles {
  files: Files;
  close(): Promise<void>;
}

/** Opens the files of a command. It connects to NATS only when it works with a file. */
export const openCommandFiles = (
  { NATS_URL: addresses, DATA_DIR }: Pick<Config, "NATS_URL" | "DATA_DIR">,
  pool: Pick<Pool, "query">,
): CommandFiles => {
  const local = createFiles(DATA_DIR);
  if (!addresses) return { files: createOwnFiles(local), close: async () => undefined };
  const log = createLog("silent");
  let stop = async (): Promise<void> => undefined;
  const store = lazily(async () => {
    const { openLink } = await import("../platform/node/nats-connection.ts");
    const { natsFiles } = await import("../platform/node/nats-files.ts");
    const link = await openLink({ addresses, name: "telltale command", log, onMissed: () => undefined });
    stop = link.stop;
    return natsFiles(link, await storeIdOf(pool));
  });
  return { files: createSharedFiles({ local, store, clock: systemClock, log }), close: () => stop() };
};
