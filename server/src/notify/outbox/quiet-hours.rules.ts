import { zoneOf } from "@telltale/contract/text/wall-clock";

/** A user's quiet hours: minutes of the local day; over midnight when they end before they begin. */
export interface QuietHours {
  from: number;
  to: number;
  timeZoneId: string;
}

const minute = 60_000;
const day = 1440 * minute;

/** When the quiet hours end that hold at `now` (epoch milliseconds); undefined outside them. */
export const quietUntil = ({ from, to, timeZoneId }: QuietHours, now: number): number | undefined => {
  const zone = zoneOf(timeZoneId);
  const wall = now + zone.offset(now);
  const today = Math.floor(wall / day) * day;
  const time = (wall - today) / minute;
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return undefined;
  return zone.showing((time < to ? today : today + day) + to * minute, "last");
};
