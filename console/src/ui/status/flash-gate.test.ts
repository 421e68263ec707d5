import { expect, it } from "vitest";
import { createFlashGate } from "./flash-gate.ts";

it("a tile flashes at most once in two seconds", () => {
  const mayFlash = createFlashGate();
  const flashes = [0, 80, 150, 500, 1999, 2000, 2080, 4100].filter((moment) => mayFlash(moment, "I A"));
  expect(flashes).toEqual([0, 2000, 4100]);
});

it("channels of a tile that change together flash together", () => {
  const mayFlash = createFlashGate();
  expect(mayFlash(0, "I A")).toBe(true);
  expect(mayFlash(100, "I B")).toBe(true);
  expect(mayFlash(151, "I C")).toBe(false);
});
