import { expect, it } from "vitest";
import { dollars } from "./money.ts";

it.each([
  [0, "$0.00"],
  [7, "$0.07"],
  [4800, "$48.00"],
  [57_600, "$576.00"],
  [123_456_789, "$1,234,567.89"],
])("%i cents are %s", (cents, text) => expect(dollars(cents)).toBe(text));
