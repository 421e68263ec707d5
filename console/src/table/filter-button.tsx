import { Popover } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import classes from "./filter.module.css";
import { FilterForm } from "./filter-form.tsx";
import type { FilterInForce } from "./use-filters.ts";

interface FilterButtonProps {
  head: string;
  note?: string | undefined;
  inForce: FilterInForce;
}

/** A column's label as the button that opens its filter; the funnel is filled while the filter is in force. */
export const FilterButton = ({ head, note, inForce }: FilterButtonProps): ReactNode => {
  const [isOpen, setOpen] = useState(false);
  const isActive = inForce.values.length > 0;
  const apply = (values: readonly string[]) => {
    inForce.set(values);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus width={272}>
      <Popover.Target>
        <button
          type="button"
          className={classes.button}
          data-active={isActive || undefined}
          data-open={isOpen || undefined}
          aria-label={`${note ? `${head} ${note}` : head}, ${isActive ? "filter active" : "filter"}`}
          onClick={() => setOpen(!isOpen)}
        >
          <span>
            {head} {note && <em>{note}</em>}
          </span>
          <i className={classes.funnel}>
            <IconFilter size={13} aria-hidden />
          </i>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover} aria-label={`Filter ${head}`}>
        <FilterForm head={head} filter={inForce.filter} values={inForce.values} onApply={apply} />
      </Popover.Dropdown>
    </Popover>
  );
};
