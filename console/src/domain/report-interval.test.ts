import { expect, test } from "vitest";
import { reportIntervalText } from "./report-interval.ts";

test("a device's report interval is that of its channels: one number if equal, otherwise a range", () => {
  expect(reportIntervalText({ least: 5, most: 5 })).toEqual({ text: "5", unit: "seconds" });
  expect(reportIntervalText({ least: 5, most: 3600 })).toEqual({ text: "5 ~ 3,600", unit: "seconds" });
  expect(reportIntervalText({ least: 1, most: 1 })).toEqual({ text: "1", unit: "second" });
  expect(reportIntervalText(null)).toEqual({ text: "--", unit: "" });
});
