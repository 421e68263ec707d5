/** Source of the rows' times. Epoch milliseconds and milliseconds. */
export interface RowTimesNeeds {
  /** Index of the time column; undefined for a recording without a clock. */
  column: number | undefined;
  /** Time of the first row; with a time column the whole recording is shifted. */
  start: number | undefined;
  /** Milliseconds between rows of a recording without a clock. */
  step: number;
}

/** A number above this is milliseconds, otherwise seconds: the threshold is the year 1973 or 5138. */
const milliseconds = 100_000_000_000;

const decimalComma = /^(.*\d),(\d+)(\D.*)?$/;
const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)$/;

const two = (figure = ""): string => figure.padStart(2, "0");

/** Replaces a decimal comma by a point, and puts the year first. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(decimalComma, "$1.$2$3")
    .replace(
      dayFirst,
      (_, day: string, month: string, year: string, rest: string) => `${year}-${two(month)}-${two(day)}${rest}`,
    );

/**
 * Parses a time: ISO 8601, `2013-07-04 00:00:00` or `4.7.2013 00:00` (UTC without a zone), epoch seconds or milliseconds; NaN for anything else.
 */
export const parseTime = (text: string): number => {
  const trimmed = plain(text);
  if (/^\d+(\.\d+)?$/.test(trimmed)) {
    const value = Number(trimmed);
    return Math.round(value > milliseconds ? value : value * 1000);
  }
  const [, date, time, zone] = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:.]+)\s*(Z|[-+]\d{2}:?\d{2})?)?$/i.exec(trimmed) ?? [];
  return date ? Date.parse(`${date}T${time ?? "00:00:00"}${zone ?? "Z"}`) : Number.NaN;
};

/** Returns the time of each row in sequence; NaN for a row whose time can't be parsed. */
export const createRowTimes = ({ column, start, step }: RowTimesNeeds): ((row: readonly string[]) => number) => {
  let count = 0;
  let shift: number | undefined = start === undefined ? 0 : undefined;
  if (column === undefined) return () => Math.round((start ?? 0) + step * count++);
  return (row) => {
    const ts = parseTime(row[column] ?? "");
    if (shift === undefined && !Number.isNaN(ts)) shift = (start ?? ts) - ts;
    return ts + (shift ?? 0);
  };
};
