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
