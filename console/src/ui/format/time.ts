/** A moment as shown: a date or epoch milliseconds. Times are shown in the browser's time zone. */
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

const isToday = (moment: Moment): boolean => day(moment) === day(Date.now());

/** The time of a moment today, with the date before it on any other day. */
export const recent = (moment: Moment): string => (isToday(moment) ? clock(moment) : dateTime(moment));

/** The same where there is little room: 14:32, or 01-31 14:32. */
export const recentShort = (moment: Moment): string =>
  isToday(moment) ? hourMinute(moment) : `${monthDay(moment)} ${hourMinute(moment)}`;

/** What stands for a value that does not exist. */
export const missing = "--";

/** A moment that may be missing, by one of the formats above. */
export const orMissing = (moment: Moment | null | undefined, format: (moment: Moment) => string): string =>
  moment === null || moment === undefined ? missing : format(moment);
