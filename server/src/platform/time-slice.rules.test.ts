import { expect, test } from "vitest";
import { createTimeSlice } from "./time-slice.ts";

/** Calculates for this long, in slices; returns the longest time between two steps. */
const calculate = async (milliseconds: number, onStep: () => void): Promise<void> => {
  const slice = createTimeSlice();
  for (let used = 0; used < milliseconds; ) {
    const began = performance.now();
    while (performance.now() - began < 0.1);
    used += 0.1;
    onStep();
    if (slice.isUsedUp()) await slice.next();
  }
};

test("long calculations share a turn of the event loop: all go on, and other work comes between any two slices", async () => {
  const steps = [0, 0, 0, 0];
  let sinceTurn = 0;
  let mostBetween = 0;
  let isOver = false;
  const turn = (): void => {
    sinceTurn = 0;
    if (!isOver) setTimeout(turn, 0);
  };
  turn();
  const calculations = steps.map((_, which) =>
    calculate(30, () => {
      steps[which] = (steps[which] ?? 0) + 1;
      sinceTurn += 1;
      mostBetween = Math.max(mostBetween, sinceTurn);
    }),
  );
  const first = await Promise.race(calculations).then(() => [...steps]);
  await Promise.all(calculations);
  isOver = true;
  // The one that ends first has been served in turn with the others.
  expect(Math.min(...first)).toBeGreaterThan(50);
  // All four begin at once, with a slice each; from then on a turn has one for all of them.
  expect(mostBetween).toBeLessThan(100);
});
