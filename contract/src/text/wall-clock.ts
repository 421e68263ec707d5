/** Local time of a device: formatting, parsing and offsets. Wall times are milliseconds since 1970-01-01 00:00 local time. */
export interface Zone {
  /** IANA name, such as `America/Chicago`; `UTC` for an unknown name. */
  name: string;
  /** `2026-11-19 16:28:00` */
  stamp(moment: Date | number): string;
  /** `16:28` */
  clock(moment: Date | number): string;
  /** `2026-11-19` */
  day(moment: Date | number): string;
  /** Milliseconds by which local time is ahead of UTC at this moment. */
  offset(moment: Date | number): number;
  /**
   * The moment with this wall time, epoch milliseconds. A time skipped by daylight saving time moves on by the skip; for a time that occurs twice
   * it is the first, unless the last is requested.
   */
  showing(wall: number, which?: "first" | "last"): number;
  /** Parses local time such as `2026-11-19 16:28:00` by the same rules; undefined when the text is invalid. */
  moment(stamp: string, which?: "first" | "last"): Date | undefined;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** Time zone changes happen on the quarter of an hour everywhere, so an offset holds for the whole quarter. */
const quarter = 15 * minute;

const offsetPattern = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const readOffset = (format: Intl.DateTimeFormat, ts: number): number => {
  const name = format.formatToParts(ts).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetPattern.exec(name) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1000;
  return sign === "-" ? -size : size;
};

const stampPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const wallTime = (stamp: string): number | undefined => {
  const found = stampPattern.exec(stamp.trim());
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

/** Offsets remembered of each zone, six weeks of quarters of an hour: finding one out means formatting a date. */
const mostOffsets = 4096;

/** Creates the clock of a time zone; fast for times near each other. Throws for an unknown name. */
const build = (name: string): Zone => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  const known = new Map<number, number>();
  let last = { quarter: Number.NaN, offset: 0 };
  const offset = (moment: Date | number): number => {
    const at = Math.floor(Number(moment) / quarter);
    if (at === last.quarter) return last.offset;
    const found = known.get(at) ?? readOffset(format, at * quarter);
    if (known.size >= mostOffsets) known.clear();
    known.set(at, found);
    last = { quarter: at, offset: found };
    return found;
  };
  const stamp = (moment: Date | number): string =>
    new Date(Number(moment) + offset(moment)).toISOString().slice(0, 19).replace("T", " ");
  const showing = (wall: number, which: "first" | "last" = "first"): number => {
    // The offsets before and after a nearby change of the offset.
    const [before, after] = [wall - offset(wall - day), wall - offset(wall + day)];
    const shown = [before, after].filter((ts) => ts + offset(ts) === wall);
    if (shown.length === 0) return before;
    return which === "first" ? Math.min(...shown) : Math.max(...shown);
  };
  return {
    name,
    stamp,
    offset,
    showing,
    clock: (moment) => stamp(moment).slice(11, 16),
    day: (moment) => stamp(moment).slice(0, 10),
    moment: (text, which) => {
      const wall = wallTime(text);
      return wall === undefined ? undefined : new Date(showing(wall, which));
    },
  };
};

/** Zones remembered: more than there are, but a name in other capitals is another one, and callers choose names. */
const mostZones = 1024;

const zones = new Map<string, Zone>();

/** The local time of a time zone; UTC for an unknown name. */
export const zoneOf = (name: string): Zone => {
  const found = zones.get(name);
  if (found) return found;
  try {
    const zone = build(name);
    if (zones.size >= mostZones) zones.clear();
    zones.set(name, zone);
    return zone;
  } catch {
    return zoneOf("UTC");
  }
};

/** `-05:00` */
export const offsetText = (offset: number): string => {
  const minutes = Math.abs(Math.round(offset / minute));
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

/** Local day at a moment, counted from 1970-01-01. */
export const dayOn = (zone: Zone, ts: number): number => Math.floor((ts + zone.offset(ts)) / day);

/** A range as a call has it: ends are moments, or days such as `2026-10-31`. */
export interface RangeOfDays {
  startTime?: Date | string | undefined;
  endTime?: Date | string | undefined;
}

/** A range in moments: a day lasts from its first to its last millisecond of local time. */
export const rangeIn = (
  zone: Zone,
  { startTime, endTime }: RangeOfDays,
): { startTime: Date | undefined; endTime: Date | undefined } => {
  const midnight = (date: string, days: number) => zone.showing(Date.parse(`${date}T00:00:00Z`) + days * day);
  return {
    startTime: typeof startTime === "string" ? new Date(midnight(startTime, 0)) : startTime,
    endTime: typeof endTime === "string" ? new Date(midnight(endTime, 1) - 1) : endTime,
  };
};

/** Formats such a day as `2026-10-31`. */
export const dayText = (dayNumber: number): string => new Date(dayNumber * day).toISOString().slice(0, 10);
