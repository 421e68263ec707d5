import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from "react";
import type { Column } from "./column.tsx";
import classes from "./data-table.module.css";
import { roles } from "./roles.ts";
import type { TableRow as Row } from "./rows.ts";

interface TableRowProps<T> {
  row: Row<T>;
  index: number;
  columns: readonly Column<T>[];
  /** Toggles the row of a key; absent in a table without sub rows. */
  onToggle: ((key: string) => void) | undefined;
  onOpen: ((row: T) => void) | undefined;
  measure: (row: HTMLElement | null) => void;
}

const controls = "a, button, input, label, select, textarea";

/** Whether the event belongs to a control inside the row, or to a text selection. */
const isForControl = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean => {
  const control = target instanceof Element ? target.closest(controls) : null;
  return (control !== null && currentTarget.contains(control)) || String(window.getSelection()) !== "";
};

interface ChevronProps {
  row: Row<unknown>;
  onToggle: (key: string) => void;
}

const Chevron = ({ row: { id, canExpand, isExpanded }, onToggle }: ChevronProps) => (
  <td {...roles.cell} className={classes.chevronCell}>
    {canExpand && (
      <button
        type="button"
        className={classes.chevron}
        aria-expanded={isExpanded}
        aria-label="Rows below"
        onClick={() => onToggle(id)}
      >
        {isExpanded ? <IconChevronDown size={18} aria-hidden /> : <IconChevronRight size={18} aria-hidden />}
      </button>
    )}
  </td>
);

const Drawn = <T,>(props: TableRowProps<T>): ReactNode => {
  const { row, index, columns, onToggle, onOpen, measure } = props;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (onOpen && !isForControl(event)) onOpen(row.original);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (onOpen && event.key === "Enter" && event.target === event.currentTarget) onOpen(row.original);
  };
  return (
    <tr
      {...roles.row}
      ref={measure}
      data-index={index}
      data-depth={row.depth || undefined}
      data-opens={onOpen ? true : undefined}
      aria-rowindex={index + 2}
      {...(onOpen ? { tabIndex: 0, onClick, onKeyDown } : {})}
    >
      {onToggle && <Chevron row={row} onToggle={onToggle} />}
      {columns.map(({ key, cell, align, pin, narrow }) => (
        <td key={key} {...roles.cell} data-align={align} data-pin={pin} data-narrow={narrow ?? "off"}>
          {cell(row.original)}
        </td>
      ))}
    </tr>
  );
};

/** One row. A click or Enter anywhere on it opens what its link opens. Memoised: scrolling renders only the rows that come into view. */
export const TableRow = memo(Drawn) as typeof Drawn;
