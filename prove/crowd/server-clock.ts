import { access, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The clock of a server and its database, adjustable at run time. */
export interface ServerClock {
  /** Environment of the server with this clock. */
  env: Record<string, string>;
  /** Sets it this many milliseconds ahead of this machine's; resolves when the server has picked it up. */
  set(ahead: number): Promise<void>;
  remove(): Promise<void>;
}

const places = ["x86_64-linux-gnu", "aarch64-linux-gnu"].map((abi) => `/usr/lib/${abi}/faketime/libfaketimeMT.so.1`);

const findLibrary = async (): Promise<string> => {
  for (const place of places) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  throw new Error("The server's clock is set by libfaketime: apt-get install libfaketime");
};

/** How long libfaketime caches the offset, seconds. */
const cached = 1;

/** Creates a clock that is correct until it is set. The database's user reads it too, so the file is in a public place. */
export const createServerClock = async (): Promise<ServerClock> => {
  const library = await findLibrary();
  const file = join(tmpdir(), `telltale-clock-${process.pid}`);
  const write = (ahead: number) =>
    writeFile(file, `${ahead < 0 ? "-" : "+"}${Math.abs(ahead) / 1000}`, { mode: 0o644 });
  await write(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(cached),
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    set: async (ahead) => {
      await write(ahead);
      await pause(2 * cached * 1000);
    },
    remove: () => rm(file, { force: true }),
  };
};
