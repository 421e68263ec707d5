import {
  createExpandedRowModel,
  type Row,
  type RowData,
  rowExpandingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";

const features = tableFeatures({ rowExpandingFeature, expandedRowModel: createExpandedRowModel() });

/** A row as the table shows it: with its depth and whether it is expanded. */
export type TableRow<T extends RowData> = Row<typeof features, T>;

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
  subRows: ((row: T) => readonly T[]) | undefined,
): TableRow<T>[] => {
  const data = useMemo(() => (rows ? unique(rows, rowKey) : none), [rows, rowKey]);
  const table = useTable<typeof features, T>({
    features,
    columns,
    data,
    autoResetExpanded: false,
    getRowId: (row) => String(rowKey(row)),
    ...(subRows ? { getSubRows: (row: T) => [...subRows(row)] } : {}),
  });
  return table.getRowModel().rows;
};
