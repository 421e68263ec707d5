import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Window } from "../../../../domain/samples.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Round steps of clock and calendar; from a month on, months are counted. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14].map((count) => count * day),
];
const monthSteps = [1, 2, 3, 6, 12, 24, 60];
const month = 30.4 * day;

export interface TimeTick {
  time: number;
  label: string;
}

/** Local times (as if UTC) of ticks, starting with the first one at or after `from`. */
function* wallTimes(from: number, step: number): Generator<number> {
  for (let wall = Math.ceil(from / step) * step; ; wall += step) yield wall;
}

function* wallMonths(from: number, count: number): Generator<number> {
  const first = new Date(from).getUTCFullYear() * 12;
  for (let index = first; ; index += count) {
    const wall = Date.UTC(Math.floor(index / 12), index % 12, 1);
    if (wall >= from) yield wall;
  }
}

const labelOf = (time: number, step: number, zone: Zone): string => {
  const stamp = zone.stamp(time);
  if (step >= month) return stamp.slice(0, 7);
  if (step >= day || stamp.endsWith("00:00:00")) return stamp.slice(5, 10);
  return step < minute ? stamp.slice(11) : stamp.slice(11, 16);
};

/**
 * At most `most` ticks at round local times of the zone. Midnight shows the date instead of 00:00. When the clocks change inside the window, later
 * ticks keep to round times of the new offset.
 */
export const timeTicks = ({ start, end }: Window, zone: Zone, most: number): TimeTick[] => {
  const length = end - start;
  const offset = zone.offset(start);
  const step = steps.find((candidate) => length / candidate <= most);
  const months = monthSteps.find((count) => length / (count * month) <= most) ?? 120;
  const walls = step ? wallTimes(start + offset, step) : wallMonths(start + offset, months);
  const ticks: TimeTick[] = [];
  for (const wall of walls) {
    const time = wall - zone.offset(wall - offset);
    if (time > end || ticks.length >= most + 1) break;
    const previous = ticks.at(-1)?.time ?? start - 1;
    if (time > previous) ticks.push({ time, label: labelOf(time, step ?? month, zone) });
  }
  return ticks;
};
