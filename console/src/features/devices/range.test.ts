import type { LogGroup } from "@telltale/contract/channels";
import { describe, expect, test } from "vitest";
import { zoneOf } from "../../format/zone.ts";
import { coveredBy, rangeComplaint, rangeOf, shownOf } from "./range.ts";

const zone = zoneOf("America/Chicago");

describe("the range of the search", () => {
  test("needs both ends", () => {
    expect(rangeComplaint([null, null], zone)).toBe("Please select start date");
    expect(rangeComplaint([null, "2026-11-20 14:30:00"], zone)).toBe("Please select start date");
    expect(rangeComplaint(["2026-11-20 14:30:00", null], zone)).toBe("Please select end date");
  });

  test("must not start after its end, but may be a single second", () => {
    expect(rangeComplaint(["2026-11-20 14:30:01", "2026-11-20 14:30:00"], zone)).toBe(
      "The start must not be after the end",
    );
    expect(rangeComplaint(["2026-11-20 14:30:00", "2026-11-20 14:30:00"], zone)).toBeUndefined();
    expect(rangeOf(["2026-11-20 14:30:01", "2026-11-20 14:30:00"], zone)).toBeUndefined();
  });

  test("is on the device's clock and includes its last second", () => {
    expect(rangeOf(["2026-11-20 14:30:00", "2026-11-20 14:30:00"], zone)).toEqual({
      start: new Date("2026-11-20T20:30:00.000Z"),
      end: new Date("2026-11-20T20:30:00.999Z"),
    });
  });
});

describe("what is shown of a settings period", () => {
  const now = new Date("2026-11-20T20:30:00Z").getTime();
  const period = (start: string, end: string | null): LogGroup => ({
    logGroupId: 1,
    startTime: new Date(start),
    endTime: end === null ? null : new Date(end),
    inputMode: null,
    channelSettingChangeDto: [],
  });
  const at = (time: string) => new Date(time).getTime();
  const inForce = period("2026-11-12T15:05:47Z", null);

  test("is the last 24 hours of the one in force, and goes on", () => {
    expect(shownOf(inForce, undefined, now)).toEqual({
      start: at("2026-11-19T20:30:00Z"),
      end: now,
      isLive: true,
      isAsked: false,
    });
  });

  test("does not reach back before the period began", () => {
    expect(shownOf(period("2026-11-20T20:00:00Z", null), undefined, now).start).toBe(at("2026-11-20T20:00:00Z"));
  });

  test("is the whole of an earlier one", () => {
    const earlier = period("2026-10-28T16:40:12Z", "2026-11-12T15:05:47Z");
    const whole = { start: at("2026-10-28T16:40:12Z"), end: at("2026-11-12T15:05:47Z"), isLive: false, isAsked: false };
    expect(shownOf(earlier, undefined, now)).toEqual(whole);
  });

  test("is the part within the range that was searched for", () => {
    const range = { start: new Date("2026-11-01T00:00:00Z"), end: new Date("2026-11-14T00:00:00Z") };
    expect(shownOf(inForce, range, now)).toEqual({
      start: at("2026-11-12T15:05:47Z"),
      end: at("2026-11-14T00:00:00Z"),
      isLive: false,
      isAsked: true,
    });
  });

  test("goes on when the range reaches to now or beyond", () => {
    const range = { start: new Date("2026-11-20T00:00:00Z"), end: new Date("2026-12-01T00:00:00Z") };
    expect(shownOf(inForce, range, now)).toEqual({
      start: at("2026-11-20T00:00:00Z"),
      end: now,
      isLive: true,
      isAsked: true,
    });
  });

  test("never ends before it starts, even when the device's clock is ahead of this one", () => {
    const { start, end } = shownOf(period("2026-11-20T21:00:00Z", null), undefined, now);
    expect(start).toBeLessThanOrEqual(end);
  });
});

describe("the stretch that the chart covers", () => {
  const shown = { start: 100_000, end: 900_000, isLive: true, isAsked: false };

  test("begins with the first reading, which the first part of the chart would miss otherwise", () => {
    expect(
      coveredBy(shown, [
        [700_000, 4],
        [800_000, 5],
      ]),
    ).toEqual({ start: 700_000, end: 900_000 });
    expect(coveredBy(shown, [[90_000, 4]])).toEqual({ start: 100_000, end: 900_000 });
  });

  test("is what was asked for, with readings or without", () => {
    expect(coveredBy({ ...shown, isAsked: true }, [[700_000, 4]])).toEqual({ start: 100_000, end: 900_000 });
    expect(coveredBy(shown, [])).toEqual({ start: 100_000, end: 900_000 });
    expect(coveredBy(shown, undefined)).toEqual({ start: 100_000, end: 900_000 });
  });

  test("is never without length, even for a device whose clock is ahead", () => {
    expect(coveredBy(shown, [[950_000, 4]])).toEqual({ start: 899_000, end: 900_000 });
  });
});
