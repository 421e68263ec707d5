import { expect, test } from "vitest";
import { createClient } from "./call/client.ts";
import { alertEntries } from "./domains/alerting/entries.ts";
import { alertLinks } from "./domains/alerting/links.ts";
import { tileCalls } from "./domains/dashboard/tiles.ts";

// While nodes are upgraded one after the other, a new console's call may reach one of the version before.

const clientOf = (result: unknown) =>
  createClient({ baseUrl: "http://node", fetch: async () => Response.json({ code: 0, msg: "", result }) });

const time = "2026-11-20T12:00:00.000Z";
const alert = {
  ...{
    alarmLogId: 1,
    alarmLogGroupId: 1,
    status: 1,
    alarmClass: 1,
    alarmType: 1,
    deviceChannelId: 2,
    channelName: "AI1",
  },
  ...{
    isSwitch: false,
    isRate: false,
    deviceName: "Sump",
    deviceSnId: "77E0",
    deviceId: 3,
    value: 9,
    valueUnit: "bar",
  },
  ...{ threshold: 8, interval: 60, createdTime: time, acceptTime: null, modifiedTime: null, acceptName: null, msg: "" },
  ...{ time, alarmName: "", priority: 1, receivedTime: null, peak: 9, assignedName: null, isSilent: false },
  ...{ silentUntil: null, wasSilent: false, firstOf: null, follows: null, now: 9, silence: null },
};

test("the trend of a message's link is understood without what it is drawn by", async () => {
  const trend = { dataXs: [1_000], dataYs: [9] };
  const linked = { alert, plantName: "Works", now: 9, response: "", trend, mayConfirm: true, untilTime: time };
  const answer = await clientOf({ ...linked, recipient: { name: "Sora Imai", by: 1 } })(alertLinks.info, { link: "x" });
  expect(answer.trend).toEqual({ ...trend, count: 0, from: 0, to: 0, isStepped: false, reporting: [] });
});

test("an alert's page is understood without its device's time zone", async () => {
  const info = { ...alert, alarmId: null, response: "", assignedTo: null, timeline: [], next: null };
  expect((await clientOf(info)(alertEntries.info, { alarmLogId: 1 })).timeZoneId).toBe("UTC");
});

test("the last hour of a tile is understood without how often its channel was to report", async () => {
  const line = { deviceChannelId: 1, low: null, high: null, steps: [60], values: [1] };
  const { lines } = await clientOf({ from: 0, to: 3_600_000, lines: [line] })(tileCalls.sparklines, {});
  expect(lines).toEqual([{ ...line, paces: [] }]);
});
