import { SegmentedControl, Select } from "@mantine/core";
import {
  lastOfMonth,
  nthWeekdayText,
  type Occurrence,
  WindowRepeat,
  weekdayNames,
} from "@telltale/contract/domains/alerting/maintenance";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { durationText } from "../../../domain/alerts/duration.ts";
import { fieldClasses, TextField, validationError } from "../../../form/text-field.tsx";
import { segments } from "./silence-fields.tsx";
import classes from "./window-fields.module.css";
import type { WindowValues } from "./window-values.ts";

interface PartProps {
  values: WindowValues;
  errors: Partial<Record<string, string>>;
  change: (changed: Partial<WindowValues>) => void;
}

const repeats = [
  [WindowRepeat.once, "Once"],
  [WindowRepeat.daily, "Daily"],
  [WindowRepeat.weekly, "Weekly"],
  [WindowRepeat.monthly, "nth weekday"],
] as const;

/** How often it repeats. */
export const RepeatField = ({ values, change }: PartProps): ReactNode => (
  <div className={classes.field}>
    <span className={classes.heading}>Repeats</span>
    <SegmentedControl
      aria-label="Repeats"
      fullWidth
      data={repeats.map(([value, label]) => ({ value: String(value), label }))}
      value={String(values.repeat)}
      onChange={(chosen) => change({ repeat: repeats.find(([value]) => String(value) === chosen)?.[0] })}
      classNames={segments}
    />
  </div>
);

const weekdays = weekdayNames.map((label, index) => ({ value: String(index + 1), label }));
const nthWeekdays = Array.from({ length: lastOfMonth }, (_, nth) =>
  weekdayNames.map((_name, index) => ({
    value: `${nth + 1} ${index + 1}`,
    label: nthWeekdayText(nth + 1, index + 1),
  })),
).flat();

/** On which day it begins; nothing for a daily one. */
export const DayField = ({ values, errors, change }: PartProps): ReactNode => {
  if (values.repeat === WindowRepeat.once)
    return (
      <TextField
        label="Day"
        type="date"
        value={values.date ?? ""}
        onChange={({ currentTarget }) => change({ date: currentTarget.value })}
        error={errors.date}
        data-field="date"
      />
    );
  const isMonthly = values.repeat === WindowRepeat.monthly;
  if (values.repeat === WindowRepeat.daily) return null;
  return (
    <Select
      label={isMonthly ? "Day of the month" : "Day of the week"}
      data={isMonthly ? nthWeekdays : weekdays}
      value={isMonthly ? `${values.nth} ${values.weekday}` : String(values.weekday)}
      onChange={(chosen) => {
        const [first = 1, second = 1] = (chosen ?? "").split(" ").map(Number);
        change(isMonthly ? { nth: first, weekday: second } : { weekday: first });
      }}
      allowDeselect={false}
      searchable
      error={validationError(errors.weekday)}
      classNames={fieldClasses}
      data-field="weekday"
    />
  );
};

const ends = ["Same day", "Next day", "2 days later", "3 days later"];

/** From when to when, in which time zone. */
export const TimesField = ({ values, errors, change }: PartProps): ReactNode => (
  <>
    <TextField
      label="From"
      type="time"
      value={values.from ?? ""}
      onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      error={errors.from}
      data-field="from"
    />
    <TextField
      label="To"
      type="time"
      value={values.to ?? ""}
      onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      error={errors.to}
      data-field="to"
    />
    <Select
      label="Ends"
      data={ends.map((label, index) => ({ value: String(index), label }))}
      value={String(values.daysLater)}
      onChange={(chosen) => change({ daysLater: Number(chosen) })}
      allowDeselect={false}
      classNames={fieldClasses}
    />
  </>
);

const zones = Intl.supportedValuesOf("timeZone");

/** In which time zone. */
export const ZoneField = ({ values, errors, change }: PartProps): ReactNode => (
  <Select
    label="Time zone"
    data={zones.includes(values.timeZoneId) ? zones : [values.timeZoneId, ...zones]}
    value={values.timeZoneId}
    onChange={(chosen) => chosen && change({ timeZoneId: chosen })}
    allowDeselect={false}
    searchable
    limit={60}
    error={validationError(errors.timeZoneId)}
    classNames={fieldClasses}
    data-field="timeZoneId"
  />
);

const dayName = (zoneId: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zoneId, weekday: "short", day: "numeric", month: "short" });

/** When it occurs next. */
export const NextOnes = ({ next, timeZoneId }: { next: Occurrence[]; timeZoneId: string }): ReactNode => {
  const zone = zoneOf(timeZoneId);
  const [first] = next;
  if (!first) return null;
  const text = (moment: Date, beside: Date) =>
    zone.day(moment) === zone.day(beside)
      ? zone.clock(moment)
      : `${dayName(timeZoneId).format(moment)} ${zone.clock(moment)}`;
  return (
    <div className={classes.next}>
      <span className={classes.heading}>
        Next <small>{`${timeZoneId}, ${durationText(first.end.getTime() - first.start.getTime())}`}</small>
      </span>
      <ul>
        {next.map(({ start, end }) => (
          <li key={start.getTime()}>
            <b>{dayName(timeZoneId).format(start)}</b>
            {`${zone.clock(start)} to ${text(end, start)}`}
          </li>
        ))}
      </ul>
    </div>
  );
};
