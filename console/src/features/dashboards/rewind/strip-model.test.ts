import type { RewoundAlert } from "@telltale/contract/domains/readings/rewind";
import { describe, expect, it } from "vitest";
import { barsOf, ticksOf } from "./strip-model.ts";

const hour = 3_600_000;
const day = { from: Date.parse("2026-11-21T15:00:00"), to: Date.parse("2026-11-22T15:00:00") };

/** An alert by its hours in the window. */
const alert = (id: number, raised: number, confirmed: number | null, cleared: number | null): RewoundAlert => {
  const at = (hours: number) => new Date(day.from + hours * hour);
  return {
    alarmLogId: id,
    alarmClass: 2,
    alarmType: 1,
    deviceChannelId: 1,
    channelName: "AI1",
    isSwitch: false,
    isRate: false,
    deviceName: "Pump",
    deviceId: 1,
    value: 1,
    valueUnit: "bar",
    threshold: 1,
    createdTime: at(raised),
    acceptTime: confirmed === null ? null : at(confirmed),
    acceptName: null,
    modifiedTime: cleared === null ? null : at(cleared),
    msg: "",
    alarmName: "",
    priority: 2,
    silent: [],
  };
};

describe("alerts on the strip", () => {
  it("are as long as they stood: filled until confirmed, outlined until cleared", () => {
    expect(barsOf([alert(1, 6, 9, 12)], day, 240)).toEqual([
      { id: 1, lane: 0, raised: 60, begin: 60, confirmed: 90, end: 120 },
    ]);
  });

  it.each([
    ["never confirmed", alert(1, 6, null, 12), { confirmed: 120, end: 120 }],
    ["standing still", alert(1, 6, 9, null), { confirmed: 90, end: 240 }],
    ["cleared before it was confirmed", alert(1, 6, 13, 12), { confirmed: 120, end: 120 }],
    ["raised before the window", alert(1, -3, 2, 12), { raised: undefined, begin: 0, confirmed: 20, end: 120 }],
  ])("%s", (_, given, expected) => {
    expect(barsOf([given], day, 240)[0]).toMatchObject(expected);
  });

  it("take up to four lanes, and the one that is free first", () => {
    const stood = [0, 1, 2, 3, 4].map((at) => alert(at, at, null, 12));
    const lanes = barsOf([...stood, alert(5, 20, null, 21)], day, 240).map(({ lane }) => lane);
    expect(lanes).toEqual([0, 1, 2, 3, 0, 0]);
  });
});

describe("the time axis", () => {
  const labels = (width: number, window = day) => ticksOf(window, width).flatMap(({ label }) => label ?? []);

  it("has a mark an hour and as many labels as there is room for, the day in bold", () => {
    const ticks = ticksOf(day, 1_000);
    expect(ticks).toHaveLength(24);
    expect(ticks.filter(({ isDay }) => isDay).map(({ label }) => label)).toEqual(["Sun 22 Nov"]);
    expect(labels(1_000)).toEqual(["18:00", "21:00", "Sun 22 Nov", "03:00", "06:00", "09:00", "12:00"]);
    expect(labels(366)).toEqual(["18:00", "Sun 22 Nov", "06:00"]);
  });

  it("of a week has a mark a day", () => {
    const week = { from: day.to - 7 * 24 * hour, to: day.to };
    expect(ticksOf(week, 1_000)).toHaveLength(7);
    expect(labels(1_000, week)[0]).toBe("Mon 16 Nov");
  });
});
