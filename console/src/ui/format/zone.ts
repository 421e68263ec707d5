/** Formatting and parsing of times in the device's time zone. */
export interface Zone {
  /** IANA name, such as `America/Chicago`. */
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
   * Parses local time such as `2026-11-19 16:28:00`; undefined when the text is invalid. A time skipped by daylight saving time moves on by the
   * skip; for a time that occurs twice it is the first, unless the last is requested.
   */
  moment(stamp: string, which?: "first" | "last"): Date | undefined;
}

const partsOf = (name: string) =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });

const day = 86_400_000;

const stampPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const wallTime = (stamp: string): number | undefined => {
  const found = stampPattern.exec(stamp.trim());
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

const build = (name: string): Zone => {
  const format = partsOf(name);
  const stamp = (moment: Date | number): string => {
    const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
  };
  const offset = (moment: Date | number): number => {
    const time = Math.floor(Number(moment) / 1000) * 1000;
    return (wallTime(stamp(time)) ?? time) - time;
  };
  return {
    name,
    stamp,
    offset,
    clock: (moment) => stamp(moment).slice(11, 16),
    day: (moment) => stamp(moment).slice(0, 10),
    moment: (text, which = "first") => {
      const wall = wallTime(text);
      if (wall === undefined) return undefined;
      // The offsets on both sides of a clock change, if there is one nearby.
      const [before, after] = [wall - offset(wall - day), wall - offset(wall + day)];
      const shown = [before, after].filter((moment) => moment + offset(moment) === wall);
      if (shown.length === 0) return new Date(before);
      return new Date(which === "first" ? Math.min(...shown) : Math.max(...shown));
    },
  };
};

const known = new Map<string, Zone>();

/** The clock of a time zone; an unknown name gives UTC, and `name` says so. */
export const zoneOf = (name: string): Zone => {
  const found = known.get(name);
  if (found) return found;
  let zone: Zone;
  try {
    zone = build(name);
  } catch {
    zone = build("UTC");
  }
  known.set(name, zone);
  return zone;
};
