import { zoneOf } from "@telltale/contract/text/wall-clock";
import { expect, test } from "vitest";
import { rowsOf } from "./download-shown.ts";

test("the readings in view are rows in the page's zone, and no name becomes a formula", () => {
  const start = Date.parse("2026-11-22T10:00:00Z");
  const lines = [
    { name: "=cmd", unit: "bar", samples: [[start, 1.5] as [number, number], [start + 1000, 2] as [number, number]] },
    {
      name: 'Flow "A"',
      unit: "",
      samples: [[start + 1000, 0] as [number, number], [start + 9e6, 7] as [number, number]],
    },
  ];
  expect(rowsOf(lines, { start, end: start + 5000 }, zoneOf("Asia/Tokyo")).split("\r\n")).toEqual([
    `"Time (Asia/Tokyo)","'=cmd (bar)","Flow ""A"""`,
    "2026-11-22 19:00:00,1.5,",
    "2026-11-22 19:00:01,2,0",
    "",
  ]);
});
