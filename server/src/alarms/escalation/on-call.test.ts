import { zoneOf } from "@telltale/contract/text/wall-clock";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { onCallAt, onCallBetween, type RosterTimes, type Span } from "./on-call.ts";

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

const minute = 60_000;
const anyShift = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: fc.integer({ min: 0, max: 1439 }),
  to: fc.integer({ min: 0, max: 1440 }),
  accountId: fc.integer({ min: 1, max: 9 }),
});
const anyZone = fc.constantFrom("Europe/Budapest", "America/New_York", "UTC", "Australia/Lord_Howe");

/** The same by looking at every stretch between two neighbouring moments at which anything begins or ends. */
const byEveryMoment = ({ timeZoneId, shifts, swaps }: RosterTimes, from: number, to: number): Span[] => {
  const [zone, day] = [zoneOf(timeZoneId), 1440 * minute];
  const days = Array.from({ length: (to - from) / day + 5 }, (_, each) => (Math.floor(from / day) + each - 3) * day);
  const all = days.flatMap((wall) =>
    shifts
      .filter((shift) => shift.days.includes(new Date(wall).getUTCDay() || 7))
      .map((shift) => ({
        from: zone.showing(wall + shift.from * minute),
        to: zone.showing(wall + (shift.to + (shift.to > shift.from ? 0 : 1440)) * minute),
        accountId: shift.accountId,
      })),
  );
  const edges = [...all, ...swaps].flatMap((each) => [each.from, each.to]);
  const moments = [...new Set([from, to, ...edges])]
    .filter((each) => each >= from && each <= to)
    .toSorted((a, b) => a - b);
  const found: (Span & { by: unknown; shift: unknown })[] = [];
  for (const [at, begin] of moments.slice(0, -1).entries()) {
    const isOn = (each: { from: number; to: number }) => each.from <= begin && each.to > begin;
    const [own, swap] = [all.filter(isOn), swaps.findLast(isOn)];
    const gap = { accountId: null, insteadOf: null, by: "gap", shift: null };
    const here = swap
      ? [{ accountId: swap.accountId, insteadOf: own[0]?.accountId ?? null, by: swap, shift: own[0] }]
      : own.map((shift) => ({ accountId: shift.accountId, insteadOf: null, by: shift, shift }));
    for (const span of here.length > 0 ? here : [gap]) {
      const before = found.find(({ to: end, by, shift }) => end === begin && by === span.by && shift === span.shift);
      if (before) before.to = moments[at + 1] as number;
      else found.push({ from: begin, to: moments[at + 1] as number, ...span });
    }
  }
  return found.map(({ by: _, shift: __, ...span }) => span);
};

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

  test("asks for each time of the clock once, however many shifts begin or end at it", () => {
    const showing = vi.spyOn(zoneOf("Europe/Budapest"), "showing");
    const shifts = Array.from({ length: 50 }, () => ({ days: everyDay, from: 6 * 60, to: 18 * 60, accountId: mara }));
    const spans = onCallBetween({ ...roster, shifts }, at("2026-10-01T00:00Z"), at("2026-12-02T00:00Z"));
    expect(spans.filter(({ accountId }) => accountId === mara)).toHaveLength(62 * 50);
    expect(showing.mock.calls.length).toBeLessThanOrEqual(64 * 2);
    showing.mockRestore();
  });

  test("covers any time without overlaps of one shift, and agrees with who is on call at each moment", () => {
    const from = at("2026-10-20T00:00Z");
    fc.assert(
      fc.property(
        fc.array(anyShift, { maxLength: 5 }),
        anyZone,
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

  test("is the same as looking at every moment, with shifts and swaps that overlap and clocks that change", () => {
    const from = at("2026-10-22T00:00Z");
    const to = from + 12 * 1440 * minute;
    const within = fc.integer({ min: -1440, max: 13 * 1440 });
    const anySwap = fc.record({
      accountId: fc.integer({ min: 11, max: 19 }),
      begin: within,
      length: fc.integer({ min: 1, max: 4000 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyShift, { maxLength: 6 }),
        fc.array(anySwap, { maxLength: 6 }),
        anyZone,
        (shifts, some, timeZoneId) => {
          const swaps = some.map(({ accountId, begin, length }) => ({
            accountId,
            from: from + begin * minute,
            to: from + (begin + length) * minute,
          }));
          const of = { timeZoneId, shifts, swaps };
          expect(onCallBetween(of, from, to)).toEqual(byEveryMoment(of, from, to));
        },
      ),
    );
  });
});
