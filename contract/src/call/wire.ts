import { z } from "zod";
import { wrongField } from "../text/validation-message.ts";

/** Codecs between the text of a query or form and the values both sides compute with. `decode` reads the wire, `encode` writes it. */

/** What a field takes, for the sentence about one that holds something else; or a form's own sentence about it. */
type Wrong = { takes: string } | string;

/** For a schema's `error`; without a sentence of the form's own, `validationMessage` makes one. */
const errorOf = (wrong: Wrong) =>
  typeof wrong === "string" ? wrong : (issue: z.core.$ZodRawIssue) => wrongField(issue, wrong.takes);

/** For an issue that a codec raises, which has no schema to ask for its sentence. */
const issueOf = (wrong: Wrong, input: string) =>
  typeof wrong === "string"
    ? ({ code: "custom", input, message: wrong } as const)
    : ({ code: "custom", input, params: wrong } as const);

/** The number that a text holds; undefined for a blank one, or what is no finite number. */
const numberIn = (text: string): number | undefined => {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** A text and the number it stands for; `read` answers undefined where it stands for none. */
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

/** Ids and counts are kept in 32 bits; a larger number is a mistake, which is better said than looked up. */
const largestInt = 2 ** 31 - 1;

/** A whole number of 32 bits; `message` is shown when it is none. */
export const int = (message?: string) => between(-largestInt, largestInt, message ?? { takes: "a whole number" });

/** A moment as epoch milliseconds. */
export const epoch = () => between(0, 8.64e15, { takes: "a time in milliseconds" });

/** A whole number from `min` to `max`. */
export const intBetween = (min: number, max: number, message?: string) =>
  between(min, max, message ?? { takes: `a whole number from ${min} to ${max}` });

/** One of some numbers, such as those of an enumeration. */
export const oneOf = <const T extends number>(values: readonly T[], message: string) =>
  codec(z.literal(values, { error: message }), message, (text) => {
    const value = numberIn(text);
    return values.find((each) => each === value);
  });

/** A finite decimal number. */
export const decimal = (message?: string) => {
  const wrong = message ?? { takes: "a number" };
  return number(z.number({ error: errorOf(wrong) }), wrong);
};

/** Values of one field: more than any screen sends, and far fewer than a statement takes. */
const mostValues = 1000;

/** One or several values: `a=1&a=2`, `a[]=1&a[]=2` or a single `a=1`. */
export const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
      decode: (value) => (Array.isArray(value) ? value : [value]),
      encode: (value) => value,
    })
    .pipe(z.array(item).max(mostValues));

/** Values joined by commas in one text. Empty items are dropped. */
export const commaList = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .codec(z.string(), z.array(z.string()), {
      decode: (text) => text.split(",").filter((part) => part !== ""),
      encode: (parts) => parts.join(","),
    })
    .pipe(z.array(item).max(mostValues));

/** Text for a search field: trimmed, at most 200 characters. */
export const text = (max = 200) => z.string().trim().max(max);

const date = { takes: "a date as 2026-01-31 or 2026-01-31T08:00:00Z" };
const written = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** JavaScript takes 30 February for 2 March. */
const isDay = (date: string): boolean => {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
};

/** The moment that a text names; without a zone it is UTC, whatever the zone of the machine that reads it. */
const momentOf = (text: string, timeOfDate: string): Date => {
  const [, date = "", time = timeOfDate, zone = "Z"] = written.exec(text.trim()) ?? [];
  return new Date(isDay(date) ? `${date}T${time}${zone}` : Number.NaN);
};

const instant = (timeOfDate: string) =>
  z.codec(z.string({ error: errorOf(date) }), z.date({ error: errorOf(date) }), {
    decode: (text, context) => {
      const moment = momentOf(text, timeOfDate);
      if (Number.isNaN(moment.getTime())) {
        context.issues.push(issueOf(date, text));
        return z.NEVER;
      }
      return moment;
    },
    encode: (moment) => moment.toISOString(),
  });

/** The first moment of a range: a date counts from its first millisecond (UTC). */
export const rangeStart = () => instant("00:00");

/** The last moment of a range, included: a date counts to its last millisecond (UTC). */
export const rangeEnd = () => instant("23:59:59.999");

/** A moment in an answer: ISO 8601 UTC with milliseconds. */
export const time = () =>
  z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() });

/** An amount of money: a decimal text such as `96.00` on the wire, whole cents inside. */
export const money = () =>
  z.codec(z.string().regex(/^\d{1,9}\.\d{2}$/), z.int().min(0).max(99_999_999_999), {
    decode: (text) => Number(text.replace(".", "")),
    encode: (cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`,
  });

/** How many bytes a field's file has at most: whoever reads it stops there. */
export const uploadLimits = z.registry<{ most: number }>();

/** A file in a multipart body: of at least one and at most `most` bytes. */
export const upload = (most: number, missing: string, tooLarge: string) =>
  z
    .instanceof(Blob, { error: missing })
    .refine((file) => file.size > 0, { error: missing })
    .refine((file) => file.size <= most, { error: tooLarge })
    .register(uploadLimits, { most });
