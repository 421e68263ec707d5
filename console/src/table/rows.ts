import { useCallback, useMemo, useState } from "react";

/** A row as the table shows it. */
export interface TableRow<T> {
  /** Its key, as text. */
  id: string;
  original: T;
  /** 0, or 1 for a row below a row. */
  depth: 0 | 1;
  /** Place among the rows that were given; of a sub row, that of the row above it. */
  place: number;
  /** Whether there are rows below it. */
  canExpand: boolean;
  isExpanded: boolean;
}

/** A row that moved from one page to the next between two fetches comes twice; the first one stays. */
const unique = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] => {
  const seen = new Set<string | number>();
  return rows.filter((row) => seen.size < seen.add(keyOf(row)).size);
};

interface RowNeeds<T> {
  keyOf: (row: T) => string | number;
  /** The rows below a row; there are none of these below a sub row. */
  below: ((row: T) => readonly T[]) | undefined;
  isUnfolded: (key: string) => boolean;
}

/** The rows in order, each once, sub rows below their parents where these are unfolded. */
export const tableRows = <T>(rows: readonly T[], { keyOf, below, isUnfolded }: RowNeeds<T>): TableRow<T>[] =>
  unique(rows, keyOf).flatMap((original, place) => {
    const id = String(keyOf(original));
    const subRows = below?.(original) ?? [];
    const canExpand = subRows.length > 0;
    const isExpanded = canExpand && isUnfolded(id);
    const row: TableRow<T> = { id, original, depth: 0, place, canExpand, isExpanded };
    if (!isExpanded) return [row];
    return [
      row,
      ...subRows.map(
        (sub): TableRow<T> => ({
          id: String(keyOf(sub)),
          original: sub,
          depth: 1,
          place,
          canExpand: false,
          isExpanded: false,
        }),
      ),
    ];
  });

const none: ReadonlySet<string> = new Set();

/** A set with the key in it, or without it if it was. */
const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.has(key) ? new Set([...keys].filter((each) => each !== key)) : new Set([...keys, key]);

/** Which rows show their sub rows. */
export interface Unfolded {
  has: (key: string) => boolean;
  toggle: (key: string) => void;
}

/**
 * Which rows show their sub rows: to begin with all of them or none, and then as somebody folds and unfolds them. Rows
 * that come in later begin like the others. Begins anew when `areOpen` changes.
 */
const useUnfolded = (areOpen: boolean): Unfolded => {
  const [changed, setChanged] = useState({ areOpen, keys: none });
  const exceptions = changed.areOpen === areOpen ? changed.keys : none;
  return {
    has: useCallback((key) => exceptions.has(key) !== areOpen, [exceptions, areOpen]),
    toggle: useCallback(
      (key) => setChanged((last) => ({ areOpen, keys: toggled(last.areOpen === areOpen ? last.keys : none, key) })),
      [areOpen],
    ),
  };
};

/** The rows below a row. */
export interface SubRows<T> {
  /** Must be the same function at each render. */
  of: (row: T) => readonly T[];
  /** Whether they are shown before anybody unfolds them: where they, and not the row above, were asked for. */
  areOpen?: boolean;
}

const noRows: never[] = [];

/** The rows in order, sub rows below their parents where these are expanded, and what folds and unfolds a row. */
export const useTableRows = <T>(
  rows: readonly T[] | undefined,
  keyOf: (row: T) => string | number,
  subRows: SubRows<T> | undefined,
): { rows: TableRow<T>[]; toggle: (key: string) => void } => {
  const { has, toggle } = useUnfolded(subRows?.areOpen ?? false);
  const below = subRows?.of;
  return {
    rows: useMemo(() => tableRows(rows ?? noRows, { keyOf, below, isUnfolded: has }), [rows, keyOf, below, has]),
    toggle,
  };
};
