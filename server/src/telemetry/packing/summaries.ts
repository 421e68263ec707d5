import type { PoolClient } from "pg";
import { bigints, doubles, integers } from "../../platform/database/array-parameters.ts";
import { longQuery } from "../../platform/database/long-work.ts";
import { groupOf, isInParts } from "../../readings/index.ts";
import type { PackedRow } from "./packed-row.ts";

/** In a database in parts with the group of the device as $7. */
const insert = (): string => `
  INSERT INTO hour_summaries (${isInParts() ? "device_group, " : ""}channel_id, hour, count, min, max, sum)
  SELECT ${isInParts() ? "$7::int2, " : ""}* FROM unnest($1::int4[], $2::int4[], $3::int4[], $4::float8[], $5::float8[], $6::float8[])
  ON CONFLICT (${isInParts() ? "device_group, " : ""}channel_id, hour) DO UPDATE SET`;

const write = (): string =>
  `${insert()} count = excluded.count, min = excluded.min, max = excluded.max, sum = excluded.sum`;

const add =
  (): string => `${insert()} count = hour_summaries.count + excluded.count, min = least(hour_summaries.min, excluded.min),
  max = greatest(hour_summaries.max, excluded.max), sum = hour_summaries.sum + excluded.sum`;

const columnsOf = (deviceId: number, rows: readonly PackedRow[]) => [
  integers(rows.map((row) => row.channelId)),
  integers(rows.map((row) => row.hour)),
  integers(rows.map((row) => row.count)),
  doubles(rows.map((row) => row.min)),
  doubles(rows.map((row) => row.max)),
  doubles(rows.map((row) => row.sum)),
  ...(isInParts() ? [groupOf(deviceId)] : []),
];

/** Writes the summaries of packed hours of a device. */
export const writeSummaries = async (
  client: PoolClient,
  deviceId: number,
  rows: readonly PackedRow[],
): Promise<void> => {
  if (rows.length > 0) await client.query(longQuery(write(), columnsOf(deviceId, rows)));
};

/** Adds readings to summaries of a device's hours whose readings are no longer kept. */
export const addToSummaries = async (
  client: PoolClient,
  deviceId: number,
  rows: readonly PackedRow[],
): Promise<void> => {
  if (rows.length > 0) await client.query(longQuery(add(), columnsOf(deviceId, rows)));
};

const count = `
  INSERT INTO stored_months (device_id, month, readings) SELECT $1, * FROM unnest($2::int4[], $3::int8[])
  ON CONFLICT (device_id, month) DO UPDATE SET readings = stored_months.readings + excluded.readings`;

/** Adds to the device's numbers of stored readings by month. */
export const countStored = async (
  client: PoolClient,
  deviceId: number,
  added: ReadonlyMap<number, number>,
): Promise<void> => {
  await client.query(longQuery(count, [deviceId, integers([...added.keys()]), bigints([...added.values()])]));
};
