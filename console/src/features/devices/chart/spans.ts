import { AlertClass, type AlertRow, type AlertType, alertTypeLabels } from "@telltale/contract/alerts";
import type { Zone } from "../../../format/zone.ts";
import type { Window } from "./samples.ts";

/** An alert as a stretch of the chart. */
export interface AlertSpan extends Window {
  alarmLogId: number;
  /** `High alert 16:09 ~ 16:47` */
  label: string;
}

const day = 24 * 60 * 60 * 1000;

/** Times alone where they can only be of one day, dates with them otherwise. */
const words = (row: AlertRow, window: Window, zone: Zone): string => {
  const { createdTime: start, modifiedTime: end } = row;
  const dated = (moment: Date) => zone.stamp(moment).slice(5, 16);
  const isSameDay = zone.day(start) === zone.day(end ?? start);
  const from = isSameDay && window.end - window.start <= day + day / 24 ? zone.clock(start) : dated(start);
  const until = isSameDay ? zone.clock : dated;
  const kind = alertTypeLabels[row.alarmType as AlertType] ?? "Alert";
  return `${kind} alert ${from} ~ ${end ? until(end) : "NOW"}`;
};

/**
 * The alerts that were open at some time of the window, oldest first and cut to it. An open alert lasts until `now`.
 * Notifications about the device are no condition of the channel and make no span.
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

/** Pixels of one letter of a label and of the diamond before it. */
const letter = 6.6;
const diamond = 18;

/**
 * Which spans have room for their label in the window drawn over `pixels`: from the left, each that does not run into
 * the one before nor over the right edge (`spare` pixels beyond it are free).
 */
export const labelled = (spans: AlertSpan[], window: Window, pixels: number, spare = 0): Set<number> => {
  const perPixel = pixels / Math.max(1, window.end - window.start);
  const chosen = new Set<number>();
  let taken = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.end < window.start || span.start > window.end) continue;
    const left = (Math.max(span.start, window.start) - window.start) * perPixel;
    const right = left + diamond + span.label.length * letter;
    if (left < taken || right > pixels + spare) continue;
    chosen.add(span.alarmLogId);
    taken = right;
  }
  return chosen;
};
