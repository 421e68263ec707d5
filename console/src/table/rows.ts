import { useCallback, useEffect, useMemo, useState } from "react";
import { useLocation } from "../ui/router/hooks.ts";

/** A row as the table shows it. */
export interface TableRow<T> {
  /** Its key, as text. */
  id: string;
  original: T;
  /** 0, or 1 for a sub row. */
  depth: 0 | 1;
  /** Index among the given rows; for a sub row, that of its parent. */
  place: number;
  /** Whether it has sub rows. */
  canExpand: boolean;
  isExpanded: boolean;
}

/** Removes duplicates: a row that moved between pages from one fetch to the next appears twice; the first one is kept. */
const unique = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] => {
  const seen = new Set<string | number>();
  return rows.filter((row) => seen.size < seen.add(keyOf(row)).size);
};

interface RowNeeds<T> {
  keyOf: (row: T) => string | number;
  /** The sub rows of a row; sub rows have none themselves. */
  below: ((row: T) => readonly T[]) | undefined;
  isUnfolded: (key: string) => boolean;
}

/** The rows in order, each once, with sub rows below their expanded parents. */
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

/** A set with the key toggleTile. */
const toggleTile = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.has(key) ? new Set([...keys].filter((each) => each !== key)) : new Set([...keys, key]);

/** Which rows are expanded. */
export interface Unfolded {
  has: (key: string) => boolean;
  toggle: (key: string) => void;
}

interface Changed {
  areOpen: boolean;
  /** The rows that the user has toggled. */
  keys: ReadonlySet<string>;
}

/** By visit and table: Back brings the expanded rows back. */
const kept = new Map<string, Changed>();

/**
 * Which rows are expanded: initially all or none, then as the user toggles them. Rows that arrive later start in the same state. Resets when
 * `areOpen` changes.
 */
const useUnfolded = (label: string, areOpen: boolean): Unfolded => {
  const place = useLocation(({ key }) => `${key} ${label}`);
  const [changed, setChanged] = useState<Changed>(() => kept.get(place) ?? { areOpen, keys: none });
  useEffect(() => {
    kept.set(place, changed);
  }, [place, changed]);
  const exceptions = changed.areOpen === areOpen ? changed.keys : none;
  return {
    has: useCallback((key) => exceptions.has(key) !== areOpen, [exceptions, areOpen]),
    toggle: useCallback(
      (key) => setChanged((last) => ({ areOpen, keys: toggleTile(last.areOpen === areOpen ? last.keys : none, key) })),
      [areOpen],
    ),
  };
};

/** The sub rows of a row. */
export interface SubRows<T> {
  /** Must be the same function at each render. */
  of: (row: T) => readonly T[];
  /** Whether they are initially expanded: when the sub rows, not their parents, were searched for. */
  areOpen?: boolean;
}

const noRows: never[] = [];

/** The rows of the table `label` in order, with sub rows below their expanded parents, and the function that toggles a row. */
export const useTableRows = <T>(
  label: string,
  rows: readonly T[] | undefined,
  keyOf: (row: T) => string | number,
  subRows: SubRows<T> | undefined,
): { rows: TableRow<T>[]; toggle: (key: string) => void } => {
  const { has, toggle } = useUnfolded(label, subRows?.areOpen ?? false);
  const below = subRows?.of;
  return {
    rows: useMemo(() => tableRows(rows ?? noRows, { keyOf, below, isUnfolded: has }), [rows, keyOf, below, has]),
    toggle,
  };
};
