import { afterEach, expect, it, vi } from "vitest";
import { noteServerTime } from "../server-time.ts";
import { clock, dateTime, day, hourMinute, orMissing, recent, recentShort } from "./time.ts";

const moment = new Date(2026, 0, 5, 4, 3, 9);
afterEach(() => {
  vi.useRealTimers();
});

it("formats dates and times with two digits each, in sortable order", () => {
  expect(hourMinute(moment)).toBe("04:03");
  expect(clock(moment)).toBe("04:03:09");
  expect(day(moment.getTime())).toBe("2026-01-05");
  expect(dateTime(moment)).toBe("2026-01-05 04:03:09");
});

it("omits the date today and only today", () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 5, 23, 59) });
  expect([recent(moment), recentShort(moment)]).toEqual(["04:03:09", "04:03"]);
  vi.setSystemTime(new Date(2026, 0, 6, 0, 0));
  expect([recent(moment), recentShort(moment)]).toEqual(["2026-01-05 04:03:09", "01-05 04:03"]);
});

it("takes for today the day of the server, also where the browser's clock is days off", () => {
  const now = new Date(2026, 0, 9, 12);
  vi.useFakeTimers({ now });
  noteServerTime(new Date(2026, 0, 5, 12).toUTCString(), now.getTime(), now.getTime());
  expect([recent(moment), recentShort(moment)]).toEqual(["04:03:09", "04:03"]);
  expect(recent(now)).toBe("2026-01-09 12:00:00");
  noteServerTime(now.toUTCString(), now.getTime(), now.getTime());
});

it("shows two dashes for a missing time, and the year 1970 for 0", () => {
  expect(orMissing(null, day)).toBe("--");
  expect(orMissing(undefined, clock)).toBe("--");
  expect(orMissing(0, day)).toMatch(/^19(69|70)-/);
});
