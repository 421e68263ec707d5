import { type ReactNode, useId } from "react";
import classes from "./choice-row.module.css";

interface ChoiceRowProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  /** Undefined while nothing is chosen. */
  value: T | undefined;
  onChange: (value: T) => void;
}

/** One of a few options, side by side as radio buttons. It has no name: a form does not send it. */
export const ChoiceRow = <T extends string>({ label, options, value, onChange }: ChoiceRowProps<T>): ReactNode => {
  const id = useId();
  return (
    <fieldset className={classes.choice}>
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value} data-chosen={option.value === value || undefined}>
            <input
              type="radio"
              form=""
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
