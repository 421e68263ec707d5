const minute = 60_000;
const day = 24 * 60 * minute;
/** Time zone changes happen on the quarter of an hour everywhere, so an offset holds for the whole quarter. */
const quarter = 15 * minute;

/** A device's local time. Wall times are milliseconds since 1970-01-01 00:00 local time. */
export interface WallClock {
  /** IANA name, such as `America/Chicago`; `UTC` for an unknown name. */
  zone: string;
  /** Offset from UTC at a time (epoch milliseconds), milliseconds. */
  offset(ts: number): number;
  /** The first moment with this local time, or where it would be if it is skipped. */
  moment(wall: number): number;
}

const offsetPattern = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

const readOffset = (format: Intl.DateTimeFormat, ts: number): number => {
  const name = format.formatToParts(ts).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = 0, minutes = 0, seconds = 0] = offsetPattern.exec(name) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1000;
  return sign === "-" ? -size : size;
};

const formatOf = (timeZone: string) => new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });

const isZone = (name: string): boolean => {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
};

/** The wall clock of a time zone. Fast for ascending times. */
export const wallClockOf = (name: string): WallClock => {
  const zone = isZone(name) ? name : "UTC";
  const format = formatOf(zone);
  let known = { quarter: Number.NaN, offset: 0 };
  const offset = (ts: number): number => {
    const at = Math.floor(ts / quarter);
    if (at !== known.quarter) known = { quarter: at, offset: readOffset(format, at * quarter) };
    return known.offset;
  };
  return {
    zone,
    offset,
    moment: (wall) => {
      const [before, after] = [wall - offset(wall - day), wall - offset(wall + day)];
      const shown = [before, after].filter((ts) => ts + offset(ts) === wall);
      return shown.length > 0 ? Math.min(...shown) : before;
    },
  };
};

/** An offset such as `-05:00`. */
export const offsetText = (offset: number): string => {
  const minutes = Math.abs(Math.round(offset / minute));
  const two = (figure: number) => String(figure).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
};

/** The local day of a moment, counted from 1970-01-01. */
export const dayOn = (clock: WallClock, ts: number): number => Math.floor((ts + clock.offset(ts)) / day);

/** A day as `2026-10-31`. */
export const dayText = (dayNumber: number): string => new Date(dayNumber * day).toISOString().slice(0, 10);
