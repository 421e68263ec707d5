import { systemClock } from "../clock.ts";
import { publicUrlOf, readConfig } from "../config.ts";
import { connect } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { borrowDatabase } from "../database/open.ts";
import { createFiles } from "../files.ts";
import type { World } from "../world.ts";

/** What a command works with. */
export type Operator = Pick<World, "db" | "clock" | "files" | "publicUrl">;

const quiet = {
  info: () => undefined,
  warn: (text: string) => console.error(text),
  error: (text: string) => console.error(text),
};

/** Does `work` on the database of the server, running or not: one that is embedded is started for the moment when it is not. */
export const asOperator = async <T>(work: (operator: Operator) => Promise<T>): Promise<T> => {
  const config = readConfig(process.env);
  const database = await borrowDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log: quiet });
  try {
    await migrate(database.url);
    const { db, close } = connect(database.url, quiet, { size: 2 });
    const files = createFiles(config.DATA_DIR);
    return await work({ db, files, clock: systemClock, publicUrl: publicUrlOf(config) }).finally(close);
  } finally {
    await database.stop();
  }
};
