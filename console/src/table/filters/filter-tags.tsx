import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./filter-tags.module.css";
import type { FilterInForce } from "./use-filters.ts";

interface FilterTagsProps {
  /** The table's columns; each may have a filter in force. */
  columns: readonly { key: string; head: string; filter?: FilterInForce | undefined }[];
  /** Removes all filters. */
  onClear: () => void;
}

/** The filters in force: one tag for each value, with its own remove button. */
export const FilterTags = ({ columns, onClear }: FilterTagsProps): ReactNode => (
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
