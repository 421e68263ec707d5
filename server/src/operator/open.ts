import { constants } from "node:os";
import { publicUrlOf, readConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { connect } from "../platform/database/connect.ts";
import { migrate } from "../platform/database/migrate.ts";
import { openOrReuseDatabase } from "../platform/database/open.ts";
import { findParts } from "../readings/index.ts";
import type { World } from "../world.ts";
import { openCommandFiles } from "./command-files.ts";

/** The dependencies of a command. */
export interface Operator extends Pick<World, "db" | "pool" | "clock" | "files" | "publicUrl"> {
  dataDir: string;
  place: Omit<DataPlace, "dataDir">;
}

/** Database messages that a command prints. */
export const quiet = {
  info: () => undefined,
  warn: (text: string) => console.error(text),
  error: (text: string) => console.error(text),
};

/** Location of the server's data, whether it runs or not. */
export interface DataPlace {
  databaseUrl: string;
  /** The same PostgreSQL as a role that may create roles and databases. */
  adminUrl: string;
  dataDir: string;
}

/** Runs `work` with the server's database at its current schema; an embedded one is started if the server is not running. */
export const withDatabase = async <T>(work: (place: DataPlace) => Promise<T>): Promise<T> => {
  const { DATABASE_URL, DATA_DIR: dataDir } = readConfig(process.env);
  const database = await openOrReuseDatabase({ databaseUrl: DATABASE_URL, dataDir, log: quiet });
  // A PostgreSQL that a command has started would outlive it.
  const endOn = (signal: NodeJS.Signals) => {
    const end = () => void database.stop().finally(() => process.exit(128 + constants.signals[signal]));
    process.once(signal, end);
    return () => process.off(signal, end);
  };
  const forget = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map(endOn);
  try {
    return await work({ databaseUrl: database.url, adminUrl: database.adminUrl, dataDir });
  } finally {
    for (const each of forget) each();
    await database.stop();
  }
};

/** Runs `work` on the server's database, migrated to this version's schema. */
export const asOperator = <T>(work: (operator: Operator) => Promise<T>): Promise<T> =>
  withDatabase(async (place) => {
    const { databaseUrl, dataDir } = place;
    await migrate(databaseUrl);
    const { db, pool, close } = connect(databaseUrl, quiet, { size: 2 });
    const config = readConfig(process.env);
    await findParts(pool);
    const { files, close: closeFiles } = openCommandFiles(config, pool);
    try {
      return await work({ db, pool, dataDir, place, files, clock: systemClock, publicUrl: publicUrlOf(config) });
    } finally {
      await closeFiles();
      await close();
    }
  });
