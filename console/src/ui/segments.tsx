import type { ReactNode } from "react";
import classes from "./segments.module.css";

interface SegmentsProps<T extends string | number> {
  /** Read aloud before the options. */
  label: string;
  options: readonly { value: T; label: ReactNode }[];
  /** The chosen option; undefined when it is none of them. */
  value: T | undefined;
  onChange: (value: T) => void;
  /** Spans the width of a phone. */
  isWide?: boolean;
}

/** A view of several, chosen by a button each; for a value of a form see `ChoiceRow`. */
export const Segments = <T extends string | number>({
  label,
  options,
  value,
  onChange,
  isWide = false,
}: SegmentsProps<T>): ReactNode => (
  <fieldset className={classes.segments} data-wide={isWide || undefined}>
    <legend>{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
