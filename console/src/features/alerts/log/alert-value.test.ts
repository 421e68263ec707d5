import { expect, it } from "vitest";
import { alertValue } from "./alert-columns.tsx";

it("shows 2 decimals and the unit", () => {
  expect(alertValue(8.4, { valueUnit: "bar" })).toBe("8.40 bar");
  expect(alertValue(500, { valueUnit: "" })).toBe("500.00");
  expect(alertValue(-0.001, { valueUnit: "bar" })).toBe("0.00 bar");
});
