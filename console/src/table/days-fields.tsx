import { DateInput, type DateInputProps } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./filter.module.css";
import { rangeComplaints, rangeOf, rangeText } from "./filters.ts";

interface DaysFieldsProps {
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
  isChecked: boolean;
}

const shared: DateInputProps = {
  valueFormat: "YYYY-MM-DD",
  placeholder: "YYYY-MM-DD",
  leftSection: <IconCalendar size={16} aria-hidden />,
  firstDayOfWeek: 1,
  fixOnBlur: false,
  // Inside of the filter's own popover, which would close by a click outside of it.
  popoverProps: { withinPortal: false, position: "bottom-start" },
};

/** Start date and End date. Both are needed; `isChecked` says what is missing. */
export const DaysFields = ({ values, onChange, isChecked }: DaysFieldsProps): ReactNode => {
  const range = rangeOf(values[0]);
  const complaints = isChecked ? rangeComplaints(range) : {};
  const field = (edge: "start" | "end"): DateInputProps => ({
    ...shared,
    value: range[edge] || null,
    error: complaints[edge],
    onChange: (day) => onChange([rangeText({ ...range, [edge]: day ?? "" })]),
  });
  return (
    <div className={classes.days}>
      <DateInput label="Start date" {...field("start")} autoFocus />
      <DateInput label="End date" {...field("end")} />
    </div>
  );
};
