import { AlertClass, type AlertRow, alertTypeLabels } from "@telltale/contract/domains/alerts";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Window } from "../../../../domain/samples.ts";

/** An alert as a time span of the chart. */
export interface AlertSpan extends Window {
  alarmLogId: number;
  /** `High alert 16:09 ~ 16:47` */
  label: string;
}

const day = 24 * 60 * 60 * 1000;

/** Times without dates when everything is within one day, otherwise with dates. */
const words = (row: AlertRow, window: Window, zone: Zone): string => {
  const { createdTime: start, modifiedTime: end } = row;
  const dated = (moment: Date) => zone.stamp(moment).slice(5, 16);
  const isSameDay = zone.day(start) === zone.day(end ?? start);
  const from = isSameDay && window.end - window.start <= day + day / 24 ? zone.clock(start) : dated(start);
  const until = isSameDay ? zone.clock : dated;
  const kind = alertTypeLabels[row.alarmType];
  return `${kind} alert ${from} ~ ${end ? until(end) : "NOW"}`;
};

/**
 * The alerts that were open at some time in the window, oldest first and clipped to it. An open alert lasts until `now`. Notifications about the
 * device are not a condition of the channel and have no span.
 */
export const alertSpans = (rows: AlertRow[], window: Window, now: number, zone: Zone): AlertSpan[] =>
  rows
    .filter(({ alarmClass }) => alarmClass !== AlertClass.notification)
    .map((row) => ({ row, start: row.createdTime.getTime(), end: row.modifiedTime?.getTime() ?? now }))
    .filter(({ start, end }) => start <= window.end && end >= window.start)
    .sort((a, b) => a.start - b.start)
    .map(({ row, start, end }) => ({
      alarmLogId: row.alarmLogId,
      start: Math.max(start, window.start),
      end: Math.min(Math.max(end, start), window.end),
      label: words(row, window, zone),
    }));

/** An event of the device itself, such as that it was offline, as a band; undefined when it is out of the window. */
export const deviceBand = (
  { alarmLogId, msg, createdTime, modifiedTime }: Pick<AlertRow, "alarmLogId" | "msg" | "createdTime" | "modifiedTime">,
  window: Window,
  now: number,
  zone: Zone,
): AlertSpan | undefined => {
  const [start, end] = [createdTime.getTime(), modifiedTime?.getTime() ?? now];
  if (start > window.end || end < window.start) return undefined;
  const label = `${msg}, ${zone.clock(start)} ~ ${modifiedTime ? zone.clock(modifiedTime) : "NOW"}`;
  return { alarmLogId, start: Math.max(start, window.start), end: Math.min(end, window.end), label };
};

/** Pixels of one character of a label and of the diamond before it. */
const letter = 6.6;
const diamond = 18;

/** The end of its span at which a label is placed. */
export type LabelSide = "start" | "end";

/**
 * Which spans have space for their label in the window drawn over `pixels`, and on which side: in their order, each that overlaps none before it. A label that would cross the right edge (`spare` pixels beyond it are free) is placed before the end of its span instead.
 */
export const labelled = (spans: AlertSpan[], window: Window, pixels: number, spare = 0): Map<number, LabelSide> => {
  const perPixel = pixels / Math.max(1, window.end - window.start);
  const at = (time: number) => (Math.min(Math.max(time, window.start), window.end) - window.start) * perPixel;
  const chosen = new Map<number, LabelSide>();
  const taken: Window[] = [];
  for (const span of spans) {
    if (span.end < window.start || span.start > window.end) continue;
    const width = diamond + span.label.length * letter;
    const side = at(span.start) + width <= pixels + spare ? "start" : "end";
    const left = side === "start" ? at(span.start) : at(span.end) - width;
    if (left < 0 || taken.some(({ start, end }) => left < end && left + width > start)) continue;
    chosen.set(span.alarmLogId, side);
    taken.push({ start: left, end: left + width });
  }
  return chosen;
};
