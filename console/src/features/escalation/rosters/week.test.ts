import type { OnCall } from "@telltale/contract/domains/alerting/escalation";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import { blocksOf, dateClock, dutyAt, gapsOf, lengthText, type WeekDay, weekOf, weekText } from "./week.ts";

const zone = zoneOf("Europe/Budapest");
const at = (text: string) => Date.parse(text);
const span = (from: string, to: string, accountId: number | null, name = ""): OnCall => ({
  ...{ from: new Date(from), to: new Date(to), accountId, name, insteadOf: null },
});
const friday = at("2026-11-20T13:32:00Z");

describe("a roster's week", () => {
  test("is from Monday in the roster's time zone", () => {
    const week = weekOf(zone, friday, 0);
    expect(week.map(({ name, date }) => `${name} ${date}`)).toEqual([
      ...["Mon 16", "Tue 17", "Wed 18", "Thu 19", "Fri 20", "Sat 21", "Sun 22"],
    ]);
    expect(week[0]?.start).toBe(at("2026-11-15T23:00:00Z"));
    expect(weekText(week)).toBe("16 to 22 Nov");
    expect(weekText(weekOf(zone, friday, 2))).toBe("30 Nov to 6 Dec");
    // Sunday 23:30 UTC is Monday there.
    expect(weekOf(zone, at("2026-11-22T23:30:00Z"), 0)[0]?.date).toBe(23);
  });

  test("has a day of 25 hours when daylight saving ends, and its blocks keep to the clock", () => {
    const [sunday] = weekOf(zone, at("2026-10-25T12:00:00Z"), 0).slice(-1) as [WeekDay];
    expect(sunday.end - sunday.start).toBe(25 * 3_600_000);
    const [block] = blocksOf(zone, sunday, [span("2026-10-25T05:00:00Z", "2026-10-25T17:00:00Z", 1)]);
    expect([block?.left, block?.width]).toEqual([0.25, 0.5]);
  });

  test("shows a night shift at the end of a day and at the beginning of the next, overlapping ones below each other", () => {
    const [monday, tuesday] = weekOf(zone, friday, 0) as [WeekDay, WeekDay];
    const spans = [
      span("2026-11-16T21:00:00Z", "2026-11-17T05:00:00Z", 1),
      span("2026-11-17T03:00:00Z", "2026-11-17T11:00:00Z", 2),
    ];
    const places = (day: WeekDay) =>
      blocksOf(zone, day, spans).map(({ left, width, lane }) => [Math.round(left * 24), Math.round(width * 24), lane]);
    expect(places(monday)).toEqual([[22, 2, 0]]);
    expect(places(tuesday)).toEqual([
      [0, 6, 0],
      [4, 8, 1],
    ]);
  });

  test("knows its gaps, who is on duty until when, and who is next", () => {
    const spans = [
      span("2026-11-20T13:00:00Z", "2026-11-20T21:00:00Z", 1, "Tamas Varga"),
      span("2026-11-20T21:00:00Z", "2026-11-21T05:00:00Z", null),
      span("2026-11-21T05:00:00Z", "2026-11-21T17:00:00Z", 2, "Owen Bell"),
    ];
    expect(gapsOf(spans)).toEqual([spans[1]]);
    const duty = dutyAt(spans, friday);
    expect([duty.people[0]?.name, duty.until?.toISOString(), duty.next[0]?.name]).toEqual([
      ...["Tamas Varga", "2026-11-20T21:00:00.000Z", "Owen Bell"],
    ]);
    const night = dutyAt(spans, at("2026-11-20T22:00:00Z"));
    expect([night.people, night.until?.toISOString()]).toEqual([[], "2026-11-21T05:00:00.000Z"]);
  });

  test("says times and lengths briefly", () => {
    expect(dateClock(zone, new Date("2026-11-21T17:00:00Z"))).toBe("Sat 21 Nov 18:00");
    expect([12 * 3_600_000, 5_400_000, 600_000].map(lengthText)).toEqual(["12 h", "1 h 30 min", "10 min"]);
  });
});
