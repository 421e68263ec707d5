import { useMemo } from "react";
import { type TableRow, tableRows } from "./rows.ts";
import { useUnfolded } from "./use-unfolded.ts";

/** The rows below a row. */
export interface SubRows<T> {
  /** Must be the same function at each render. */
  of: (row: T) => readonly T[];
  /** Whether they are shown before anybody unfolds them: where they, and not the row above, were asked for. */
  areOpen?: boolean;
}

const none: never[] = [];

/** The rows in order, sub rows below their parents where these are expanded, and what folds and unfolds a row. */
export const useTableRows = <T>(
  rows: readonly T[] | undefined,
  keyOf: (row: T) => string | number,
  subRows: SubRows<T> | undefined,
): { rows: TableRow<T>[]; toggle: (key: string) => void } => {
  const { has, toggle } = useUnfolded(subRows?.areOpen ?? false);
  const below = subRows?.of;
  return {
    rows: useMemo(() => tableRows(rows ?? none, { keyOf, below, isUnfolded: has }), [rows, keyOf, below, has]),
    toggle,
  };
};
