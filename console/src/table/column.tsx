import type { ReactNode } from "react";
import type { FilterInForce } from "./filters/use-filters.ts";
import classes from "./narrow-word.module.css";

/** A word that a phone needs in a cell, where no head of a column says what the value is. */
export const NarrowWord = ({ children }: { children: ReactNode }) => <span className={classes.word}>{children} </span>;

/**
 * Where a cell stands in a row of two lines, on phones: in the upper or the lower line, at its start or its end, or as
 * `main` in the room that the others leave. `action` is a line of its own, for a button, and `action-end`
 * the end of that line.
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
  /** The head's label, in the specification's words. */
  head: string;
  /** A lighter word under the label, such as the unit. */
  note?: string;
  cell: (row: T) => ReactNode;
  /** Least width in pixels, unless there is a smaller `least`; what is left over is shared in proportion. */
  width: number;
  /** The width in pixels down to which the column gives way before the table scrolls sideways: its texts end in an ellipsis there. */
  least?: number;
  align?: "end";
  /** Stays in view when the table has to scroll sideways. */
  pin?: "start" | "end";
  /** Absent: a phone leaves it out, and the row's own page shows it. */
  narrow?: NarrowPlace;
  filter?: FilterInForce | undefined;
}

/** The width of the column with the chevrons. */
const chevronWidth = 38;

/** The grid tracks of a row, and the width under which the table scrolls sideways. */
export const tracksOf = <T,>(columns: readonly Column<T>[], hasChevron: boolean): { tracks: string; least: number } => {
  const tracks = columns.map(({ width, least = width }) => `minmax(${least}px, ${width}fr)`);
  const least = columns.reduce((sum, { width, least: own = width }) => sum + own, hasChevron ? chevronWidth : 0);
  return { tracks: (hasChevron ? [`${chevronWidth}px`, ...tracks] : tracks).join(" "), least };
};
