/** One measured figure and its baseline from the same run. */
export interface Figure {
  name: string;
  /** The target, as text; the reader compares. */
  goal: string;
  measured: string;
  /** What was measured as the baseline, and its value. */
  baseline: string;
  /** Measured divided by baseline, where both have the same unit. */
  ratio: string;
}

const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const count = (value: number, unit: string): string => `${thousands.format(value)} ${unit}`;
export const fixed = (value: number, digits: number, unit: string): string => `${value.toFixed(digits)} ${unit}`;
export const ratio = (measured: number, baseline: number): string =>
  baseline > 0 ? (measured / baseline).toFixed(2) : "";

const columns = ["name", "goal", "measured", "baseline", "ratio"] as const;
const heads: Record<(typeof columns)[number], string> = {
  name: "figure",
  goal: "goal",
  measured: "measured",
  baseline: "compared with",
  ratio: "ratio",
};

/** The figures as a Markdown table, aligned for reading in a terminal. */
export const tableOf = (figures: readonly Figure[]): string => {
  const widths = columns.map((column) =>
    Math.max(heads[column].length, ...figures.map((figure) => figure[column].length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [
    line(columns.map((column) => heads[column])),
    rule,
    ...figures.map((figure) => line(columns.map((column) => figure[column]))),
  ].join("\n");
};
