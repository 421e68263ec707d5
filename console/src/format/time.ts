import dayjs from "dayjs";

/** A moment as shown: a date or epoch milliseconds. Times are shown in the browser's time zone. */
type Moment = Date | number;

/** 14:32:07 */
export const clock = (moment: Moment): string => dayjs(moment).format("HH:mm:ss");

/** 14:32 */
export const hourMinute = (moment: Moment): string => dayjs(moment).format("HH:mm");

/** 2026-01-31 */
export const day = (moment: Moment): string => dayjs(moment).format("YYYY-MM-DD");

/** 2026-01-31 14:32:07 */
export const dateTime = (moment: Moment): string => dayjs(moment).format("YYYY-MM-DD HH:mm:ss");

const isToday = (moment: Moment): boolean => dayjs(moment).isSame(dayjs(), "day");

/** The time of a moment today, with the date before it on any other day. */
export const recent = (moment: Moment): string => (isToday(moment) ? clock(moment) : dateTime(moment));

/** The same where there is little room: 14:32, or 01-31 14:32. */
export const recentShort = (moment: Moment): string =>
  isToday(moment) ? hourMinute(moment) : dayjs(moment).format("MM-DD HH:mm");

/** What stands for a value that does not exist. */
export const missing = "--";

/** A moment that may be missing, by one of the formats above. */
export const orMissing = (moment: Moment | null | undefined, format: (moment: Moment) => string): string =>
  moment === null || moment === undefined ? missing : format(moment);
