import type { Zone } from "@telltale/contract/text/wall-clock";
import { createContext, useContext } from "react";
import { serverNow } from "../server-time.ts";

/** A Date or epoch milliseconds. Times are formatted in the browser's time zone. */
type Moment = Date | number;

const two = (figure: number): string => String(figure).padStart(2, "0");

/** 14:32 */
export const hourMinute = (moment: Moment): string => {
  const date = new Date(moment);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** 14:32:07 */
export const clock = (moment: Moment): string => `${hourMinute(moment)}:${two(new Date(moment).getSeconds())}`;

const monthDay = (moment: Moment): string => {
  const date = new Date(moment);
  return `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** 2026-01-31 */
export const day = (moment: Moment): string => `${new Date(moment).getFullYear()}-${monthDay(moment)}`;

/** 2026-01-31 14:32:07 */
export const dateTime = (moment: Moment): string => `${day(moment)} ${clock(moment)}`;

const isDayOf = (moment: Moment, now: Moment): boolean => day(moment) === day(now);

/** The time on the day of `now`, by the server's clock; date and time on any other. */
export const recent = (moment: Moment, now: Moment = serverNow()): string =>
  isDayOf(moment, now) ? clock(moment) : dateTime(moment);

/** Short form: 14:32, or 01-31 14:32. */
export const recentShort = (moment: Moment, now: Moment = serverNow()): string =>
  isDayOf(moment, now) ? hourMinute(moment) : `${monthDay(moment)} ${hourMinute(moment)}`;

/** Placeholder for a missing value. */
export const missing = "--";

/** Formats a time that may be missing. */
export const orMissing = (moment: Moment | null | undefined, format: (moment: Moment) => string): string =>
  moment === null || moment === undefined ? missing : format(moment);

/** The zone of all times on the page, because no page may show one event at two times; undefined: the browser's. Pages set it by `ZonedPage`. */
export const PageZone = createContext<Zone | undefined>(undefined);

/** Formats a time like `dateTime`, `clock` or `day`, in the zone of the page. */
export const useStamps = (): Record<"dateTime" | "clock" | "day", (moment: Moment) => string> => {
  const zone = useContext(PageZone);
  if (!zone) return { dateTime, clock, day };
  return { dateTime: zone.stamp, clock: (moment) => zone.stamp(moment).slice(11), day: zone.day };
};

/** Formats a time like `recent`, or in short like `recentShort`, in the zone of the page. */
export const useRecent = (): Record<"recent" | "recentShort", (moment: Moment) => string> => {
  const zone = useContext(PageZone);
  if (!zone) return { recent, recentShort };
  const isToday = (moment: Moment) => zone.day(moment) === zone.day(serverNow());
  return {
    recent: (moment) => (isToday(moment) ? zone.stamp(moment).slice(11) : zone.stamp(moment)),
    recentShort: (moment) => (isToday(moment) ? zone.clock(moment) : zone.stamp(moment).slice(5, 16)),
  };
};
