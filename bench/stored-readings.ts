import type { Pool } from "pg";
import { Registry } from "prom-client";
import { createLog } from "../server/src/platform/log.ts";
import { groupOf, insertionsOf, mergeNow } from "../server/src/readings/index.ts";
import { packHours } from "../server/src/telemetry/packing/packing.ts";

/** A device's channel with readings at fixed intervals. */
export interface Series {
  deviceId: number;
  channelId: number;
  /** Time of the nth reading, epoch milliseconds. */
  timeOf: (n: number) => number;
  valueOf: (n: number) => number;
}

/** Stores the readings [from, to) of a series as a commit does. */
export const storeReadings = async (pool: Pool, series: Series, from: number, to: number): Promise<void> => {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  const block = {
    deviceIds: [series.deviceId],
    channelIds: [series.channelId],
    counts: [numbers.length],
    times: Float64Array.from(numbers, series.timeOf),
    values: Float64Array.from(numbers, series.valueOf),
    statuses: new Uint8Array(numbers.length).fill(1),
    shown: new Uint8Array(1),
  };
  for (const statement of insertionsOf([{ group: groupOf(series.deviceId), block }], Date.now()))
    await pool.query(statement);
};

/** Merges and packs the hours [from, to) of a device. */
export const packStored = async (pool: Pool, deviceId: number, from: number, to: number): Promise<void> => {
  await mergeNow({ pool, log: createLog("error"), metrics: new Registry() }, [deviceId]);
  await packHours(pool, { deviceId, from, to });
};
