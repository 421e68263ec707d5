import fc from "fast-check";
import { expect, test } from "vitest";
import { createSuppressed } from "./suppressed.rules.ts";

const any = fc.array(
  fc.record({
    key: fc.constantFrom("a", "b"),
    begin: fc.integer({ min: 0, max: 60 }),
    length: fc.integer({ min: 0, max: 12 }),
  }),
  { maxLength: 20 },
);

test("a rule is silenced at the times of its silences, and at no others", () => {
  fc.assert(
    fc.property(any, (some) => {
      const silences = some.map(({ key, begin, length }) => ({ key, begin, end: begin + length }));
      const isSuppressed = createSuppressed(silences);
      for (const key of ["a", "b", "c"])
        for (let ts = -1; ts < 75; ts += 1)
          expect(isSuppressed(key, ts)).toBe(silences.some((s) => s.key === key && s.begin <= ts && s.end > ts));
    }),
  );
});
