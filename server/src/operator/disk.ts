import { sql } from "kysely";
import { forecastDisk } from "../platform/metrics/disk-forecast.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

const gigabyte = 1e9;
const rounded = (bytes: number): number => Math.round((bytes / gigabyte) * 100) / 100;

/** How full the disk of DATA_DIR is, in gigabytes, and when it will be full at the rate of the last day. */
export const showDisk = async ({ db, pool, clock, dataDir }: Operator): Promise<Row[]> => {
  const { freeBytes, sizeBytes, bytesADay, daysLeft } = await forecastDisk({ pool, clock }, dataDir);
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
  return [
    {
      diskGB: rounded(sizeBytes),
      freeGB: rounded(freeBytes),
      databaseGB: rounded(rows[0]?.size ?? 0),
      growthGBADay: bytesADay === null ? null : rounded(bytesADay),
      fullInDays: daysLeft === null ? null : Math.floor(daysLeft),
    },
  ];
};
