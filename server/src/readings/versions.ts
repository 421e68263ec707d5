import { bigints, integers } from "../platform/database/array-parameters.ts";
import type { Runner, Statement } from "../platform/database/runner.ts";
import { byGroup, commitTogether, isInParts } from "./parts.ts";

const raise = {
  name: "raise-versions",
  text: "UPDATE device_versions SET version = version + 1 WHERE device_id = ANY($1::int4[]) RETURNING device_id, version",
};

const raiseInGroup =
  "UPDATE device_versions SET version = version + 1 WHERE device_group = $2 AND device_id = ANY($1::int4[]) RETURNING device_id, version";

interface Raised {
  device_id: number;
  version: number;
}

/** One statement would go to all servers at once, which lock their rows in no common order. */
const raiseInParts = async (run: Runner, deviceIds: readonly number[]): Promise<Raised[]> => {
  await commitTogether(run);
  const raised: Raised[] = [];
  for (const [group, ids] of byGroup(deviceIds))
    raised.push(...(await run.query<Raised>({ text: raiseInGroup, values: [ids, group] })).rows);
  return raised;
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
  const rows = isInParts() ? await raiseInParts(run, deviceIds) : (await run.query<Raised>({ ...raise, values })).rows;
  return new Map(rows.map((row) => [row.device_id, row.version]));
};

/** Code of the error of `fenceOf` when a device has another version than the expected one. */
export const changedVersion = "TT001";

/**
 * Statement that raises the versions of these devices. It fails when one has another version than this, with `changedVersion`, or no longer exists, with
 * the code of a missing row.
 */
export const fenceOf = (devices: readonly { deviceId: number; version: number }[]): Statement => {
  const sorted = devices.toSorted((a, b) => a.deviceId - b.deviceId);
  return {
    name: "pass-fence",
    text: "SELECT pass_fence($1::int4[], $2::int8[])",
    values: [integers(sorted.map(({ deviceId }) => deviceId)), bigints(sorted.map(({ version }) => version))],
  };
};
