import type { Zone } from "@telltale/contract/text/wall-clock";
import type { Sample, Window } from "../../../domain/samples.ts";
import { viewOf, type Zoom } from "./drawing/chart-model.ts";

/** A line with its name and unit. */
export interface NamedLine {
  name: string;
  unit: string;
  samples: readonly Sample[];
}

/** A cell that spreadsheets read as text: a name that begins like a formula must not become one. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** The readings in view as comma-separated rows, in the page's zone: a column a line. */
export const rowsOf = (lines: readonly NamedLine[], view: Window, zone: Zone): string => {
  const rows = new Map<number, (number | undefined)[]>();
  lines.forEach(({ samples }, at) => {
    for (const [time, value] of samples) {
      if (value === null || time < view.start || time > view.end) continue;
      const row = rows.get(time) ?? [];
      row[at] = value;
      rows.set(time, row);
    }
  });
  const head = [`Time (${zone.name})`, ...lines.map(({ name, unit }) => (unit ? `${name} (${unit})` : name))];
  const body = [...rows]
    .toSorted(([a], [b]) => a - b)
    .map(([time, row]) => [zone.stamp(time), ...lines.map((_, at) => row[at] ?? "")].join(","));
  return [head.map(cell).join(","), ...body, ""].join("\r\n");
};

/** Saves what a chart shows as a file. */
export const downloadShown = (lines: readonly NamedLine[], range: Window, zoom: Zoom, zone: Zone): void => {
  const view = viewOf(range, zoom);
  const name = lines.map((line) => line.name.replace(/[^\p{L}\p{N} _-]/gu, "")).join(", ");
  const stamp = (time: number) => zone.stamp(time).slice(0, 16).replaceAll(":", ".");
  const link = document.createElement("a");
  // Spreadsheets take the file for UTF-8 only with a byte order mark.
  link.href = URL.createObjectURL(new Blob([`\ufeff${rowsOf(lines, view, zone)}`], { type: "text/csv" }));
  link.download = `${name || "Trend"} ${stamp(view.start)} ~ ${stamp(view.end)}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
};
