import type { ReactNode } from "react";
import type { FilterInForce } from "./filters/use-filters.ts";
import classes from "./narrow-text.module.css";

/** A label inside a cell on phones, where no column head says what the value is. */
export const NarrowText = ({ children }: { children: ReactNode }) => <span className={classes.text}>{children} </span>;

/**
 * Position of a cell in the two-line row on phones: first or second line, at its start or end, or as `main` in the remaining space. `action` is a
 * separate line for a button, and `action-end` the end of that line.
 */
export type NarrowPlace =
  | "top"
  | "top-main"
  | "top-end"
  | "below"
  | "below-main"
  | "below-end"
  | "action"
  | "action-end";

/** One column of a table. */
export interface Column<T> {
  key: string;
  /** The column head, in the specification's words. */
  head: string;
  /** Secondary text under the label, such as the unit. */
  note?: string;
  cell: (row: T) => ReactNode;
  /** Minimum width in pixels, unless `least` is smaller; remaining space is distributed proportionally. */
  width: number;
  /** The width in pixels to which the column shrinks before the table scrolls sideways; texts are then cut with an ellipsis. */
  least?: number;
  align?: "end";
  /** Sticks to this side when the table scrolls sideways. */
  pin?: "start" | "end";
  /** Absent: hidden on phones; the detail page shows it. */
  narrow?: NarrowPlace;
  filter?: FilterInForce | undefined;
}

/** Width of the chevron column. */
const chevronWidth = 38;

/** The grid tracks of a row, and the width below which the table scrolls sideways. */
export const tracksOf = <T,>(columns: readonly Column<T>[], hasChevron: boolean): { tracks: string; least: number } => {
  const tracks = columns.map(({ width, least = width }) => `minmax(${least}px, ${width}fr)`);
  const least = columns.reduce((sum, { width, least: own = width }) => sum + own, hasChevron ? chevronWidth : 0);
  return { tracks: (hasChevron ? [`${chevronWidth}px`, ...tracks] : tracks).join(" "), least };
};
