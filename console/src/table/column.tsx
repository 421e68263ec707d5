import type { ReactNode } from "react";
import classes from "./cell-text.module.css";
import type { FilterInForce } from "./filters/use-filters.ts";

/** A label inside a cell on phones, where no column head says what the value is. */
export const NarrowText = ({ children }: { children: ReactNode }) => (
  <span className={classes.narrow}>{children} </span>
);

interface CellTextProps {
  /** Shown whole under the pointer where it differs from the text. */
  title?: string;
  children: ReactNode;
}

/** A text of one line in a cell, cut with an ellipsis. */
export const CellText = ({ title, children }: CellTextProps): ReactNode => (
  <span className={classes.text} title={title}>
    {children}
  </span>
);

interface CellNameProps {
  /** Shown under the pointer; by default the name. */
  title?: string;
  /** What the row describes is switched off. */
  isOff?: boolean;
  children: string;
}

/** The name of a row, cut with an ellipsis. */
export const CellName = ({ title, isOff = false, children }: CellNameProps): ReactNode => (
  <b className={classes.name} title={title ?? children} data-off={isOff || undefined}>
    {children}
  </b>
);

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
  /** Left out where the table would scroll sideways; the detail page shows it. */
  isSpare?: boolean;
  filter?: FilterInForce | undefined;
}

/**
 * The column of what can be done with a row; none where `operations` are absent, as in a read-only view. `place` is its width and, where it is not at the
 * end of the last line of a phone's row, its place.
 */
export const operationColumn = <T, Operations>(
  operations: Operations | undefined,
  place: Pick<Column<T>, "width" | "least" | "align" | "pin" | "narrow">,
  cell: (row: T, operations: Operations) => ReactNode,
): Column<T>[] =>
  operations
    ? [
        {
          key: "operation",
          head: "OPERATION",
          narrow: "action-end",
          ...place,
          cell: (row) => cell(row, operations),
        },
      ]
    : [];

/** Width of the chevron column. */
const chevronWidth = 38;

/** The grid tracks of a row, and the width below which the table scrolls sideways. */
export const tracksOf = <T,>(columns: readonly Column<T>[], hasChevron: boolean): { tracks: string; least: number } => {
  const tracks = columns.map(({ width, least = width }) => `minmax(${least}px, ${width}fr)`);
  const least = columns.reduce((sum, { width, least: own = width }) => sum + own, hasChevron ? chevronWidth : 0);
  return { tracks: (hasChevron ? [`${chevronWidth}px`, ...tracks] : tracks).join(" "), least };
};

/** The columns that a table of this width shows: the spare ones only where it does not scroll sideways with them. */
export const columnsWithin = <T,>(
  columns: readonly Column<T>[],
  hasChevron: boolean,
  width: number,
): readonly Column<T>[] =>
  tracksOf(columns, hasChevron).least <= width ? columns : columns.filter(({ isSpare }) => !isSpare);
