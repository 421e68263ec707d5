import { expect, it } from "vitest";
import { createFlashGate } from "./flash-gate.ts";

it("a tile flashes at most once in two seconds", () => {
  const mayFlash = createFlashGate();
  expect([0, 500, 1999, 2000, 2500, 4100].filter(mayFlash)).toEqual([0, 2000, 4100]);
});

it("channels of a tile that change together flash together", () => {
  const mayFlash = createFlashGate();
  expect([0, 10, 150, 151].filter(mayFlash)).toEqual([0, 10, 150]);
});
