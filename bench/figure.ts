/** One measured figure beside what it is compared with in the same run. */
export interface Figure {
  name: string;
  /** What the figure must reach, as text; the reader compares. */
  goal: string;
  measured: string;
  /** What was measured for comparison, and how much it came to. */
  baseline: string;
  /** Measured over baseline, where both are of one kind. */
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

/** The figures as a Markdown table, aligned so that it reads in a terminal too. */
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
