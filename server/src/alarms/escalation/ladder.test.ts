import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ladder, progressAt, turnsOf } from "./ladder.ts";

const minute = 60_000;
const plan: Ladder = { steps: [{ after: 0 }, { after: 10 }, { after: 30 }], repeat: { every: 15, times: 2 } };

const anyLadder = fc.record({
  steps: fc
    .uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 1, maxLength: 5 })
    .map((times) => times.toSorted((a, b) => a - b).map((after) => ({ after }))),
  repeat: fc.option(fc.record({ every: fc.integer({ min: 5, max: 1440 }), times: fc.integer({ min: 1, max: 12 }) })),
});

describe("the turns of a plan", () => {
  test("are its steps, then those after the first once more at their distances, every so many minutes after the last", () => {
    expect(turnsOf(plan).map(({ after, step, round }) => [after, step, round])).toEqual([
      [0, 0, 0],
      [10, 1, 0],
      [30, 2, 0],
      [45, 1, 1],
      [65, 2, 1],
      [80, 1, 2],
      [100, 2, 2],
    ]);
  });

  test("of a single step repeat that one", () => {
    expect(turnsOf({ steps: [{ after: 5 }], repeat: { every: 5, times: 2 } }).map(({ after }) => after)).toEqual([
      5, 10, 15,
    ]);
  });

  test("always come later, one after the other", () => {
    fc.assert(
      fc.property(anyLadder, (ladder) => {
        const times = turnsOf(ladder).map(({ after }) => after);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(new Set(times).size).toBe(times.length);
      }),
    );
  });
});

describe("progress by a plan", () => {
  test("looked at often enough notifies each turn once, in order, at its time; looked at whenever, each at most once", () => {
    fc.assert(
      fc.property(anyLadder, fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 30 }), (ladder, looks) => {
        const turns = turnsOf(ladder);
        const run = (moments: readonly number[]) => {
          let position = 0;
          const said: number[] = [];
          for (const moment of moments) {
            const progress = progressAt(turns, position, 0, moment * minute);
            if (progress.turn) said.push(turns.indexOf(progress.turn));
            ({ position } = progress);
            expect(progress.due ?? Number.POSITIVE_INFINITY).toBeGreaterThan(moment * minute);
          }
          return said;
        };
        expect(run(turns.map(({ after }) => after))).toEqual(turns.map((_, at) => at));
        const said = run(looks.toSorted((a, b) => a - b));
        expect(said).toEqual([...new Set(said)].toSorted((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  test("after a stop notifies the highest due step only", () => {
    expect(progressAt(turnsOf(plan), 1, 0, 31 * minute)).toMatchObject({
      turn: { after: 30, step: 2 },
      position: 3,
      due: 45 * minute,
    });
  });
});
