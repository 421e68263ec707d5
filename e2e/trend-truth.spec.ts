import { Message } from "@telltale/contract/call/codes";
import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { history } from "@telltale/contract/domains/readings/history";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import { chartOf } from "./chart-pixels.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { rowsOf } from "./screen.ts";
import { everyMinute, hour, minute, openTrend, shownTimes, unitWith, windowButton } from "./trend-screen.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce } from "./unit.ts";

test.use({ own: "trend" });
test.describe.configure({ timeout: 120_000 });

test("a link to a channel that is gone says so, and shows another of the device at that time", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, everyMinute(60));
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  const at = new Date(Date.now() - 20 * minute).toISOString();
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=99999999&at=${at}&alarmLogId=1`);
  await expect(page.getByText("The channel of this link is gone, or it is not one of this device.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "AI1", exact: true })).toBeVisible();
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
  await expect(chartOf(page), "what happened to the other channel is not marked on it").not.toHaveAttribute(
    "aria-label",
    /Opened for/,
  );
  const [start, end] = await shownTimes(page);
  expect(end - start).toBeLessThanOrEqual(hour + 1000);
});

test("a link to an alert that is gone shows its minute, and says so there instead of in a warning", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, everyMinute(60));
  const at = new Date(Math.floor(Date.now() / minute) * minute - 20 * minute).toISOString();
  await openTrend(page, server, unit, `&at=${at}&alarmLogId=99999999`);
  const chip = page
    .getByRole("paragraph")
    .filter({ has: page.getByRole("button", { name: "Show without the moment" }) });
  await expect(chip).toHaveText(/^Moment \d\d:\d\d:00± 30 min, its alert is gone$/);
  await expect(chip.locator("svg"), "no diamond, but the sign that closes it").toHaveCount(1);
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, .*Opened for/);
  await expect(page.getByText(Message.notFound)).toHaveCount(0);
});

test("a minute before the first reading says that it has none", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(10));
  await openTrend(page, server, unit, "&at=2001-01-01T00:00:00Z");
  await expect(page.getByText("No readings in this range")).toBeVisible();
  await windowButton(page, "1 h").click();
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
});

test("a browser whose clock is wrong by ten minutes shows how long an alert has stood, and the newest minute", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, { ts: Date.now() - minute, values: { AI1: 99 } });
  await page.clock.install({ time: Date.now() - 10 * minute });
  await injectSession(page, server);
  await page.goto("/alarms?view=standing");
  await expect(rowsOf(page, "Standing alerts", unit.name)).toContainText(/[1-4] min/);
  await page.goto("/?at=now");
  const shown =
    (await page
      .getByText(/^Rewound to/)
      .locator("b")
      .textContent()) ?? "";
  const [hours = 0, minutes = 0] = shown.split(":").map(Number);
  const now = new Date();
  const passed = (now.getUTCHours() * 60 + now.getUTCMinutes() - hours * 60 - minutes + 1_440) % 1_440;
  expect(passed).toBeLessThanOrEqual(2);
});

test("a browser whose clock is two days ahead searches for the server's today", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(10));
  await page.clock.install({ time: Date.now() + 48 * hour });
  await openTrend(page, server, unit, "&span=1h");
  const field = page.getByRole("button", { name: /^Date range/ });
  await field.click();
  await page.getByRole("button", { name: "Today", exact: true }).click();
  const today = zoneOf("Europe/London").day(new Date());
  await expect(field).toHaveAttribute("aria-label", new RegExp(`^Date range ${today} 00:00:00 ~ ${today} 23:59:59`));
});

test("values of any size have room beside the plot", async ({ page, server }) => {
  const unit = await unitWith(
    server,
    Array.from({ length: 30 }, (_, n) => ({
      ts: Date.now() - (30 - n) * minute,
      values: { AI1: 5, AI3: 100_000 * n, AI4: -0.0001 * n },
    })),
  );
  for (const code of ["AI1", "AI3", "AI4"]) {
    await openTrend(page, server, unit, "&span=1h", code);
    await expect(chartOf(page)).toHaveAttribute("aria-label", new RegExp(`^${code}, `));
    const isClipped = () =>
      chartOf(page).evaluate((chart) => {
        const canvas = chart.querySelector("canvas");
        const pen = canvas?.getContext("2d");
        if (!canvas || !pen) return true;
        const { data } = pen.getImageData(0, 0, 2, canvas.height);
        return data.some((part, at) => at % 4 === 3 && part > 0);
      });
    await expect.poll(isClipped, code).toBe(false);
  }
});

test("a held value is a step also in the zoomed part of a long range", async ({ page, server }) => {
  const unit = await addUnit(server);
  const device = await connectUnit(server, unit);
  const now = Date.now();
  // The value changes each minute for a day and a half, and is the same in the last hour: the device reports it every five minutes then.
  const changing = Array.from({ length: 2_200 }, (_, n) => ({
    ts: now - (60 + 2_200 - n) * minute,
    values: { AI1: 5 + (n % 7) / 2 },
  }));
  const held = Array.from({ length: 12 }, (_, n) => ({ ts: now - (55 - n * 5) * minute, values: { AI1: 5 } }));
  const all = [...changing, ...held];
  for (let at = 0; at < all.length; at += 300) await publish(device, all.slice(at, at + 300));
  await device.endAsync();
  await openTrend(page, server, unit, "&span=7d");
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
  const sign = page.getByText("held value");
  await expect(sign, "the points of a thinned line are no readings").toHaveCount(0);
  const chart = page.getByRole("group", { name: /^Chart/ });
  await expect(async () => {
    await chart.press("+");
    await chart.press("End");
    await expect(sign).toBeVisible({ timeout: 2_000 });
  }).toPass();
});

test("what was read before a change of settings is judged by the settings of then", async ({ page, server }) => {
  const unit = await unitWith(server, [...everyMinute(40, 90 * minute), ...everyMinute(40)]);
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const channelKeys = { [Key.reportInterval]: 3_600, [Key.staticData]: 7_200, [Key.higherAlarm]: 7 };
  await client(channelSettings.modify, { deviceId, payload: [{ channelId: channels.AI1 ?? 0, channelKeys }] } as never);
  await openTrend(page, server, unit, "&span=8h");
  const words = (pattern: RegExp) => expect(chartOf(page)).toHaveAttribute("aria-label", pattern);
  await words(/No data \d\d:\d\d to \d\d:\d\d\./);
  await expect(page.getByLabel("Statistics of what is in view")).toContainText(/No data\s*5[01] min/);
  await words(/Within its thresholds/);
  await expect(chartOf(page), "the values of then were below the limit of then").not.toHaveAttribute(
    "aria-label",
    /Above/,
  );
  await reportOnce(server, unit, { AI1: 7.5 });
  await words(/Above the 7\.00 bar threshold from \d\d:\d\d to \d\d:\d\d, highest 7\.50 bar/);
});

test("a chart over a change of settings stays while its readings are loaded anew, also if its settings cannot be", async ({
  page,
  server,
}) => {
  const unit = await unitWith(server, everyMinute(100));
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const channelKeys = { [Key.higherAlarm]: 7 };
  await client(channelSettings.modify, { deviceId, payload: [{ channelId: channels.AI1 ?? 0, channelKeys }] } as never);
  await openTrend(page, server, unit, "&span=1h");
  await expect(chartOf(page)).toHaveAttribute("aria-label", /^AI1, /);
  await chartOf(page).evaluate((chart) => chart.setAttribute("data-kept", ""));
  await page.route(`**${history.periods.path}?*`, (route) => route.abort());
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === history.chart.path);
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await answered;
  // What is replaced is replaced within a moment of the answer.
  await page.waitForTimeout(2_000);
  await expect(chartOf(page)).toHaveAttribute("data-kept", "");
});
