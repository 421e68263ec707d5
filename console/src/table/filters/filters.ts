import type { Zone } from "@telltale/contract/text/wall-clock";
import { dateTime } from "../../ui/format/time.ts";

/** Input control of a filter. */
export type Control =
  | { kind: "text" }
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "days" };

/** A filter of a column. Its values are texts, as in the page's address. */
export interface Filter<Fields extends object = object> {
  control: Control;
  /** The query fields for these values; none without values. Days are those of the zone, by default the viewer's. */
  fields: (values: readonly string[], zone?: Zone) => Fields;
  /** Text of a value's tag. */
  tag: (value: string) => string;
  /** Whether a value is valid: an address may have been edited by hand. */
  accepts: (value: string) => boolean;
  /** The error for an invalid typed value. */
  validationError?: string;
}

type Field<Name extends string, Value> = { [name in Name]?: Value };

/** TypeScript widens a computed property name to string. */
const oneField = <Name extends string, Value>(name: Name, value: Value) => ({ [name]: value }) as Field<Name, Value>;

/** A text search in a column. */
export const text = <Name extends string>(name: Name): Filter<Field<Name, string>> => ({
  control: { kind: "text" },
  fields: ([value]) => (value === undefined ? {} : oneField(name, value)),
  tag: (value) => value,
  accepts: (value) => value.trim() !== "" && value.length <= 200,
  validationError: "At most 200 characters",
});

/** An integer that a column must equal. */
export const wholeNumber = <Name extends string>(name: Name): Filter<Field<Name, number>> => ({
  control: { kind: "text" },
  fields: ([value]) => (value === undefined ? {} : oneField(name, Number(value))),
  tag: (value) => value,
  accepts: (value) => /^\d{1,9}$/.test(value),
  validationError: "Enter a whole number",
});

/** One or more values of an enumeration, by their labels: `choice("status", alertStatusLabels)`. */
export const choice = <Name extends string>(
  name: Name,
  labels: Readonly<Record<number, string>>,
): Filter<Field<Name, number[]>> => {
  const words: Readonly<Record<string, string>> = labels;
  return {
    control: { kind: "choice", options: Object.entries(words).map(([value, label]) => ({ value, label })) },
    fields: (values) => (values.length === 0 ? {} : oneField(name, values.map(Number))),
    tag: (value) => words[value] ?? value,
    accepts: (value) => Object.hasOwn(words, value),
  };
};

/** A moment that a link sets, as an ISO 8601 time: it has a tag, but no field to type it in. */
export const moment = <Name extends string>(name: Name): Filter<Field<Name, Date>> => ({
  control: { kind: "text" },
  fields: ([value]) => (value === undefined ? {} : oneField(name, new Date(value))),
  tag: (value) => dateTime(new Date(value)),
  accepts: (value) => /^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value)),
});

/** The first and last day of a range, both included. */
export interface DayRange {
  start: string;
  end: string;
}

const between = "~";

/** Encodes a range as one value. */
export const rangeText = ({ start, end }: DayRange): string => `${start}${between}${end}`;
export const rangeOf = (value: string | undefined): DayRange => {
  const [start = "", end = ""] = (value ?? "").split(between);
  return { start, end };
};

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The first or last millisecond of a day in the zone, by default the viewer's; undefined when the day does not exist. */
const momentOf = (day: string, edge: "first" | "last", zone?: Zone): Date | undefined => {
  const found = dayPattern.exec(day);
  if (!found) return undefined;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const moment = edge === "first" ? new Date(year, month - 1, date) : new Date(year, month - 1, date, 23, 59, 59, 999);
  if (moment.getMonth() !== month - 1 || moment.getDate() !== date) return undefined;
  if (!zone) return moment;
  const second = zone.moment(`${day} ${edge === "first" ? "00:00:00" : "23:59:59"}`, edge);
  return second && (edge === "first" ? second : new Date(second.getTime() + 999));
};

/** Whether a text is an existing date, written as 2026-01-31. */
export const isDay = (day: string): boolean => momentOf(day, "first") !== undefined;

/** Errors of a range, by field. (spec 1 §5) */
export const rangeErrors = ({ start, end }: DayRange): Partial<DayRange> => {
  const [from, to] = [momentOf(start, "first"), momentOf(end, "last")];
  if (!from || !to) {
    return { ...(from ? {} : { start: "Please select start date" }), ...(to ? {} : { end: "Please select end date" }) };
  }
  return from > to ? { end: "End date is before start date" } : {};
};

/** A range of days in the page's time zone: `days("createdStartTime", "createdEndTime")`. */
export const days = <From extends string, To extends string>(
  from: From,
  to: To,
): Filter<Field<From, Date> & Field<To, Date>> => ({
  control: { kind: "days" },
  fields: ([value], zone) => {
    const { start, end } = rangeOf(value);
    const [first, last] = [momentOf(start, "first", zone), momentOf(end, "last", zone)];
    return first && last ? { ...oneField(from, first), ...oneField(to, last) } : {};
  },
  tag: (value) => {
    const { start, end } = rangeOf(value);
    return `${start} ${between} ${end}`;
  },
  accepts: (value) => Object.keys(rangeErrors(rangeOf(value))).length === 0,
});
