import type { AlertRow } from "@telltale/contract/domains/alerts";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { describe, expect, test } from "vitest";
import { alertSpans, labelled } from "./spans.ts";

const zone = zoneOf("America/Chicago");
const at = (time: string) => new Date(`2026-11-19T${time}:00Z`);
const window = { start: at("20:00").getTime(), end: at("23:00").getTime() };
const now = at("23:30").getTime();

const anAlert = (from: string, to: string | null, more: Partial<AlertRow> = {}): AlertRow => ({
  alarmLogId: 1,
  alarmLogGroupId: 1,
  status: to ? 3 : 1,
  alarmClass: 2,
  alarmType: 1,
  deviceChannelId: 7,
  channelName: "Discharge pressure",
  deviceName: "Booster pump skid",
  deviceSnId: "7C9EBD4A41A7",
  deviceId: 3,
  value: 8.6,
  valueUnit: "bar",
  threshold: 8,
  interval: 60,
  createdTime: at(from),
  acceptTime: null,
  modifiedTime: to === null ? null : at(to),
  acceptName: null,
  msg: "",
  time: at(from),
  alarmName: "",
  priority: 2,
  receivedTime: null,
  peak: null,
  assignedName: null,
  isSilent: false,
  silentUntil: null,
  wasSilent: false,
  isSwitch: false,
  isRate: false,
  ...more,
});

describe("alerts as spans of the chart", () => {
  test("are labelled with kind and times in the device's time zone", () => {
    const [span] = alertSpans([anAlert("22:09", "22:47")], window, now, zone);
    expect(span).toEqual({
      alarmLogId: 1,
      label: "High alert 16:09 ~ 16:47",
      start: at("22:09").getTime(),
      end: at("22:47").getTime(),
    });
  });

  test("an open one lasts until now and is clipped to the window", () => {
    const [span] = alertSpans([anAlert("22:50", null, { alarmType: 2 })], window, now, zone);
    expect(span?.label).toBe("Low alert 16:50 ~ NOW");
    expect(span?.end).toBe(window.end);
  });

  test("one that began before the window and ended in it is shown from the window's start", () => {
    const [span] = alertSpans([anAlert("19:00", "20:30")], window, now, zone);
    expect(span?.start).toBe(window.start);
  });

  test("those outside the window and notifications are omitted; the rest is oldest first", () => {
    const rows = [
      anAlert("22:00", "22:10", { alarmLogId: 4 }),
      anAlert("21:00", "21:10", { alarmLogId: 3 }),
      anAlert("20:30", "20:40", { alarmLogId: 2, alarmClass: 4 }),
      anAlert("19:00", "19:10", { alarmLogId: 1 }),
    ];
    expect(alertSpans(rows, window, now, zone).map(({ alarmLogId }) => alarmLogId)).toEqual([3, 4]);
  });

  test("one that passes midnight shows its dates", () => {
    const overnight = anAlert("20:00", null, { modifiedTime: new Date("2026-11-20T07:15:00Z") });
    expect(alertSpans([overnight], window, now, zone)[0]?.label).toBe("High alert 11-19 14:00 ~ 11-20 01:15");
  });

  test("those of a range of several days show their date", () => {
    const week = { start: window.start - 7 * 24 * 3_600_000, end: window.end };
    expect(alertSpans([anAlert("22:09", "22:47")], week, now, zone)[0]?.label).toBe("High alert 11-19 16:09 ~ 16:47");
  });
});

describe("labels of alerts", () => {
  const span = (alarmLogId: number, start: number, end: number) => ({
    alarmLogId,
    start,
    end,
    label: "High alert 16:09 ~ 16:47",
  });

  test("those that would overlap another are omitted", () => {
    expect([
      ...labelled([span(1, 100, 120), span(2, 150, 160), span(3, 500, 510)], { start: 0, end: 1000 }, 1000).keys(),
    ]).toEqual([1, 3]);
  });

  test("the one that comes first has its label wherever it stands", () => {
    const labels = [span(9, 500, 900), span(1, 100, 120), span(2, 400, 410)];
    expect([...labelled(labels, { start: 0, end: 1000 }, 1000).keys()]).toEqual([9, 1]);
  });

  test("one without space at the right is placed before the end of its alert, unless there is space beyond the edge", () => {
    const late = [span(1, 950, 990)];
    expect(labelled(late, { start: 0, end: 1000 }, 1000).get(1)).toBe("end");
    expect(labelled(late, { start: 0, end: 1000 }, 1000, 200).get(1)).toBe("start");
  });

  test("one that fits nowhere is omitted", () => {
    expect(labelled([span(1, 0, 1000)], { start: 0, end: 1000 }, 100).size).toBe(0);
    expect([...labelled([span(1, 700, 750), span(2, 950, 990)], { start: 0, end: 1000 }, 1000).keys()]).toEqual([1]);
  });
});
