/** How a filter is set by hand. */
export type Control =
  | { kind: "text" }
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "days" };

/** What a column can be filtered by. Its values are texts, as they stand in the address of the page. */
export interface Filter<Fields extends object = object> {
  control: Control;
  /** The fields of a call's query for these values; none for no value. */
  fields: (values: readonly string[]) => Fields;
  /** What a value's tag says. */
  tag: (value: string) => string;
  /** Whether a value makes sense: an address may have been written by hand. */
  accepts: (value: string) => boolean;
  /** What is wrong with a value that was typed. */
  validationError?: string;
}

type Field<Name extends string, Value> = { [name in Name]?: Value };

/** TypeScript takes a computed name for any text. */
const oneField = <Name extends string, Value>(name: Name, value: Value) => ({ [name]: value }) as Field<Name, Value>;

/** A text to be found in a column. */
export const text = <Name extends string>(name: Name): Filter<Field<Name, string>> => ({
  control: { kind: "text" },
  fields: ([value]) => (value === undefined ? {} : oneField(name, value)),
  tag: (value) => value,
  accepts: (value) => value.trim() !== "" && value.length <= 200,
  validationError: "At most 200 characters",
});

/** A whole number that a column must equal. */
export const wholeNumber = <Name extends string>(name: Name): Filter<Field<Name, number>> => ({
  control: { kind: "text" },
  fields: ([value]) => (value === undefined ? {} : oneField(name, Number(value))),
  tag: (value) => value,
  accepts: (value) => /^\d{1,9}$/.test(value),
  validationError: "Enter a whole number",
});

/** One or more of an enumeration's numbers, by their words. `choice("status", alertStatusLabels)` */
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

/** The first and the last day of a range, both included. */
export interface DayRange {
  start: string;
  end: string;
}

const between = "~";

/** A range as one value, and back. */
export const rangeText = ({ start, end }: DayRange): string => `${start}${between}${end}`;
export const rangeOf = (value: string | undefined): DayRange => {
  const [start = "", end = ""] = (value ?? "").split(between);
  return { start, end };
};

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The first or the last millisecond of a day on the viewer's clock; undefined when there is no such day. */
const momentOf = (day: string, edge: "first" | "last"): Date | undefined => {
  const found = dayPattern.exec(day);
  if (!found) return undefined;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const moment = edge === "first" ? new Date(year, month - 1, date) : new Date(year, month - 1, date, 23, 59, 59, 999);
  return moment.getMonth() === month - 1 && moment.getDate() === date ? moment : undefined;
};

/** Whether a text is a day of the calendar, written as 2026-01-31. */
export const isDay = (day: string): boolean => momentOf(day, "first") !== undefined;

/** What is wrong with a range, by field. (spec 1 §5) */
export const rangeErrors = ({ start, end }: DayRange): Partial<DayRange> => {
  const [from, to] = [momentOf(start, "first"), momentOf(end, "last")];
  if (!from || !to) {
    return { ...(from ? {} : { start: "Please select start date" }), ...(to ? {} : { end: "Please select end date" }) };
  }
  return from > to ? { end: "End date is before start date" } : {};
};

/** A range of days, on the viewer's clock. `days("createdStartTime", "createdEndTime")` */
export const days = <From extends string, To extends string>(
  from: From,
  to: To,
): Filter<Field<From, Date> & Field<To, Date>> => ({
  control: { kind: "days" },
  fields: ([value]) => {
    const { start, end } = rangeOf(value);
    const [first, last] = [momentOf(start, "first"), momentOf(end, "last")];
    return first && last ? { ...oneField(from, first), ...oneField(to, last) } : {};
  },
  tag: (value) => {
    const { start, end } = rangeOf(value);
    return `${start} ${between} ${end}`;
  },
  accepts: (value) => Object.keys(rangeErrors(rangeOf(value))).length === 0,
});
