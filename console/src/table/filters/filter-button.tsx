import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from "react";
import { lazyPart } from "../../ui/load-part.ts";
import classes from "../filter.module.css";
import type { FilterInForce } from "./use-filters.ts";

/** Distance between button and popover, and to the edges of the screen, in pixels. */
const gap = 4;
const margin = 8;

/** Positions an open popover below its button, or above it where there is more space, within the screen. */
const usePlaceBelow = (
  popover: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void => {
  useLayoutEffect(() => {
    const [above, below] = [popover.current, button.current];
    if (!isOpen || !above || !below) return;
    const place = () => {
      const at = below.getBoundingClientRect();
      const { width, height } = above.getBoundingClientRect();
      const isRoomy = at.bottom + gap + height <= window.innerHeight || at.top < height;
      const left = Math.max(margin, Math.min(at.left - margin, window.innerWidth - width - margin));
      above.style.left = `${left}px`;
      above.style.top = `${isRoomy ? at.bottom + gap : at.top - gap - height}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(above);
    addEventListener("scroll", place, { capture: true, passive: true });
    addEventListener("resize", place);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", place, { capture: true });
      removeEventListener("resize", place);
    };
  }, [popover, button, isOpen]);
};

// The form fields are large and not needed before a filter is opened.
const FilterForm = lazyPart(() => import("./filter-form.tsx"), "FilterForm");

interface FilterButtonProps {
  head: string;
  note?: string | undefined;
  inForce: FilterInForce;
}

/**
 * A column's label as the button that opens its filter; the funnel is filled while the filter is active. The popover
 * is the browser's own: Escape or a click outside closes it and returns the focus to the button.
 */
export const FilterButton = ({ head, note, inForce }: FilterButtonProps): ReactNode => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  usePlaceBelow(popover, button, isOpen);
  const isActive = inForce.values.length > 0;
  const apply = (values: readonly string[]) => {
    popover.current?.hidePopover();
    inForce.set(values);
  };
  return (
    <>
      <button
        ref={button}
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
