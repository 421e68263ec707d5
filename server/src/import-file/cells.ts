import { deviceLimits } from "@telltale/contract/device-api";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { BadSource, type Precision, type ReadingOptions } from "./source.ts";

const stamp =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const whole = /^-?\d+$/;
const minute = 60_000;

/** Digits of a time now in each unit; a time is in the unit whose digits are nearest. */
const unitOf = (digits: number): Precision => {
  if (digits <= 11) return "s";
  if (digits <= 14) return "ms";
  return digits <= 17 ? "us" : "ns";
};

/** Digits that a time has more than in milliseconds. */
const moreDigits: Record<Precision, number> = { s: -3, ms: 0, us: 3, ns: 6 };

/** A time that is a number, as epoch milliseconds. Digits are cut off as text: a double does not hold nanoseconds. */
export const epochOf = (text: string, unit: Precision): number => {
  if (!whole.test(text)) return Number.NaN;
  const more = moreDigits[unit];
  return more > 0 ? Number(text.slice(0, -more)) : Number(text) * 10 ** -more;
};

const number = /^(-?\d+)(?:\.(\d+))?$/;

/** Whether a number may be a time of the unit that its digits tell: 20261001 is a day, and would be one of 1970. */
const isPlausible = (ms: number): boolean => ms >= deviceLimits.earliest && ms < Date.UTC(2100, 0);

/** A time that is a number, perhaps with a fraction, as epoch milliseconds; NaN for what is none, such as 01.10.2026. */
const numberOf = (text: string, precision: Precision | undefined): number => {
  const [, digits = "", fraction = ""] = number.exec(text) ?? [];
  const unit = precision ?? unitOf(digits.length);
  const ms = epochOf(digits, unit);
  if (precision === undefined && !isPlausible(ms)) return Number.NaN;
  // A fraction of a smaller unit is none of a millisecond that would be kept.
  return fraction === "" || unit !== "s" || Number.isNaN(ms) ? ms : ms + Math.trunc(Number(`0.${fraction}`) * 1000);
};

/** The largest offset from UTC that is in use, minutes: Kiribati's. */
const largestOffset = 14 * 60;

/** An offset in milliseconds; NaN for one that is nowhere in use, such as +25:00. */
const offsetOf = (text: string): number => {
  if (text === "Z" || text === "UTC") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(":", "") || 0)];
  const ahead = hours * 60 + minutes;
  if (minutes > 59 || ahead > largestOffset) return Number.NaN;
  return (text.startsWith("-") ? -ahead : ahead) * minute;
};

/** Reads times as epoch milliseconds; NaN for what is no time. Throws `BadSource` for one without offset when no time zone is given. */
export const createTimes = ({ timezone, precision }: ReadingOptions): ((text: string) => number) => {
  const zone = timezone === undefined ? undefined : zoneOf(timezone);
  if (zone && zone.name !== timezone)
    throw new BadSource(`There is no time zone ${timezone}: write it as Europe/Budapest or UTC`);
  const read = (text: string): number => {
    const parts = stamp.exec(text);
    if (!parts) return numberOf(text, precision);
    const [, year, month, day, hour = "0", min = "0", second = "0", fraction = "", offset] = parts;
    const days = Date.UTC(Number(year), Number(month) - 1, Number(day));
    // 30 February would be 2 March, the 13th month the next year's first, and 24:30 half past midnight of the next day.
    const isDay = new Date(days).getUTCDate() === Number(day) && new Date(days).getUTCMonth() === Number(month) - 1;
    if (!isDay || Number(hour) > 23 || Number(min) > 59 || Number(second) > 59) return Number.NaN;
    const wall =
      days +
      (Number(hour) * 60 + Number(min)) * minute +
      Number(second) * 1000 +
      Number(fraction.padEnd(3, "0").slice(0, 3));
    if (offset !== undefined) return wall - offsetOf(offset);
    if (zone) {
      const moment = zone.showing(wall);
      // A time that the clocks skip in spring was never shown: it would be stored an hour away.
      return moment + zone.offset(moment) === wall ? moment : Number.NaN;
    }
    throw new BadSource(
      `The time ${text} has no offset from UTC: name its time zone, as in --timezone Europe/Budapest or --timezone UTC`,
    );
  };
  // Lines of one moment follow one another.
  let [last, time] = ["", Number.NaN];
  return (text) => {
    if (text !== last) [last, time] = [text, read(text)];
    return time;
  };
};

const words: Readonly<Record<string, number>> = { true: 1, false: 0 };

/** Reads values; NaN for what is no number. `true` and `false` are 1 and 0. */
export const createValues = ({ decimal = "." }: ReadingOptions): ((text: string) => number) => {
  const read = (text: string): number => {
    const value = Number(text);
    // `Number` also reads 0x10, and blanks as 0; -0 and 0 are one value to the user and two to the database.
    if (Number.isFinite(value) && !/[xob]|^\s*$/i.test(text)) return value === 0 ? 0 : value;
    return words[text.trim().toLowerCase()] ?? Number.NaN;
  };
  return decimal === "," ? (text) => read(text.includes(".") ? "" : text.replace(",", ".")) : read;
};

/** Why a value is refused; of one with the other decimal sign, how it is read. */
export const noNumber = (text: string, { decimal = "." }: ReadingOptions): string => {
  const other = decimal === "." ? "," : ".";
  const isOther = text.split(other).length === 2 && Number.isFinite(Number(text.replace(",", ".")));
  return `"${text}" is no number${isOther ? `: --decimal ${other} reads it` : ""}`;
};

const statuses: Readonly<Record<string, number>> = {
  "": ReadingStatus.good,
  good: ReadingStatus.good,
  alarm: ReadingStatus.alarm,
  "no data": ReadingStatus.noData,
};

/** The status that a file gives a reading; undefined for another word. */
export const statusOf = (text: string): number | undefined => statuses[text.toLowerCase()];
