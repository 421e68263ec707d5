import type { LinkedAlert } from "@telltale/contract/domains/alerting/links";
import { AlertClass, AlertPriority, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { SmallTrend } from "./small-trend.tsx";

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const raised = Date.parse("2026-11-20T12:00:00Z");
const here = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone);

const alert: LinkedAlert["alert"] = {
  ...{ alarmLogId: 1, alarmName: "", deviceName: "Sump", channelName: "AI1", msg: "", valueUnit: "bar" },
  ...{ status: AlertStatus.cleared, alarmClass: AlertClass.threshold, alarmType: AlertType.high },
  ...{ isSwitch: false, isRate: false, value: 9, threshold: null, peak: null, priority: AlertPriority.medium },
  ...{ createdTime: new Date(raised), modifiedTime: new Date(raised + minute), acceptTime: null, acceptName: null },
};

interface Wanted {
  report: number;
  unchanged?: number;
  isStepped?: boolean;
  /** There are more readings than points. */
  isThinned?: boolean;
}

/** What is drawn of readings, given by the minutes since the alert: the line, its full and hollow dots, and the windows without data. */
const drawn = (readings: readonly (readonly [after: number, value: number])[], wanted: Wanted) => {
  const { report, unchanged = 0, isStepped = false, isThinned = false } = wanted;
  const trend = {
    dataXs: readings.map(([after]) => raised + after * minute),
    dataYs: readings.map(([, value]) => value),
    count: readings.length + (isThinned ? 1 : 0),
    ...{ from: raised - hour, to: raised + hour, isStepped, reporting: [{ since: 0, report, unchanged }] },
  };
  const markup = renderToStaticMarkup(<SmallTrend alert={alert} trend={trend} />);
  const count = (pattern: RegExp) => markup.match(pattern)?.length ?? 0;
  const hollow = count(/<circle data-hollow/g);
  return {
    told: markup.match(/aria-label="([^"]*)"/)?.[1] ?? "",
    line: [...markup.matchAll(/<path[^>]* d="([^"]*)"/g)].at(-1)?.[1] ?? "",
    ...{ hollow, full: count(/<circle/g) - hollow, gaps: count(/url\(#no-data\)/g) },
  };
};

/** A reading a minute, over the whole trend. */
const everyMinute = Array.from({ length: 121 }, (_, n) => [n - 60, 5 + (n % 3)] as const);

describe("the trend on the page of a message's link", () => {
  test("goes from reading to reading, and as steps where a value holds until the next one", () => {
    expect(drawn(everyMinute, { report: minute }).line).toMatch(/^M[\d. ]+(L[\d. ]+){120}$/);
    expect(drawn(everyMinute, { report: minute, isStepped: true }).line).toMatch(/^M[\d. ]+(H[\d.]+V[\d.]+){120}$/);
  });

  test("shows the only reading of a device that reports once an hour", () => {
    expect(drawn([[0, 9]], { report: hour })).toMatchObject({ full: 1, hollow: 0, gaps: 0 });
  });

  test("holds a value that was not reported because it did not change, unless the line is thinned", () => {
    const readings = everyMinute.filter(([after]) => after <= -10 || after >= 10);
    const wanted = { report: 10 * second, unchanged: 30 * minute };
    const held = drawn(readings, wanted);
    expect(held).toMatchObject({ hollow: 1, full: 0, gaps: 0 });
    expect(drawn(readings, { ...wanted, isThinned: true }).hollow).toBe(0);
  });

  test("breaks the line and hatches the time where the device was silent, by its own report interval", () => {
    const readings = everyMinute.filter(([after]) => after <= -30 || after >= 30);
    const silent = drawn(readings, { report: minute });
    expect(silent.gaps).toBe(1);
    expect(silent.line.match(/M/g)).toHaveLength(2);
    const [from, to] = [-30, 30].map((after) => here.clock(raised + after * minute));
    expect(silent.told, "also without seeing it").toBe(
      `AI1, one hour each side of the alert. No data ${from} to ${to}.`,
    );
    const usual = drawn(readings, { report: 30 * minute });
    expect(usual.gaps).toBe(0);
    expect(usual.told).toBe("AI1, one hour each side of the alert.");
    expect(usual.line.match(/M/g)).toHaveLength(1);
  });

  test("draws an answer of a server that does not say how the channel reported", () => {
    const trend = {
      dataXs: everyMinute.map(([after]) => raised + after * minute),
      dataYs: everyMinute.map(([, y]) => y),
    };
    const earlier = { ...trend, count: 0, from: 0, to: 0, isStepped: false, reporting: [] };
    expect(renderToStaticMarkup(<SmallTrend alert={alert} trend={earlier} />)).toMatch(/ d="M[\d. ]+(L[\d. ]+){120}"/);
  });
});
