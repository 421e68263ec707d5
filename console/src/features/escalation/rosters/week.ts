import type { OnCall } from "@telltale/contract/domains/alerting/escalation";
import type { Zone } from "@telltale/contract/text/wall-clock";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A day of a roster's week, in the roster's time zone. */
export interface WeekDay {
  /** `Mon` */
  name: string;
  /** Day of the month. */
  date: number;
  /** Its wall time of midnight, milliseconds. */
  wall: number;
  start: number;
  end: number;
}

const names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The seven days from Monday of the week that lies so many weeks after the moment's. */
export const weekOf = (zone: Zone, moment: number, weeks: number): WeekDay[] => {
  const today = Math.floor((moment + zone.offset(moment)) / day);
  // 1970-01-01 was a Thursday.
  const monday = today - ((today + 3) % 7) + weeks * 7;
  return names.map((name, at) => {
    const wall = (monday + at) * day;
    return {
      ...{ name, wall, date: new Date(wall).getUTCDate() },
      ...{ start: zone.showing(wall), end: zone.showing(wall + day) },
    };
  });
};

/** `16 to 22 Nov`, `30 Nov to 6 Dec` */
export const weekText = (week: readonly WeekDay[]): string => {
  const [first, last] = [new Date(week.at(0)?.wall ?? 0), new Date(week.at(-1)?.wall ?? 0)];
  const month = (date: Date) => months[date.getUTCMonth()];
  const begin = month(first) === month(last) ? `${first.getUTCDate()}` : `${first.getUTCDate()} ${month(first)}`;
  return `${begin} to ${last.getUTCDate()} ${month(last)}`;
};

/** A time on call within one day, as shares of it, and the lane in which it is shown: shifts that overlap stand below each other. */
export interface Block {
  span: OnCall;
  left: number;
  width: number;
  lane: number;
}

/** The times on call of one day. */
export const blocksOf = (zone: Zone, { wall, start, end }: WeekDay, spans: readonly OnCall[]): Block[] => {
  const share = (moment: number): number => {
    if (moment <= start) return 0;
    return moment >= end ? 1 : Math.min(1, Math.max(0, (moment + zone.offset(moment) - wall) / day));
  };
  const lanes: number[] = [];
  return spans
    .filter((span) => span.from.getTime() < end && span.to.getTime() > start)
    .map((span) => {
      const [left, right] = [share(span.from.getTime()), share(span.to.getTime())];
      const free = lanes.findIndex((until) => until <= left);
      const lane = free === -1 ? lanes.length : free;
      lanes[lane] = right;
      return { span, left, width: right - left, lane };
    });
};

/** `14:00`; an end at midnight is 24:00 of the day before. */
export const endText = (zone: Zone, moment: Date): string => {
  const text = zone.clock(moment);
  return text === "00:00" ? "24:00" : text;
};

/** `Sat 18:00` */
export const dayClock = (zone: Zone, moment: Date): string => {
  const wall = moment.getTime() + zone.offset(moment);
  return `${names[(Math.floor(wall / day) + 3) % 7]} ${zone.clock(moment)}`;
};

/** `Sat 21 Nov 18:00` */
export const dateClock = (zone: Zone, moment: Date): string => {
  const wall = new Date(moment.getTime() + zone.offset(moment));
  const [weekday, ...time] = dayClock(zone, moment).split(" ");
  return `${weekday} ${wall.getUTCDate()} ${months[wall.getUTCMonth()]} ${time.join(" ")}`;
};

/** `12 h`, `1 h 30 min` */
export const lengthText = (milliseconds: number): string => {
  const minutes = Math.round(milliseconds / minute);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
};

/** The times of a week in which nobody is on call. */
export const gapsOf = (spans: readonly OnCall[]): OnCall[] => spans.filter(({ accountId }) => accountId === null);

/** Who is on duty at a moment, by the times on call from then on, until when, and who is then; empty for a gap. */
export const dutyAt = (spans: readonly OnCall[], moment: number) => {
  const now = spans.filter(({ from, to }) => from.getTime() <= moment && to.getTime() > moment);
  const people = now.filter(({ accountId }) => accountId !== null);
  const end = Math.min(...(people.length > 0 ? people : now).map(({ to }) => to.getTime()));
  const then = spans.filter(({ from, accountId }) => accountId !== null && from.getTime() >= end);
  const next = then.filter(({ from }) => from.getTime() === then[0]?.from.getTime());
  return { people, until: Number.isFinite(end) ? new Date(end) : undefined, next };
};
