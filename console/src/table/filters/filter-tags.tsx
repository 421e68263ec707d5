import { UnstyledButton } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./filter-tags.module.css";
import type { FilterSet, Filters } from "./use-filters.ts";

interface FilterTagsProps<S extends FilterSet> {
  filters: Filters<S>;
  /** The column's label of each filter. */
  heads: Readonly<Record<keyof S, string>>;
}

/** The filters in force, one tag a value, each with its own removing x; nothing when there is none. */
export const FilterTags = <S extends FilterSet>({ filters, heads }: FilterTagsProps<S>): ReactNode => {
  if (!filters.isActive) return null;
  return (
    <section className={classes.tags} aria-label="Filters">
      <span className={classes.title}>Filters</span>
      {Object.keys(heads).flatMap((name) => {
        const { filter, values, set } = filters.by[name as keyof S];
        const head = heads[name as keyof S];
        return values.map((value) => (
          <span key={`${name} ${value}`} className={classes.tag}>
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
      <UnstyledButton className={classes.clear} onClick={filters.clear}>
        Clear all
      </UnstyledButton>
    </section>
  );
};
