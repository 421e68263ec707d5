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

/** The readings of a packed hour, oldest first. */
export const unpack = ({ hour, steps, values, statuses }: PackedHour): StoredReading[] => {
  let ts = hour * hourLength;
  return values.map((value, at) => {
    ts += steps[at] ?? 0;
    return { ts, value, status: statuses?.[at] ?? good };
  });
};
