import fc from "fast-check";
import { expect, test } from "vitest";
import { createCalendar, demonstrationEpisodes, Fault, usualEpisodes } from "./episodes.ts";

const day = 86_400_000;

test("episodes of a span lie inside it, are repeatable, and none overlaps another of its kind", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 400 }), (seed, days) => {
      const episodes = usualEpisodes(seed, 0, days * day);
      expect(usualEpisodes(seed, 0, days * day)).toEqual(episodes);
      for (const fault of Object.values(Fault)) {
        const own = episodes.filter((episode) => episode.fault === fault);
        for (const [i, { from, to }] of own.entries()) {
          expect(from).toBeGreaterThanOrEqual(own[i - 1]?.to ?? 0);
          expect(to).toBeLessThan(days * day);
        }
      }
    }),
  );
});

test("three months contain every kind of episode that history can show", () => {
  const faults = new Set(usualEpisodes(1, 0, 90 * day).map(({ fault }) => fault));
  for (const fault of Object.values(Fault)) if (fault !== Fault.lowBattery) expect(faults).toContain(fault);
});

test("the calendar returns the current episodes at any time", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 4000 }), (seed, step) => {
      const episodes = demonstrationEpisodes(seed, 0, 1);
      const calendar = createCalendar(episodes);
      for (let ts = 0; ts < day; ts += step * 1000) {
        const expected = episodes.filter(({ from, to }) => from <= ts && ts < to);
        expect(new Set(calendar.at(ts))).toEqual(new Set(expected));
      }
    }),
    { numRuns: 20 },
  );
});
