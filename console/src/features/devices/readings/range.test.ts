import type { LogGroup } from "@telltale/contract/domains/channels";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import { key } from "../../../domain/channel-settings.ts";
import { emptyText, rangeError, rangeOf, rangeOfSlot, shownOf, windowUpToNow } from "./range.ts";
import { lengthOf } from "./view.ts";

const zone = zoneOf("America/Chicago");

describe("the range of the search", () => {
  test("needs both ends", () => {
    expect(rangeError([null, null], zone)).toBe("Please select start date");
    expect(rangeError([null, "2026-11-20 14:30:00"], zone)).toBe("Please select start date");
    expect(rangeError(["2026-11-20 14:30:00", null], zone)).toBe("Please select end date");
  });

  test("must not start after its end, but may be a single second", () => {
    expect(rangeError(["2026-11-20 14:30:01", "2026-11-20 14:30:00"], zone)).toBe(
      "The start must not be after the end",
    );
    expect(rangeError(["2026-11-20 14:30:00", "2026-11-20 14:30:00"], zone)).toBeUndefined();
    expect(rangeOf(["2026-11-20 14:30:01", "2026-11-20 14:30:00"], zone)).toBeUndefined();
  });

  test("is in the device's time zone and includes its last second", () => {
    expect(rangeOf(["2026-11-20 14:30:00", "2026-11-20 14:30:00"], zone)).toEqual({
      start: new Date("2026-11-20T20:30:00.000Z"),
      end: new Date("2026-11-20T20:30:00.999Z"),
    });
  });
});

const now = new Date("2026-11-20T20:30:00Z").getTime();
const period = (start: string, end: string | null): LogGroup => ({
  logGroupId: 1,
  startTime: new Date(start),
  endTime: end === null ? null : new Date(end),
  inputMode: null,
  channelSettingChangeDto: [],
});
const inForce = period("2026-11-12T15:05:47Z", null);
const earlier = period("2026-10-28T16:40:12Z", "2026-11-12T15:05:47Z");
const between = (start: string, end: string) => ({ start: new Date(start), end: new Date(end) });

describe("a window up to now", () => {
  const [minute, hour] = [60_000, 3_600_000];
  /** An hour as it is answered, with its last reading so long ago. */
  const hourWith = (silence: number, from = now - hour) => ({ from, to: now, dataXs: [now - silence], dataYs: [5] });

  test("is as long as it says, whatever part of it a device was silent", () => {
    for (const silence of [0, minute, 59 * minute, hour])
      expect(windowUpToNow(hourWith(silence), hour)).toEqual({ start: now - hour, end: now });
  });

  test("ends at the last reading where it would have none", () => {
    const aged = hourWith(34 * hour, now - 35 * hour);
    expect(windowUpToNow(aged, hour)).toEqual({ start: now - 35 * hour, end: now - 34 * hour });
    expect(windowUpToNow(aged, hour, now + minute), "until the device is back").toEqual({
      start: now - hour + minute,
      end: now + minute,
    });
  });

  test("moves on with the readings that arrive, and begins no earlier than its settings", () => {
    expect(windowUpToNow(hourWith(minute), hour, now + minute)).toEqual({
      start: now - hour + minute,
      end: now + minute,
    });
    const young = hourWith(minute, now - 10 * minute);
    expect(windowUpToNow(young, hour)).toEqual({ start: now - 10 * minute, end: now });
    expect(windowUpToNow(young, hour, now + minute)).toEqual({ start: now - 10 * minute, end: now + minute });
  });
});

describe("the length of Live", () => {
  const reporting = (interval: number, unchanged: number): LogGroup => ({
    ...inForce,
    channelSettingChangeDto: [
      { name: key.interval, val: interval, nameVal: `${interval} s` },
      { name: key.unchanged, val: unchanged, nameVal: `${unchanged} s` },
    ],
  });
  test.each([
    [5, 600, 15],
    [300, 600, 100],
    [5, 3600, 60],
  ])("of a channel that reports every %i s, unchanged every %i s, is %i minutes", (interval, unchanged, minutes) => {
    expect(lengthOf("live", reporting(interval, unchanged))).toBe(minutes * 60_000);
  });
});

describe("the shown part of a settings period", () => {
  test("is the last 24 hours of the current one by the server's clock, and live", () => {
    const shown = { requested: { latest: 86_400_000 }, isLive: true, isExplicit: false, until: undefined };
    expect(shownOf(inForce, undefined, now)).toEqual(shown);
    expect(shownOf(inForce, undefined, now + 30 * 86_400_000), "whatever the browser's clock says").toEqual(shown);
  });

  test("is the whole of an earlier one", () => {
    expect(shownOf(earlier, undefined, now)).toEqual({
      requested: {},
      isLive: false,
      isExplicit: false,
      until: earlier.endTime,
    });
  });

  test("is the part within the searched range, live when that range extends beyond now", () => {
    const past = between("2026-11-01T00:00:00Z", "2026-11-14T00:00:00Z");
    const requested = { startTime: past.start, endTime: past.end };
    expect(shownOf(inForce, past, now)).toEqual({ requested, isLive: false, isExplicit: true, until: past.end });
    expect(shownOf(earlier, past, now).until).toEqual(earlier.endTime);
    expect(shownOf(inForce, between("2026-11-20T00:00:00Z", "2026-12-01T00:00:00Z"), now).isLive).toBe(true);
  });
});

describe("the search field after a slot was chosen", () => {
  test("shows the period's own ends, without the first second of the next period", () => {
    expect(rangeOfSlot(earlier, undefined, now)).toEqual(between("2026-10-28T16:40:12Z", "2026-11-12T15:05:46.999Z"));
  });

  test("shows the last 24 hours up to NOW, or less for a young period", () => {
    expect(rangeOfSlot(inForce, undefined, now)).toEqual(between("2026-11-19T20:30:00Z", "2026-11-20T20:30:00Z"));
    const young = period("2026-11-20T20:29:59Z", null);
    expect(rangeOfSlot(young, undefined, now)).toEqual(between("2026-11-20T20:29:59Z", "2026-11-20T20:30:00Z"));
  });

  test("shows the part within the searched range", () => {
    const range = between("2026-11-01T00:00:00Z", "2026-11-14T00:00:00Z");
    expect(rangeOfSlot(inForce, range, now)).toEqual(between("2026-11-12T15:05:47Z", "2026-11-14T00:00:00Z"));
    expect(rangeOfSlot(earlier, range, now)).toEqual(between("2026-11-01T00:00:00Z", "2026-11-12T15:05:46.999Z"));
  });

  test("never ends before it starts, even when the server's clock is ahead of this one", () => {
    const { start, end } = rangeOfSlot(period("2026-11-20T21:00:00Z", null), undefined, now);
    expect(start.getTime()).toBeLessThanOrEqual(end.getTime());
  });
});

test("an empty slot says that the period is empty, unless it covers the whole range", () => {
  const young = period("2026-11-20T20:29:59Z", null);
  const today = between("2026-11-20T00:00:00Z", "2026-11-20T23:59:59Z");
  const words = "No readings since 2026-11-20 14:29:59, when these settings came into force";
  expect(emptyText(young, undefined, zone)).toBe(words);
  expect(emptyText(young, today, zone)).toBe(words);
  expect(emptyText(inForce, today, zone)).toBe("No readings in this range");
  expect(emptyText(earlier, undefined, zone)).toBe(
    "No readings from 2026-10-28 11:40:12 to 2026-11-12 09:05:47, while these settings were in force",
  );
});
