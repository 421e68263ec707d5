import { z } from "zod";
import { spelledOut } from "../text/field-words.ts";
import { madeOnce } from "../text/made-once.ts";
import { fieldTypeError } from "../text/validation-message.ts";

/** Codecs between the text of a query or form and typed values. `decode` reads the text, `encode` writes it. */

/** What the field accepts, from which the validation message is built; or a complete message. */
type Wrong = { takes: string } | string;

/** The `error` option of a schema; without a message of the form's own, `validationMessage` builds one. */
export const errorOf = (wrong: Wrong) =>
  typeof wrong === "string" ? wrong : (issue: z.core.$ZodRawIssue) => fieldTypeError(issue, wrong.takes);

/** The issue that a codec raises itself, outside any schema's `error` option. */
export const issueOf = (wrong: Wrong, input: string) =>
  typeof wrong === "string"
    ? ({ code: "custom", input, message: wrong } as const)
    : ({ code: "custom", input, params: wrong } as const);

/** Parses a number; undefined for blank text and anything that is not a finite number. */
const numberIn = (text: string): number | undefined => {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** A codec between text and number; `read` returns undefined for text it does not accept. */
const codec = <S extends z.ZodType<number, number>>(
  schema: S,
  wrong: Wrong,
  read: (text: string) => z.input<S> | undefined,
) =>
  z.codec(z.string({ error: errorOf(wrong) }), schema, {
    decode: (text, context) => {
      const value = read(text);
      if (value !== undefined) return value;
      context.issues.push(issueOf(wrong, text));
      return z.NEVER;
    },
    encode: (value) => String(value),
  });

const number = (schema: z.ZodNumber, wrong: Wrong) => codec(schema, wrong, numberIn);

const between = (min: number, max: number, wrong: Wrong) => {
  const error = errorOf(wrong);
  return number(z.int({ error }).min(min, { error }).max(max, { error }), wrong);
};

/** Ids and counts are 32-bit integers in the database. A larger number is a client error and must not reach a query. */
const largestInt = 2 ** 31 - 1;

/** A 32-bit integer; `message` is the validation error. */
export const int = madeOnce((message?: string) =>
  between(-largestInt, largestInt, message ?? { takes: "a whole number" }),
);

/** An id that may be none: 0 or blank. `message` is the validation error. */
export const intOrNone = madeOnce((message: string) =>
  z
    .codec(z.string(), z.string(), {
      decode: (text) => (text.trim() === "" ? "0" : text),
      encode: (text) => text,
    })
    .pipe(int(message)),
);

/** A time as epoch milliseconds. */
export const epoch = madeOnce(() => between(0, 8.64e15, { takes: "a time in milliseconds" }));

/** An integer from `min` to `max`, both included. */
export const intBetween = madeOnce((min: number, max: number, message?: string) =>
  between(min, max, message ?? { takes: `a whole number from ${min} to ${max}` }),
);

/** `1 high, 2 low`: the values of an enumeration with their names, for the API's documentation. */
export const namesText = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${value} ${spelledOut(name).toLowerCase()}`)
    .join(", ");

/** The part of an enumeration that has one of `values`. */
export const only = <const T extends number>(
  enumeration: Readonly<Record<string, number>>,
  values: readonly T[],
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(enumeration).flatMap(([name, each]) => {
      const value = values.find((one) => one === each);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/** One of the given numbers: the values of an enumeration, or a list whose `message` says what each means. */
export const oneOf = <const T extends number>(values: readonly T[] | Readonly<Record<string, T>>, message: string) => {
  const allowed: readonly T[] = Object.values(values);
  return codec(z.literal(allowed, { error: message }), message, (text) => {
    const value = numberIn(text);
    return allowed.find((each) => each === value);
  }).describe(Array.isArray(values) ? message : namesText({ ...values }));
};

/** What a filter compares with values of an enumeration; any other number matches nothing. */
export const anyOf = (enumeration: Readonly<Record<string, number>>) => int().describe(namesText(enumeration));

/** A finite decimal number. */
export const decimal = madeOnce((message?: string) => {
  const wrong = message ?? { takes: "a number" };
  return number(z.number({ error: errorOf(wrong) }), wrong);
});

/** Most values of one list field: more than any screen sends, and well below the parameter limit of an SQL statement. */
const mostValues = 1000;

const listOf = <T extends z.ZodType<unknown, string>>(item: T, isTaken: (text: string) => boolean) =>
  z
    .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
      decode: (value) => (Array.isArray(value) ? value : [value]).filter(isTaken),
      encode: (value) => value,
    })
    .pipe(z.array(item).max(mostValues));

/** One or several values: `a=1&a=2`, `a[]=1&a[]=2` or a single `a=1`. */
export const list = <T extends z.ZodType<unknown, string>>(item: T) => listOf(item, () => true);

/** The same; blank and absent mean none. */
export const listOrNone = <T extends z.ZodType<unknown, string>>(item: T) =>
  listOf(item, (text) => text.trim() !== "").default([]);

/** Values joined by commas. Empty items are dropped. */
export const commaList = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .codec(z.string(), z.array(z.string()), {
      decode: (text) => text.split(",").filter((part) => part !== ""),
      encode: (parts) => parts.join(","),
    })
    .pipe(z.array(item).max(mostValues));

/** Text for a search field: trimmed, at most 200 characters. */
export const text = madeOnce((max: number = 200) => z.string().trim().max(max));

const date = { takes: "a date as 2026-01-31 or 2026-01-31T08:00:00Z" };
const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** The `error` option of a field for dates. */
export const dateError = errorOf(date);

/** Whether there is such a day: JavaScript parses 30 February as 2 March. */
export const isDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};

/** Parses a date or time; without a zone it is UTC, regardless of the machine's time zone. */
const momentOf = (text: string, timeOfDate: string): Date => {
  const [, date = "", time = timeOfDate, zone = "Z"] = written.exec(text.trim()) ?? [];
  return new Date(isDay(date) ? `${date}T${time}${zone}` : Number.NaN);
};

const instant = madeOnce((timeOfDate: string) =>
  z.codec(z.string({ error: dateError }), z.date({ error: dateError }), {
    decode: (text, context) => {
      const moment = momentOf(text, timeOfDate);
      if (Number.isNaN(moment.getTime())) {
        context.issues.push(issueOf(date, text));
        return z.NEVER;
      }
      return moment;
    },
    encode: (moment) => moment.toISOString(),
  }),
);

/** Start of a range, inclusive: a date means its first millisecond (UTC). */
export const rangeStart = () => instant("00:00");

/** End of a range, inclusive: a date means its last millisecond (UTC). */
export const rangeEnd = () => instant("23:59:59.999");

/** A time in an answer: ISO 8601 UTC with milliseconds. */
export const time = madeOnce(() =>
  z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
);

/** An amount of money: decimal text such as `96.00` on the wire, integer cents in code. */
export const money = madeOnce(() =>
  z.codec(z.string().regex(/^\d{1,9}\.\d{2}$/), z.int().min(0).max(99_999_999_999), {
    decode: (text) => Number(text.replace(".", "")),
    encode: (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
  }),
);

/** Largest file of each upload field in bytes; the server stops reading the body there. */
export const uploadLimits = z.registry<{ most: number }>();

/** A file in a multipart body, from 1 to `most` bytes. */
export const upload = (most: number, missing: string, tooLarge: string) =>
  z
    .instanceof(Blob, { error: missing })
    .refine((file) => file.size > 0, { error: missing })
    .refine((file) => file.size <= most, { error: tooLarge })
    .register(uploadLimits, { most });
