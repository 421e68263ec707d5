import { expect, it } from "vitest";
import { figureWidth } from "./figure.tsx";

it("a figure's width grows with its digits, its unit and the unit's size", () => {
  const short = figureWidth({ text: "8.42", unit: "" }, 0.4);
  expect(short).toBeCloseTo(3 * 0.59 + 0.29);
  expect(figureWidth({ text: "8.42", unit: "bar" }, 0.4)).toBeGreaterThan(short);
  expect(figureWidth({ text: "8.42", unit: "mmH2O" }, 0.4)).toBeGreaterThan(
    figureWidth({ text: "8.42", unit: "bar" }, 0.4),
  );
  expect(figureWidth({ text: "-12345.68", unit: "" }, 0.4)).toBeGreaterThan(2 * short);
});
