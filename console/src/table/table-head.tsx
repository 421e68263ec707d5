import type { ReactNode, Ref, UIEvent } from "react";
import type { Column } from "./column.tsx";
import classes from "./data-table.module.css";
import { FilterButton } from "./filters/filter-button.tsx";
import { roles } from "./roles.ts";

interface TableHeadProps<T> {
  columns: readonly Column<T>[];
  hasChevron: boolean;
  sideRef: Ref<HTMLTableSectionElement>;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** The column labels. The label of a filterable column is the button that opens its filter. */
export const TableHead = <T,>({ columns, hasChevron, sideRef, onScroll }: TableHeadProps<T>): ReactNode => (
  <thead {...roles.group} ref={sideRef} className={classes.head} onScroll={onScroll}>
    <tr {...roles.row}>
      {hasChevron && (
        <td {...roles.cell} className={classes.chevronCell}>
          <span className={classes.spoken}>Expand</span>
        </td>
      )}
      {columns.map(({ key, head, note, align, pin, filter }) => (
        <th
          key={key}
          {...roles.head}
          scope="col"
          data-align={align}
          data-pin={pin}
          data-plain={filter ? undefined : true}
        >
          {filter ? (
            <FilterButton head={head} note={note} inForce={filter} />
          ) : (
            <span className={classes.label}>
              {head} {note && <em>{note}</em>}
            </span>
          )}
        </th>
      ))}
    </tr>
  </thead>
);
