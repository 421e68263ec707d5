import { describe, expect, test } from "vitest";
import { quietUntil } from "./quiet-hours.rules.ts";

const night = { from: 22 * 60, to: 6 * 60 + 30, timeZoneId: "Europe/Berlin" };
const until = (text: string, hours = night) => {
  const end = quietUntil(hours, Date.parse(text));
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16);
};

describe("quiet hours", () => {
  test("over midnight end in the morning of the local day", () => {
    expect(until("2026-11-20T20:59Z")).toBeUndefined();
    expect(until("2026-11-20T21:00Z")).toBe("2026-11-21T05:30");
    expect(until("2026-11-21T05:29Z")).toBe("2026-11-21T05:30");
    expect(until("2026-11-21T05:30Z")).toBeUndefined();
  });

  test("keep to the local clock when daylight saving begins and ends", () => {
    expect(until("2026-03-28T22:00Z")).toBe("2026-03-29T04:30");
    expect(until("2026-10-24T22:00Z")).toBe("2026-10-25T05:30");
  });

  test("within a day end on that day", () => {
    const noon = { ...night, from: 12 * 60, to: 13 * 60 };
    expect(until("2026-11-20T11:30Z", noon)).toBe("2026-11-20T12:00");
    expect(until("2026-11-20T12:30Z", noon)).toBeUndefined();
  });
});
