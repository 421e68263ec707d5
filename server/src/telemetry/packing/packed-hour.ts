import type { Run } from "../../readings/index.ts";

/** A stored reading. `ts` is the device's time in epoch milliseconds. */
export interface StoredReading {
  ts: number;
  value: number;
  status: number;
}

/** The arrays of a packed row. `hour` counts from the epoch. */
export interface PackedHour {
  hour: number;
  steps: number[];
  values: number[];
  statuses: number[] | null;
}

const hourLength = 3_600_000;
const good = 1;

/** The readings of a packed hour in columns, oldest first. */
export const unpackRun = ({ hour, steps, values, statuses }: PackedHour): Run => {
  let ts = hour * hourLength;
  return {
    times: Float64Array.from(steps, (step) => {
      ts += step;
      return ts;
    }),
    values: Float64Array.from(values),
    statuses: statuses ? Uint8Array.from(statuses) : new Uint8Array(values.length).fill(good),
  };
};
