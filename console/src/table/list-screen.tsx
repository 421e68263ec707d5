import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Column } from "./column.tsx";
import { DataTable } from "./data-table.tsx";
import classes from "./filters/filter-tags.module.css";
import type { FilterInForce } from "./filters/use-filters.ts";
import { ListEnd, type ListedPages } from "./list-end.tsx";
import type { SubRows } from "./rows.ts";
import type { PagesView } from "./use-pages.ts";

interface FilterTagsProps {
  /** The table's columns; each may have a filter in force. */
  columns: readonly { key: string; head: string; filter?: FilterInForce | undefined }[];
  /** Removes all filters. */
  onClear: () => void;
}

/** The filters in force: one tag for each value, with its own remove button. */
const FilterTags = ({ columns, onClear }: FilterTagsProps): ReactNode => (
  <section className={classes.tags} aria-label="Filters">
    <span className={classes.title}>Filters</span>
    {columns.flatMap(({ key, head, filter: inForce }) => {
      if (!inForce) return [];
      const { filter, values, set } = inForce;
      return values.map((value) => (
        <span key={`${key} ${value}`} className={classes.tag}>
          <span className={classes.head}>{head}</span>
          <b>{filter.tag(value)}</b>
          <button
            type="button"
            aria-label={`Remove filter ${head} ${filter.tag(value)}`}
            onClick={() => set(values.filter((each) => each !== value))}
          >
            <IconX size={14} aria-hidden />
          </button>
        </span>
      ));
    })}
    <button type="button" className={classes.clear} onClick={onClear}>
      Clear all
    </button>
  </section>
);

export interface ListScreenProps<T> {
  /** Accessible name of the table: `Users`. */
  label: string;
  /** Plural of a row, in lower case, where it is not the label's: `entries` of the audit log. */
  noun?: string;
  /** Of useFilters; absent for a list without filters. */
  filters?: { isActive: boolean; clear: () => void };
  /** Filters without a column: links set them, their tags remove them. */
  linked?: readonly { key: string; head: string; filter: FilterInForce }[];
  /** Of usePages. */
  pages: ListedPages<T> & { view: PagesView };
  columns: readonly Column<T>[];
  /** Must be the same function at each render. */
  rowKey: (row: T) => string | number;
  /** Opens a row by click or Enter; the row's own link must lead to the same place. */
  onOpen?: (row: T) => void;
  subRows?: SubRows<T>;
  /** Shown in place of rows when the list is empty without any filter. */
  empty: ReactNode;
}

/** A list under its page's head: the filters in force, the rows, and the next page, the end or what went wrong. */
export const ListScreen = <T,>(props: ListScreenProps<T>): ReactNode => {
  const { label, noun = label.toLowerCase(), filters, linked = [], pages, empty, columns, ...table } = props;
  const isFiltered = filters?.isActive ?? false;
  return (
    <>
      {filters && isFiltered && <FilterTags columns={[...columns, ...linked]} onClear={filters.clear} />}
      <DataTable
        {...table}
        label={label}
        columns={columns}
        rows={pages.rows}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            noun={noun}
            empty={isFiltered ? `No ${noun} match these filters` : empty}
            onClear={isFiltered ? filters?.clear : undefined}
          />
        }
      />
    </>
  );
};
