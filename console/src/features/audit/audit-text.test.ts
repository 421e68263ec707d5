import { expect, test } from "vitest";
import { changeText } from "./audit-text.ts";

test.each([
  [
    { field: "roleType", before: "Viewer", after: "Admin" },
    { field: "User type", before: "Viewer", after: "Admin" },
  ],
  [
    { field: "dashboardId", before: "Boilers", after: null },
    { field: "Dashboard", before: "Boilers", after: "--" },
  ],
  [
    { field: "changed", before: null, after: "firstName, company" },
    { field: "Changed", after: "First name, Company" },
  ],
  [
    { field: "cents", before: null, after: "9600" },
    { field: "Amount", after: "$96.00" },
  ],
  [
    { field: "offlineReport", before: "5", after: "10" },
    { field: "Offline report", before: "5", after: "10" },
  ],
])("%j in words", (change, words) => {
  expect(changeText(change)).toEqual(words);
});

test("a time is shown in the viewer's time zone", () => {
  const moment = new Date(2026, 0, 31, 8, 5);
  const { after } = changeText({ field: "expireTime", before: null, after: moment.toISOString() });
  expect(after).toBe("2026-01-31 08:05:00");
});
