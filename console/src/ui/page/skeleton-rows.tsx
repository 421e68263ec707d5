import classes from "./skeleton-rows.module.css";

interface SkeletonRowsProps {
  /** Filled share of each column's width, 0 to 1. */
  columns: readonly number[];
  rows?: number;
}

const steps = [0.9, 1, 1, 0.8, 0.95, 0.75, 1, 0.85];

/** Placeholder table rows while the first page loads. */
export const SkeletonRows = ({ columns, rows = 8 }: SkeletonRowsProps) =>
  steps.slice(0, rows).map((step, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows without identity that never move
    <tr key={row}>
      {columns.map((width, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: likewise
        <td key={column}>
          <span className={classes.bar} style={{ width: `${Math.round(width * step * 100)}%` }} />
        </td>
      ))}
    </tr>
  ));
