import { wallClockOf } from "../../modules/downloads/wall-clock.rules.ts";

/** So many days ago, at a time on the plant's wall such as `09:40`. */
export type Moment = readonly [days: number, time: string];

const minute = 60_000;
const day = 86_400_000;
/** Minutes of the day in which people work in the office, and how long ago the last such moment is at least. */
const office = { from: 9 * 60, to: 16 * 60 + 40 } as const;
const soonest = 30 * minute;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

/** The demonstration's calendar: what happened when, by the clock on the plant's wall. */
export const createMoments = (now: Date, timeZoneId: string) => {
  const clock = wallClockOf(timeZoneId);
  const wallOf = (ts: number): number => ts + clock.offset(ts);
  const midnight = (ts: number): number => Math.floor(wallOf(ts) / day) * day;
  return {
    now,
    at: ([days, time]: Moment): Date =>
      new Date(clock.moment(midnight(now.getTime()) - days * day + minutesOf(time) * minute)),
    /** Minutes since midnight that the wall shows. */
    minutesAt: (time: Date): number => Math.floor((wallOf(time.getTime()) - midnight(time.getTime())) / minute),
    /** The last moment half an hour ago or more at which somebody was in the office. */
    lastInOffice: (): Date => {
      const latest = now.getTime() - soonest;
      const today = wallOf(latest) - midnight(latest);
      const wall =
        today < office.from * minute
          ? midnight(latest) - day + office.to * minute
          : midnight(latest) + Math.min(today, office.to * minute);
      return new Date(Math.floor(clock.moment(wall) / minute) * minute);
    },
  };
};
export type Moments = ReturnType<typeof createMoments>;

/** Later by so many minutes. */
export const after = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * minute);
