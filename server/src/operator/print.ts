/** A row of output; its keys are the JSON names and the column heads. */
export type Row = Record<string, string | number | boolean | null>;

const text = (value: Row[string] | undefined): string =>
  value === null || value === undefined || value === "" ? "--" : String(value);

const table = (rows: readonly Row[], columns: readonly string[]): string => {
  // Not by one call with all lengths: more than about 125,000 arguments are too many for one.
  const width = (column: string) =>
    rows.reduce((widest, row) => Math.max(widest, text(row[column]).length), column.length);
  const widths = columns.map(width);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(columns), ...rows.map((row) => line(columns.map((column) => text(row[column]))))].join("\n");
};

/** Prints rows as an aligned table, or as a JSON array for programs. */
export const print = (rows: readonly Row[], isJson: boolean): void => {
  const columns = Object.keys(rows[0] ?? {});
  if (isJson) console.log(JSON.stringify(rows, null, 2));
  else console.log(rows.length === 0 ? "None" : table(rows, columns));
};
