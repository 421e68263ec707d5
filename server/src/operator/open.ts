import { publicUrlOf, readConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { connect } from "../platform/database/connect.ts";
import { migrate } from "../platform/database/migrate.ts";
import { borrowDatabase } from "../platform/database/open.ts";
import { createFiles } from "../platform/files/files.ts";
import type { World } from "../world.ts";

/** What a command works with. */
export type Operator = Pick<World, "db" | "clock" | "files" | "publicUrl">;

const quiet = {
  info: () => undefined,
  warn: (text: string) => console.error(text),
  error: (text: string) => console.error(text),
};

/** Where the data is: of the server that runs, or of one that will. */
export interface DataPlace {
  databaseUrl: string;
  dataDir: string;
}

/** Does `work` with the database of the server, running or not, as it is: one that is embedded is started for the moment when it is not. */
export const withDatabase = async <T>(work: (place: DataPlace) => Promise<T>): Promise<T> => {
  const { DATABASE_URL, DATA_DIR: dataDir } = readConfig(process.env);
  const database = await borrowDatabase({ databaseUrl: DATABASE_URL, dataDir, log: quiet });
  try {
    return await work({ databaseUrl: database.url, dataDir });
  } finally {
    await database.stop();
  }
};

/** Does `work` on the database of the server, in this version's schema. */
export const asOperator = <T>(work: (operator: Operator) => Promise<T>): Promise<T> =>
  withDatabase(async ({ databaseUrl, dataDir }) => {
    await migrate(databaseUrl);
    const { db, close } = connect(databaseUrl, quiet, { size: 2 });
    const publicUrl = publicUrlOf(readConfig(process.env));
    return work({ db, files: createFiles(dataDir), clock: systemClock, publicUrl }).finally(close);
  });
