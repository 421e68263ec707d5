import { Checkbox } from "@mantine/core";
import { type FormEvent, type ReactNode, Suspense, useState } from "react";
import { TextField } from "../../form/text-field.tsx";
import { Button } from "../../ui/control/button.tsx";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import classes from "../filter.module.css";
import { type Control, type Filter, rangeErrors, rangeOf } from "./filters.ts";

// The calendar is large and not needed before such a filter is opened.
const DaysFields = lazyWithRetry(() => import("./days-fields.tsx"), "DaysFields");

interface FieldsProps {
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  /** Show missing values; set after the first attempt to apply. */
  isChecked: boolean;
}

const ChoiceFields = ({ options, values, onChange }: FieldsProps & Pick<Control & { kind: "choice" }, "options">) => (
  <Checkbox.Group value={[...values]} onChange={onChange}>
    {options.map(({ value, label }, index) => (
      <Checkbox key={value} className={classes.choice} value={value} label={label} autoFocus={index === 0} />
    ))}
  </Checkbox.Group>
);

interface FilterFormProps {
  head: string;
  filter: Filter;
  values: readonly string[];
  onApply: (values: readonly string[]) => void;
}

const isComplete = ({ control, accepts }: Filter, values: readonly string[]): boolean =>
  control.kind === "days" ? Object.keys(rangeErrors(rangeOf(values[0]))).length === 0 : values.every(accepts);

/** A filter's fields with Clear and Apply; Enter applies. */
export const FilterForm = ({ head, filter, values, onApply }: FilterFormProps): ReactNode => {
  const [draft, setDraft] = useState(values);
  const [isChecked, setChecked] = useState(false);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = draft.map((value) => value.trim()).filter((value) => value !== "");
    setChecked(true);
    if (isComplete(filter, trimmed)) onApply(trimmed);
  };
  const fields = { values: draft, onChange: setDraft, isChecked };
  return (
    <form onSubmit={onSubmit} noValidate>
      <h2 className={classes.title}>{head}</h2>
      {filter.control.kind === "choice" && <ChoiceFields {...fields} options={filter.control.options} />}
      {filter.control.kind === "text" && (
        <TextField
          aria-label={head}
          value={draft[0] ?? ""}
          onChange={(event) => setDraft([event.currentTarget.value])}
          error={isChecked && !isComplete(filter, draft) ? filter.validationError : undefined}
          autoFocus
        />
      )}
      {filter.control.kind === "days" && (
        <Suspense fallback={<div className={classes.waiting} />}>
          <DaysFields {...fields} />
        </Suspense>
      )}
      <div className={classes.actions}>
        <Button type="button" variant="default" size="xs" onClick={() => onApply([])}>
          Clear
        </Button>
        <Button type="submit" size="xs">
          Apply
        </Button>
      </div>
    </form>
  );
};
