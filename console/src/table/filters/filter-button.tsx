import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, Suspense, useId, useRef, useState } from "react";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { useCloseOnBack } from "../../ui/router/hooks.ts";
import classes from "../filter.module.css";
import type { FilterInForce } from "./use-filters.ts";

// Fields are heavy, and no table needs them before somebody opens a filter.
const FilterForm = lazyWithRetry(() => import("./filter-form.tsx"), "FilterForm");

interface FilterButtonProps {
  head: string;
  note?: string | undefined;
  inForce: FilterInForce;
}

/**
 * A column's label as the button that opens its filter; the funnel is filled while the filter is in force. The popover
 * is the browser's own: it closes by Escape or a click elsewhere, gives the focus back to the button, and is anchored to it.
 */
export const FilterButton = ({ head, note, inForce }: FilterButtonProps): ReactNode => {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useCloseOnBack(isOpen, () => popover.current?.hidePopover());
  const isActive = inForce.values.length > 0;
  const apply = (values: readonly string[]) => {
    popover.current?.hidePopover();
    inForce.set(values);
  };
  return (
    <>
      <button
        type="button"
        className={classes.button}
        data-active={isActive || undefined}
        data-open={isOpen || undefined}
        data-shortcut="filter"
        aria-haspopup="dialog"
        aria-label={`${note ? `${head} ${note}` : head}, ${isActive ? "filter active" : "filter"}`}
        popoverTarget={id}
        onPointerEnter={FilterForm.preload}
      >
        <span>
          {head} {note && <em>{note}</em>}
        </span>
        <i className={classes.funnel}>
          <IconFilter size={13} aria-hidden />
        </i>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={`Filter ${head}`}
        className={classes.popover}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {isOpen && (
          <Suspense>
            <FilterForm head={head} filter={inForce.filter} values={inForce.values} onApply={apply} />
          </Suspense>
        )}
      </div>
    </>
  );
};
