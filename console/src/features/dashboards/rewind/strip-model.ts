import type { RewoundAlert } from "@telltale/contract/domains/readings/rewind";
import { hourMinute } from "../../../ui/format/time.ts";
import type { RewindWindow } from "./window.ts";

const hour = 3_600_000;
const lanes = 4;

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Sun 22 Nov, in the browser's time zone. */
export const dayName = (moment: number): string => {
  const date = new Date(moment);
  return `${weekdays[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]}`;
};

/** Sun 22 Nov 2026 */
export const fullDay = (moment: number): string => `${dayName(moment)} ${new Date(moment).getFullYear()}`;

/** An alert on the strip; pixels from its left edge. */
export interface Bar {
  id: number;
  lane: number;
  /** Where it was raised; undefined when that was before the window. */
  raised: number | undefined;
  /** Where it began to be unconfirmed in the window, was confirmed or cleared, and cleared. */
  begin: number;
  confirmed: number;
  end: number;
}

/** Free pixels that an alert needs beside its neighbour in the lane: those of its diamond. */
const room = 9;

/** The alerts in their lanes, at most four; where that is not enough they lie over one another. Oldest first. */
export const barsOf = (alerts: readonly RewoundAlert[], { from, to }: RewindWindow, width: number): Bar[] => {
  const x = (at: number) => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * width;
  const ends = Array.from({ length: lanes }, () => Number.NEGATIVE_INFINITY);
  return alerts
    .toSorted((a, b) => a.createdTime.getTime() - b.createdTime.getTime())
    .map(({ alarmLogId: id, createdTime, acceptTime, modifiedTime }) => {
      const begin = x(createdTime.getTime());
      const end = x(modifiedTime?.getTime() ?? to);
      const free = ends.findIndex((each) => each <= begin);
      const lane = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
      ends[lane] = Math.max(end, begin) + room;
      return {
        id,
        lane,
        raised: createdTime.getTime() < from ? undefined : begin,
        begin,
        confirmed: Math.min(end, acceptTime ? x(acceptTime.getTime()) : end),
        end,
      };
    });
};

/** A mark of the time axis: none, a time, or a day in bold. */
export interface Tick {
  at: number;
  label: string | undefined;
  isDay: boolean;
}

/** Pixels that a label needs. */
const labelWidth = 76;
const hourSteps = [1, 3, 6, 12];

/** The next midnight, or whole hour of the browser's clock, after a time. */
const nextAfter = (at: number, hours: number): number => {
  const date = new Date(at);
  date.setMinutes(0, 0, 0);
  date.setHours(date.getHours() + hours - (date.getHours() % hours));
  return date.getTime();
};

const isMidnight = (at: number): boolean => new Date(at).getHours() === 0;

/** The hours of a day, or the days of a longer window; as many have a label as there is room for. */
export const ticksOf = ({ from, to }: RewindWindow, width: number): Tick[] => {
  const isByDay = to - from > 48 * hour;
  const step = isByDay ? 24 : 1;
  const pixels = (hours: number) => ((hours * hour) / (to - from)) * width;
  const labelled = isByDay
    ? Math.max(1, Math.ceil(labelWidth / pixels(24)))
    : (hourSteps.find((hours) => pixels(hours) >= labelWidth) ?? 24);
  const ticks: Tick[] = [];
  for (let at = nextAfter(from - 1, step); at < to; at = nextAfter(at, step)) {
    const isDay = isMidnight(at);
    const isLabelled = isByDay ? ticks.length % labelled === 0 : isDay || new Date(at).getHours() % labelled === 0;
    const text = isDay ? dayName(at) : hourMinute(at);
    // At both ends a label would stand over the edge, or over that of the end.
    const x = ((at - from) / (to - from)) * width;
    const fits = x > labelWidth / 4 && x < width - (isDay ? labelWidth : labelWidth * 0.75);
    ticks.push({ at, label: isLabelled && fits ? text : undefined, isDay });
  }
  return ticks;
};
