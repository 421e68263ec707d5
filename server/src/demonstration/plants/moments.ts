import { zoneOf } from "@telltale/contract/text/wall-clock";

/** A number of days ago, at a local time of the plant such as `09:40`. */
export type Moment = readonly [days: number, time: string];

const minute = 60_000;
const day = 86_400_000;
/** Office hours in minutes of the day, and the least time since the last moment within them. */
const office = { from: 9 * 60, to: 16 * 60 + 40 } as const;
const soonest = 30 * minute;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

/** Creates the demonstration's calendar in the plant's local time. */
export const createMoments = (now: Date, timeZoneId: string) => {
  const clock = zoneOf(timeZoneId);
  const wallOf = (ts: number): number => ts + clock.offset(ts);
  const midnight = (ts: number): number => Math.floor(wallOf(ts) / day) * day;
  return {
    now,
    at: ([days, time]: Moment): Date =>
      new Date(clock.showing(midnight(now.getTime()) - days * day + minutesOf(time) * minute)),
    /** Minutes since midnight, local time. */
    minutesAt: (time: Date): number => Math.floor((wallOf(time.getTime()) - midnight(time.getTime())) / minute),
    /** The last moment within office hours, at least half an hour ago. */
    lastInOffice: (): Date => {
      const latest = now.getTime() - soonest;
      const today = wallOf(latest) - midnight(latest);
      const wall =
        today < office.from * minute
          ? midnight(latest) - day + office.to * minute
          : midnight(latest) + Math.min(today, office.to * minute);
      return new Date(Math.floor(clock.showing(wall) / minute) * minute);
    },
  };
};
export type Moments = ReturnType<typeof createMoments>;

/** `time` plus `minutes`. */
export const after = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * minute);
