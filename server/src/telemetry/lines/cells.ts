import type { Range, Run } from "../../readings/index.ts";

/** Length of the parts of an hour of which a line keeps the extremes, milliseconds. */
export const partLength = 30_000;
const hourLength = 3_600_000;
const parts = hourLength / partLength;

/** Of a part its least, its greatest and its last reading: the time and the value of each. NaN where there is none. */
const [low, high, last, size] = [0, 2, 4, 6];

/** A channel's readings of one hour, as a line draws them: of each half minute the least, the greatest and the last. A reading may be added again. */
export interface Cells {
  add(time: number, value: number): void;
  /** Adds readings of this time, no longer than a part, of which only the extremes are known: to both parts, where it is of two. */
  addExtent(extent: { first: number; last: number; min: number; max: number }): void;
  /** Whether what is kept from `start` on for so long reaches from `min` to `max`: what has these extremes adds nothing. */
  reaches(extremes: { start: number; length: number; min: number; max: number }): boolean;
  /** What is kept of the parts that the range touches, in the order of time; of those at its edges all, no further outside than the edge. */
  run(range: Range): Run;
}

export const createCells = (hour: number): Cells => {
  const begin = hour * hourLength;
  const cells = new Float64Array(parts * size).fill(Number.NaN);
  const put = (at: number, time: number, value: number): void => {
    cells[at] = time;
    cells[at + 1] = value;
  };
  const valueAt = (at: number): number => cells[at + 1] ?? Number.NaN;
  const partOf = (time: number): number => Math.floor((time - begin) / partLength);
  /** Comparisons with NaN are false: what is first is put. */
  const addExtremes = (at: number, time: number, value: number): void => {
    if (!(value >= valueAt(at + low))) put(at + low, time, value);
    if (!(value <= valueAt(at + high))) put(at + high, time, value);
  };
  return {
    add: (time, value) => {
      const at = partOf(time) * size;
      if (at < 0 || at >= cells.length) return;
      addExtremes(at, time, value);
      if (!(time < (cells[at + last] ?? Number.NaN))) put(at + last, time, value);
    },
    addExtent: ({ first, last: end, min, max }) => {
      for (const part of new Set([partOf(first), partOf(end)])) {
        if (part < 0 || part >= parts) continue;
        const start = begin + part * partLength;
        const [from, to] = [Math.max(first, start), Math.min(end, start + partLength - 1)];
        addExtremes(part * size, from + (to - from) / 3, min);
        addExtremes(part * size, from + (2 * (to - from)) / 3, max);
      }
    },
    reaches: ({ start, length, min, max }) => {
      let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let part = partOf(start); part < partOf(start + length); part++) {
        const at = part * size;
        if (Number.isNaN(valueAt(at + low))) continue;
        least = Math.min(least, valueAt(at + low));
        greatest = Math.max(greatest, valueAt(at + high));
      }
      return least <= min && greatest >= max;
    },
    run: ({ from, to }) => {
      const [start, end] = [Math.max(0, partOf(from)), Math.min(parts, partOf(to) + 1)];
      const [times, values] = [new Float64Array(3 * parts), new Float64Array(3 * parts)];
      let count = 0;
      const take = (at: number): void => {
        const [time = Number.NaN, value = Number.NaN] = [cells[at], cells[at + 1]];
        if (Number.isNaN(time) || (count > 0 && times[count - 1] === time && values[count - 1] === value)) return;
        times[count] = Math.min(Math.max(time, from), to);
        values[count] = value;
        count += 1;
      };
      for (let part = start; part < end; part++) {
        const at = part * size;
        const isLowFirst = (cells[at + low] ?? 0) <= (cells[at + high] ?? 0);
        take(at + (isLowFirst ? low : high));
        take(at + (isLowFirst ? high : low));
        if ((cells[at + last] ?? Number.NaN) > Math.max(cells[at + low] ?? 0, cells[at + high] ?? 0)) take(at + last);
      }
      return { times: times.subarray(0, count), values: values.subarray(0, count), statuses: new Uint8Array(count) };
    },
  };
};
