import type { LogGroup, ShownSetting } from "@telltale/contract/domains/channels";
import { expect, test } from "vitest";
import { intervalsAt, pacesOf, periodsSince, thresholdsOver } from "./settings-periods.ts";

/** A period from and until these milliseconds, with these settings. */
const period = (from: number, until: number | null, settings: Record<string, number>): LogGroup => ({
  logGroupId: from,
  startTime: new Date(from),
  endTime: until === null ? null : new Date(until),
  inputMode: null,
  channelSettingChangeDto: Object.entries(settings).map(
    ([name, val]): ShownSetting => ({ name, val, nameVal: `${val}` }),
  ),
});

const [first, second, third] = [
  period(0, 100, { "Report Interval": 600, "Higher Alarm": 9, "Lower Alarm": 1 }),
  period(100, 200, { "Report Interval": 600, "Higher Alarm": 8, "Lower Alarm": 1 }),
  period(200, null, { "Report Interval": 10, "STATIC DATA": 60, "Higher Alarm": 8, "Lower Alarm": 1 }),
];
const periods = [first, second, third];

test("the periods of a line are those from its beginning on, oldest first", () => {
  expect(periodsSince([third, second, first], 100)).toEqual([second, third]);
  expect(periodsSince([third, second, first], 99)).toEqual(periods);
});

test("the pace is that of the report interval, and goes on where something else is changed", () => {
  expect(pacesOf(periods)).toEqual([
    { since: 0, expected: 600_000 },
    { since: 200, expected: 60_000 },
  ]);
});

test("a device is expected within its longest interval, and within a minute where its settings say none", () => {
  const expected = (settings: Record<string, number>) => pacesOf([period(0, null, settings)])[0]?.expected;
  expect(expected({ "Report Interval": 60, "STATIC DATA": 600 })).toBe(600_000);
  expect(expected({})).toBe(60_000);
});

test("each moment has the report intervals of its settings", () => {
  const at = intervalsAt(periods);
  expect(at(199)).toMatchObject({ report: 600_000, unchanged: 0 });
  expect(at(200)).toMatchObject({ report: 10_000, unchanged: 60_000 });
  expect(at(-1), "before the first it is its own").toMatchObject({ report: 600_000 });
});

test("each limit is in force while it was set: all the time, or from one change to another", () => {
  expect(thresholdsOver(periods)).toEqual([
    { name: "Lower Alarm", value: 1, high: false },
    { name: "Higher Alarm", value: 9, high: true, during: { from: 0, until: 100 } },
    { name: "Higher Alarm", value: 8, high: true, during: { from: 100, until: Number.POSITIVE_INFINITY } },
  ]);
  expect(thresholdsOver([third])).toEqual([
    { name: "Lower Alarm", value: 1, high: false },
    { name: "Higher Alarm", value: 8, high: true },
  ]);
});

test("a limit that is set again is not in force in between", () => {
  const again = [first, period(100, 200, { "Lower Alarm": 1 }), period(200, null, { "Higher Alarm": 9 })];
  expect(thresholdsOver(again).filter(({ high }) => high)).toMatchObject([
    { value: 9, during: { from: 0, until: 100 } },
    { value: 9, during: { from: 200 } },
  ]);
});
