import type { ReactNode } from "react";
import classes from "./segments.module.css";

interface SegmentsProps<T extends string> {
  /** Read aloud before the options. */
  label: string;
  options: readonly { value: T; label: ReactNode }[];
  /** The applied option; undefined when none is. */
  chosen: T | undefined;
  onChoose: (value: T) => void;
  /** Spans the width of a phone. */
  isWide?: boolean;
}

/** Options as one segmented control; each is applied at once. */
export const Segments = <T extends string>({ label, options, chosen, onChoose, isWide }: SegmentsProps<T>) => (
  <fieldset className={classes.segments} data-wide={isWide || undefined}>
    <legend>{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === chosen}
        onClick={() => onChoose(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
