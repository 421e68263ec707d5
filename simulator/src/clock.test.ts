import { expect, test } from "vitest";
import { createClock } from "./clock.ts";

test("simulated time runs faster until it has caught up, and never gets ahead", () => {
  let real = 10_000;
  const clock = createClock(10, 1000, () => real);
  expect(clock.now()).toBe(1000);
  real += 500;
  expect(clock.now()).toBe(6000);
  real += 5000;
  expect(clock.now()).toBe(real);
});
