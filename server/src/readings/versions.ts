import type { Runner } from "../platform/database/runner.ts";

const raise = {
  name: "raise-versions",
  text: "UPDATE device_versions SET version = version + 1 WHERE device_id = ANY($1::int4[]) RETURNING device_id, version",
};

/**
 * Raises the versions of these devices and returns them by device ID. First statement of every transaction that writes readings of a device or
 * changes what they are judged by: such transactions follow one another, and whoever judged by an older version finds a gap and starts again.
 */
export const raiseVersions = async (
  run: Runner,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  // In the same order by all, which prevents deadlocks.
  const values = [deviceIds.toSorted((a, b) => a - b)];
  const { rows } = await run.query<{ device_id: number; version: number }>({ ...raise, values });
  return new Map(rows.map((row) => [row.device_id, row.version]));
};
