import {
  createExpandedRowModel,
  type Row,
  type RowData,
  rowExpandingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import { useUnfolded } from "./use-unfolded.ts";

const features = tableFeatures({ rowExpandingFeature, expandedRowModel: createExpandedRowModel() });

/** A row as the table shows it: with its depth and whether it is expanded. */
export type TableRow<T extends RowData> = Row<typeof features, T>;

/** The rows below a row. */
export interface SubRows<T> {
  /** Must be the same function at each render. */
  of: (row: T) => readonly T[];
  /** Whether they are shown before anybody unfolds them: where they, and not the row above, were asked for. */
  areOpen?: boolean;
}

// Cells are drawn by the table itself; the row model only needs to know the rows.
const columns: never[] = [];
const none: never[] = [];

/** A row that moved from one page to the next between two fetches comes twice; the first one stays. */
const unique = <T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] =>
  [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()].toReversed();

/** The rows in order, sub rows below their parents where these are expanded. */
export const useTableRows = <T extends RowData>(
  rows: readonly T[] | undefined,
  rowKey: (row: T) => string | number,
  subRows: SubRows<T> | undefined,
): TableRow<T>[] => {
  const data = useMemo(() => (rows ? unique(rows, rowKey) : none), [rows, rowKey]);
  const keys = useMemo(() => data.map((row) => String(rowKey(row))), [data, rowKey]);
  const { expanded, onExpandedChange } = useUnfolded(keys, subRows?.areOpen ?? false);
  const table = useTable<typeof features, T>({
    features,
    columns,
    data,
    state: { expanded },
    onExpandedChange,
    autoResetExpanded: false,
    getRowId: (row) => String(rowKey(row)),
    ...(subRows ? { getSubRows: (row: T) => [...subRows.of(row)] } : {}),
  });
  return table.getRowModel().rows;
};
