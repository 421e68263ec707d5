import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { onCallAt, onCallBetween, type RosterTimes } from "./on-call.ts";

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const [sora, mara, tamas] = [1, 2, 3] as const;
const roster: RosterTimes = {
  timeZoneId: "Europe/Budapest",
  shifts: [
    { days: everyDay, from: 22 * 60, to: 6 * 60, accountId: sora },
    { days: [1, 2, 3, 4, 5], from: 6 * 60, to: 14 * 60, accountId: mara },
    { days: [1, 2, 3, 4, 5], from: 14 * 60, to: 22 * 60, accountId: tamas },
  ],
  swaps: [],
};
const at = (text: string) => Date.parse(text);
const shown = (of: RosterTimes, from: string, to: string) =>
  onCallBetween(of, at(from), at(to)).map((span) => [
    new Date(span.from).toISOString().slice(5, 16),
    new Date(span.to).toISOString().slice(5, 16),
    span.accountId,
  ]);

describe("who is on call", () => {
  test("follows the shifts by the local clock, over midnight, with the gaps of the weekend", () => {
    // Friday 20 November 2026, Budapest is one hour ahead.
    expect(shown(roster, "2026-11-20T13:00Z", "2026-11-21T23:00Z")).toEqual([
      ["11-20T13:00", "11-20T21:00", tamas],
      ["11-20T21:00", "11-21T05:00", sora],
      ["11-21T05:00", "11-21T21:00", null],
      ["11-21T21:00", "11-21T23:00", sora],
    ]);
  });

  test("keeps its local times when daylight saving begins and ends", () => {
    // 29 March: 02:00 is followed by 03:00. 25 October: 03:00 is followed by 02:00.
    expect(shown(roster, "2026-03-28T20:00Z", "2026-03-29T12:00Z")).toEqual([
      ["03-28T20:00", "03-28T21:00", null],
      ["03-28T21:00", "03-29T04:00", sora],
      ["03-29T04:00", "03-29T12:00", null],
    ]);
    expect(shown(roster, "2026-10-24T19:00Z", "2026-10-25T12:00Z")).toEqual([
      ["10-24T19:00", "10-24T20:00", null],
      ["10-24T20:00", "10-25T05:00", sora],
      ["10-25T05:00", "10-25T12:00", null],
    ]);
    const short = { ...roster, shifts: [{ days: [7], from: 2 * 60 + 15, to: 2 * 60 + 45, accountId: mara }] };
    expect(
      shown(short, "2026-03-29T00:00Z", "2026-03-29T03:00Z")[1],
      "a shift within the skipped hour moves on",
    ).toEqual(["03-29T01:15", "03-29T01:45", mara]);
    const twice = shown(short, "2026-10-25T00:00Z", "2026-10-25T03:00Z").filter(([, , who]) => who === mara);
    expect(twice, "a shift within the doubled hour counts once").toEqual([["10-25T00:15", "10-25T00:45", mara]]);
  });

  test("is whoever has swapped, and the newest of several swaps", () => {
    const span = { from: at("2026-11-18T05:00Z"), to: at("2026-11-18T13:00Z") };
    const swapped = {
      ...roster,
      swaps: [
        { accountId: 7, ...span },
        { accountId: 8, from: span.from, to: span.from + 3_600_000 },
      ],
    };
    expect(onCallBetween(swapped, span.from, span.to)).toEqual([
      { from: span.from, to: span.from + 3_600_000, accountId: 8, insteadOf: mara },
      { from: span.from + 3_600_000, to: span.to, accountId: 7, insteadOf: mara },
    ]);
    expect(onCallAt(swapped, span.to)).toEqual([tamas]);
  });

  test("covers any time without overlaps of one shift, and agrees with who is on call at each moment", () => {
    const anyShift = fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: fc.integer({ min: 0, max: 1439 }),
      to: fc.integer({ min: 0, max: 1440 }),
      accountId: fc.integer({ min: 1, max: 9 }),
    });
    const from = at("2026-10-20T00:00Z");
    fc.assert(
      fc.property(
        fc.array(anyShift, { maxLength: 5 }),
        fc.constantFrom("Europe/Budapest", "America/New_York", "UTC", "Australia/Lord_Howe"),
        fc.integer({ min: 0, max: 14 * 1440 }),
        (shifts, timeZoneId, minutes) => {
          const of = { timeZoneId, shifts, swaps: [] };
          const moment = from + minutes * 60_000;
          const spans = onCallBetween(of, from, from + 15 * 86_400_000);
          const here = spans
            .filter((span) => span.from <= moment && span.to > moment)
            .flatMap(({ accountId }) => accountId ?? []);
          expect(here.toSorted()).toEqual(onCallAt(of, moment).toSorted());
          expect(spans.every((span) => span.from < span.to)).toBe(true);
        },
      ),
    );
  });
});
