import { DatePickerInput } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "../../form/text-field.tsx";
import { serverNow } from "../../ui/server-time.ts";
import { choosableDays, isTooFar } from "./days.ts";

interface DaysFieldProps {
  /** Time zone of the device; days are in it. */
  timeZoneId: string;
  value: [string | null, string | null];
  error: string | undefined;
  onChange: (days: [string | null, string | null]) => void;
}

const arrows = { previousMonth: "Previous month", nextMonth: "Next month" };

/** The days to download; days that cannot be selected are disabled. (spec 1 §5) */
export const DaysField = ({ timeZoneId, value, error, onChange }: DaysFieldProps): ReactNode => {
  const zone = zoneOf(timeZoneId);
  const { first, last } = choosableDays(zone.day(serverNow()));
  const [start, end] = value;
  return (
    <DatePickerInput
      type="range"
      label="DATE RANGE"
      description={`From ${first} to ${last}, time zone ${zone.name}`}
      placeholder="Start date ~ End date"
      valueFormat="YYYY-MM-DD"
      labelSeparator="~"
      minDate={first}
      maxDate={last}
      defaultDate={last}
      excludeDate={(day) => start !== null && end === null && isTooFar(start, day)}
      allowSingleDateInRange
      ariaLabels={arrows}
      // Red is reserved for equipment, so Sundays are not red.
      weekendDays={[]}
      value={value}
      onChange={onChange}
      rightSection={<IconCalendar size={17} stroke={1.6} aria-hidden />}
      error={validationError(error)}
      classNames={fieldClasses}
      popoverProps={{ zIndex: 300 }}
    />
  );
};
