import { z } from "zod";
import * as wire from "../../call/wire.ts";
import { counted } from "../../text/counted.ts";
import { onOneLine } from "../../text/text-fields.ts";
import { dayOn, dayText, zoneOf } from "../../text/wall-clock.ts";
import { timeZoneField } from "../people/person-fields.ts";

/** How often a maintenance window occurs. */
export const WindowRepeat = { once: 1, daily: 2, weekly: 3, monthly: 4 } as const;
export type WindowRepeat = (typeof WindowRepeat)[keyof typeof WindowRepeat];

/** The last of a weekday in a month, as `nth`. */
export const lastOfMonth = 5;

/** When a maintenance window occurs, in the local time of a time zone. */
export const WindowPlan = z.object({
  repeat: z.enum(WindowRepeat),
  /** `2026-11-20`; of a window that occurs once. */
  date: z.string().nullable(),
  /** 1 Monday to 7 Sunday; of weekly and monthly windows. */
  weekday: z.int().nullable(),
  /** Which such weekday of the month, 1 to 4, or 5 for the last; of monthly windows. */
  nth: z.int().nullable(),
  /** `12:00` */
  from: z.string(),
  to: z.string(),
  /** On which day it ends, counted from the day on which it begins. */
  daysLater: z.int(),
  timeZoneId: z.string(),
});
export type WindowPlan = z.output<typeof WindowPlan>;

/** One occurrence of a window; the end does not belong to it. */
export interface Occurrence {
  start: Date;
  end: Date;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Bounds of a window's length, in minutes, and how many windows of a plant may not have ended. */
export const windowBounds = { shortest: 15, longest: 72 * 60, windows: 200 } as const;
const longest = windowBounds.longest * minute;

/** Every window that repeats occurs within so many days. */
const farthest = 36;

/** Milliseconds since midnight. */
const timeOfDay = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return (hours * 60 + minutes) * minute;
};

type Times = Pick<WindowPlan, "from" | "to" | "daysLater">;

/** Length of a window by the clock on the wall, in minutes; not positive when it ends before it begins. */
export const windowMinutes = ({ from, to, daysLater }: Times): number =>
  (timeOfDay(to) + daysLater * day - timeOfDay(from)) / minute;

/** 1970-01-01 was a Thursday. */
const weekdayOf = (dayNumber: number): number => ((((dayNumber + 3) % 7) + 7) % 7) + 1;

const isNthWeekday = (dayNumber: number, nth: number): boolean => {
  const date = new Date(dayNumber * day);
  const isLast = new Date((dayNumber + 7) * day).getUTCMonth() !== date.getUTCMonth();
  return nth === lastOfMonth ? isLast : Math.ceil(date.getUTCDate() / 7) === nth;
};

/** Whether the window begins on this day, counted from 1970-01-01. */
const beginsOn = ({ repeat, date, weekday, nth }: WindowPlan, dayNumber: number): boolean => {
  if (repeat === WindowRepeat.once) return dayText(dayNumber) === date;
  if (repeat === WindowRepeat.daily) return true;
  if (weekdayOf(dayNumber) !== weekday) return false;
  return repeat === WindowRepeat.weekly || isNthWeekday(dayNumber, nth ?? 0);
};

/**
 * The occurrence that begins on this day. A time that daylight saving time skips moves on by the skip; one that occurs twice is the first, so that the
 * window counts once. Where the end would come before the beginning by that, the length is kept.
 */
const occurrenceOn = (plan: WindowPlan, dayNumber: number): Occurrence => {
  const zone = zoneOf(plan.timeZoneId);
  const wall = dayNumber * day + timeOfDay(plan.from);
  const length = windowMinutes(plan) * minute;
  const start = zone.showing(wall);
  const shown = zone.showing(wall + length);
  const end = shown > start ? shown : start + length;
  return { start: new Date(start), end: new Date(Math.min(end, start + longest)) };
};

/**
 * The first `count` occurrences that have not ended at `now`, and that begin after `since` where it is given; fewer of a window that occurs once. Times
 * are epoch milliseconds.
 */
export const occurrences = (plan: WindowPlan, now: number, count: number, since = Number.NEGATIVE_INFINITY) => {
  const found: Occurrence[] = [];
  const today = dayOn(zoneOf(plan.timeZoneId), now);
  const isOnce = plan.repeat === WindowRepeat.once;
  const first = isOnce ? Math.floor(Date.parse(`${plan.date}T00:00:00Z`) / day) : today - 5;
  const last = isOnce ? first : today + farthest * count;
  for (let each = first; each <= last && found.length < count; each += 1) {
    if (!beginsOn(plan, each)) continue;
    const occurrence = occurrenceOn(plan, each);
    if (occurrence.end.getTime() > now && occurrence.start.getTime() > since) found.push(occurrence);
  }
  return found;
};

export const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
const ordinals = ["1st", "2nd", "3rd", "4th", "last"] as const;

/** `3rd Friday` */
export const nthWeekdayText = (nth: number, weekday: number): string =>
  `${ordinals[nth - 1] ?? ""} ${weekdayNames[weekday - 1] ?? ""}`;

const onWhichDays = ({ repeat, date, weekday, nth }: WindowPlan): string => {
  if (repeat === WindowRepeat.once) return date ?? "";
  if (repeat === WindowRepeat.daily) return "Every day";
  if (repeat === WindowRepeat.weekly) return `Every ${weekdayNames[(weekday ?? 1) - 1]}`;
  return `Every ${nthWeekdayText(nth ?? 1, weekday ?? 1)}`;
};

/** `Every 3rd Friday, 12:00 to 18:00` */
export const windowText = (plan: WindowPlan): string => {
  const later = plan.daysLater === 0 ? "" : `, ${counted(plan.daysLater, "day")} later`;
  return `${onWhichDays(plan)}, ${plan.from} to ${plan.to}${later}`;
};

const clockField = (message: string) => z.string({ error: message }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, message);

const isDate = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** Most devices of one window. */
const mostDevices = 500;

/** Fields of a maintenance window, in the bodies that add and change silences. */
export const windowFields = {
  name: onOneLine(z.string().trim().max(60, "A name has at most 60 characters")).optional(),
  deviceIds: wire
    .commaList(wire.int("Choose devices from the list"))
    .refine((ids) => ids.length <= mostDevices, `A window has at most ${mostDevices} devices`)
    .optional(),
  repeat: wire.oneOf(WindowRepeat, "Choose how often it repeats").optional(),
  date: z.string().refine(isDate, "Enter the day as 2026-01-31").optional(),
  weekday: wire.intBetween(1, 7, "Choose a day of the week").optional(),
  nth: wire.intBetween(1, lastOfMonth, "Choose a day of the month").optional(),
  from: clockField("Enter when it begins as 08:00").optional(),
  to: clockField("Enter when it ends as 18:00").optional(),
  daysLater: wire.intBetween(0, 3, "It ends at most 3 days later").default(0),
  timeZoneId: timeZoneField,
};
const body = z.object(windowFields);
export type WindowInput = z.output<typeof body>;
type Field = keyof WindowInput;

const lengthError = (given: WindowInput): string | undefined => {
  if (given.from === undefined || given.to === undefined) return undefined;
  const length = windowMinutes({ from: given.from, to: given.to, daysLater: given.daysLater ?? 0 });
  if (length < windowBounds.shortest) return "It ends 15 minutes after it begins at the earliest";
  if (length > windowBounds.longest) return "A window lasts 72 hours at most";
  return given.repeat === WindowRepeat.daily && length > 24 * 60 ? "A daily window lasts 24 hours at most" : undefined;
};

/** What is wrong with a maintenance window, by field: what is missing, and a length that is not possible. */
export const windowErrors = (given: WindowInput): [Field, string][] => {
  const { repeat } = given;
  const isByWeekday = repeat === WindowRepeat.weekly || repeat === WindowRepeat.monthly;
  const wrong = lengthError(given);
  const demands: [Field, string, boolean][] = [
    ["name", "Enter a name", !given.name],
    ["deviceIds", "Choose at least one device", !given.deviceIds?.length],
    ["repeat", "Choose how often it repeats", repeat === undefined],
    ["date", "Enter the day", repeat === WindowRepeat.once && given.date === undefined],
    ["weekday", "Choose a day of the week", isByWeekday && given.weekday === undefined],
    ["nth", "Choose a day of the month", repeat === WindowRepeat.monthly && given.nth === undefined],
    ["from", "Enter when it begins as 08:00", given.from === undefined],
    ["to", "Enter when it ends as 18:00", given.to === undefined],
    ["to", wrong ?? "", wrong !== undefined],
  ];
  return demands.flatMap(([field, message, isMissing]) => (isMissing ? [[field, message]] : []));
};

/** The plan of a window without errors. */
export const planOf = (given: WindowInput): WindowPlan => {
  const repeat = given.repeat ?? WindowRepeat.once;
  const isByWeekday = repeat === WindowRepeat.weekly || repeat === WindowRepeat.monthly;
  return {
    repeat,
    date: repeat === WindowRepeat.once ? (given.date ?? null) : null,
    weekday: isByWeekday ? (given.weekday ?? null) : null,
    nth: repeat === WindowRepeat.monthly ? (given.nth ?? null) : null,
    from: given.from ?? "",
    to: given.to ?? "",
    daysLater: given.daysLater ?? 0,
    timeZoneId: given.timeZoneId ?? "UTC",
  };
};
