import { stat } from "node:fs/promises";
import { backUp } from "../backup/backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import { restore } from "../backup/restore.ts";
import { readConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { connect } from "../platform/database/connect.ts";
import { typedFile } from "../platform/installed.ts";
import { openCommandFiles } from "./command-files.ts";
import { quiet, withDatabase } from "./open.ts";
import type { Row } from "./print.ts";

const rowOf = async (file: string, { madeAt, tables, files, leftOut }: Manifest): Promise<Row> => ({
  file,
  madeAt,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files.length,
  leftOut: leftOut.length,
  bytes: (await stat(file)).size,
});

/** Writes a backup beside the running server, or without one. */
export const backUpTo = (given: string): Promise<Row[]> =>
  withDatabase(async ({ databaseUrl }) => {
    const file = typedFile(given);
    const { pool, close } = connect(databaseUrl, quiet, { size: 1 });
    const { files, close: closeFiles } = openCommandFiles(readConfig(process.env), pool);
    try {
      const manifest = await backUp(file, { databaseUrl, files, clock: systemClock });
      for (const what of manifest.leftOut)
        console.error(`Left out, since the database cannot read them any more: ${what}`);
      return [await rowOf(file, manifest)];
    } finally {
      await closeFiles();
      await close();
    }
  });

/** Replaces all data by a backup's. */
export const restoreFrom = (given: string): Promise<Row[]> =>
  withDatabase(async (place) => {
    const file = typedFile(given);
    return [await rowOf(file, await restore(file, { ...place, clock: systemClock }))];
  });
