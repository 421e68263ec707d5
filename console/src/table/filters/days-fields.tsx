import { DatePicker } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { TextField } from "../../form/text-field.tsx";
import { IconButton } from "../../ui/control/icon-button.tsx";
import classes from "../filter.module.css";
import { isDay, rangeErrors, rangeOf, rangeText } from "./filters.ts";

interface DaysFieldsProps {
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  /** Show missing values; set after the first attempt to apply. */
  isChecked: boolean;
}

/** Labels of the calendar's arrows. */
const arrows = {
  previousMonth: "Previous month",
  nextMonth: "Next month",
  previousYear: "Previous year",
  nextYear: "Next year",
  previousDecade: "Previous decade",
  nextDecade: "Next decade",
};

const labels = { start: "Start date", end: "End date" } as const;

/** Start date and End date, typed or picked in one shared calendar. */
export const DaysFields = ({ values, onChange, isChecked }: DaysFieldsProps): ReactNode => {
  const [isPicking, setPicking] = useState(false);
  const range = rangeOf(values[0]);
  const validationErrors = isChecked ? rangeErrors(range) : {};
  const field = (edge: "start" | "end") => (
    <TextField
      label={labels[edge]}
      placeholder="YYYY-MM-DD"
      inputMode="numeric"
      autoFocus={edge === "start"}
      value={range[edge]}
      error={validationErrors[edge]}
      onChange={(event) => onChange([rangeText({ ...range, [edge]: event.currentTarget.value.trim() })])}
      onClick={() => setPicking(true)}
      leftSection={
        <IconButton
          isAccent
          aria-label={`${labels[edge]}, calendar`}
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          <IconCalendar size={16} aria-hidden />
        </IconButton>
      }
    />
  );
  return (
    <div className={classes.days}>
      {field("start")}
      {field("end")}
      {isPicking && (
        <DatePicker
          type="range"
          size="xs"
          ariaLabels={arrows}
          allowSingleDateInRange
          weekendDays={[]}
          value={[isDay(range.start) ? range.start : null, isDay(range.end) ? range.end : null]}
          onChange={([start, end]) => onChange([rangeText({ start: start ?? "", end: end ?? "" })])}
        />
      )}
    </div>
  );
};
