import type { Locator } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { alerts } from "@telltale/contract/domains/alerts";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import {
  channelHead,
  channelLink,
  chart,
  openDevice,
  pumpHouse,
  readings,
  setting,
  valuesInList,
  withReadings,
} from "./detail-screen.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

/** Devices of the demonstration. */
const pumpDrive = "7C9EBD4A6D71";
const driveEnd = "7C9EBD4A41C0";
const testBench = "7C9EBD4AB001";

test("the selected channel is part of the address: reload and back keep it", async ({ page, server }) => {
  await openDevice(page, server, pumpHouse);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DEVICES / Pump house 2");
  await expect(page.getByRole("main")).toContainText(`MIX-420-10${pumpHouse}`);
  await expect(channelHead(page, "Discharge pressure")).toBeVisible();
  await channelLink(page, "Wet well level").click();
  await expect(page).toHaveURL(/deviceChannelId=\d+/);
  await expect(channelHead(page, "Wet well level")).toBeVisible();
  await page.reload();
  await expect(channelHead(page, "Wet well level")).toBeVisible();
  await expect(channelLink(page, "Wet well level")).toHaveAttribute("aria-current", "true");
  await page.goBack();
  await expect(channelHead(page, "Discharge pressure")).toBeVisible();
});

test("nothing on a device's page moves when the device has loaded", async ({ page, server }) => {
  const { deviceId } = await idsOf(await clientOf(server), pumpHouse);
  await injectSession(page, server);
  const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**${devices.detail.path}*`, async (route) => {
    await isAsked;
    await route.continue();
  });
  // Its channels never come: the chart's place stays empty.
  await page.route(`**${channels.grouped.path}*`, () => undefined);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  const place = page.getByRole("status", { name: "Loading the chart" });
  await expect(place).toBeVisible();
  const before = await place.boundingBox();
  answer();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DEVICES / Pump house 2");
  expect(await place.boundingBox()).toEqual(before);
});

test("a device's general facts are one line, opened with its reported attributes", async ({ page, server }) => {
  await openDevice(page, server, driveEnd);
  await expect(
    page.getByRole("definition").filter({ hasText: /^\d+ min$/ }),
    "the offline reporting time",
  ).toBeVisible();
  await expect(page.getByRole("term").filter({ hasText: "OFFLINE REPORTING TIME" })).toBeHidden();
  await page.getByRole("button", { name: "Device general" }).click();
  for (const [label, text] of [
    ["P/N", /^VBS/],
    ["NAME", "Feed pump, drive end"],
    ["PARENT", "Pump house 2"],
    ["PAY DATE", /^\d{4}-\d\d-\d\d$/],
    ["OFFLINE REPORTING TIME", /\d+ minutes/],
    ["Battery life", /\d+ ?%/],
  ] as const)
    await expect(setting(page, label).first()).toHaveText(text);
  await page.getByRole("button", { name: "Device general" }).click();
  await expect(page.getByRole("term").filter({ hasText: "OFFLINE REPORTING TIME" })).toBeHidden();
  await openDevice(page, server, pumpHouse);
  await expect(setting(page, "Temperature").first(), "the next device is open too").toHaveText(/^\d+\.\d\d ?°F$/);
});

test("the channel list has each value as it comes, and the state of what is not normal", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99, AI2: 7 });
  const client = await openDevice(page, server, unit.deviceSnId);
  const row = (name: string) =>
    page.getByRole("navigation", { name: "Channels" }).getByRole("listitem").filter({ hasText: name });
  await expect(row("AI1")).toHaveText(/99\.00 baralert$/);
  await expect(row("AI2")).toHaveText(/7\.00 \S+$/);
  await expect(row("AI3")).toHaveText(/N\/Ano data$/);
  const waiting = (await client(alerts.unconfirmed)).find(({ deviceName }) => deviceName === unit.name);
  await client(alerts.confirm, { alarmLogId: waiting?.alarmLogId ?? 0 });
  await expect(row("AI1")).toHaveText(/99\.00 baralert, confirmed$/);
  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 20, AI3: 5 });
  await device.endAsync();
  await expect(row("AI1")).toHaveText(/20\.00 bar$/);
  await expect(row("AI3")).toHaveText(/5\.00 \S+$/);
});

test("Download begins with the device, and Configure leads to its settings", async ({ page, server }) => {
  const unit = await addUnit(server);
  await openDevice(page, server, unit.deviceSnId);
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const dialog = dialogOf(page, "DOWNLOAD TELLTALE DATA");
  await expect(dialog.getByRole("combobox", { name: "DEVICE", exact: true })).toHaveValue(new RegExp(unit.deviceSnId));
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Configure", exact: true }).click();
  await expect(page).toHaveURL(/configureDevicesAdd/);
});

test("on a phone the value and its chart come first, the general facts last", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const unit = await withReadings(server, 5);
  const client = await clientOf(server);
  const { deviceId } = await idsOf(client, unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await expect(chart(page)).toBeVisible();
  const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;
  const canvas = await page.locator("canvas").first().boundingBox();
  expect((canvas?.y ?? 0) + (canvas?.height ?? 0)).toBeLessThan(600);
  expect(canvas?.height).toBeGreaterThan(200);
  const tops = [
    await top(channelHead(page, "AI1")),
    canvas?.y ?? 0,
    await top(page.getByRole("tab", { name: "LIST" })),
    await top(page.getByRole("navigation", { name: "Channels" })),
    await top(page.getByRole("heading", { name: "Alert history" })),
    await top(page.getByRole("button", { name: "Device general" })),
  ];
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await page.getByRole("button", { name: "Download and Configure" }).click();
  await page.getByRole("menuitem", { name: "Configure" }).click();
  await expect(page).toHaveURL(/configureDevicesAdd/);
});

test("a motor controller has one CHANNEL list, its registers shown in their formats", async ({ page, server }) => {
  await openDevice(page, server, pumpDrive);
  const list = page.getByRole("navigation", { name: "Channels" });
  await expect(list.getByRole("heading", { level: 3 })).toHaveText(["CHANNEL"]);
  await channelLink(page, "Relay Status").click();
  await expect(channelHead(page, "Relay Status").locator("..")).toContainText(/ON|OFF|N\/A/);
});

test("GRAPHIC draws the line, zoomed to the first 15 percent, and has a text alternative", async ({ page, server }) => {
  const client = await clientOf(server);
  const { deviceId, channels } = await idsOf(client, pumpHouse);
  // Days that are over: the newest period may have begun within the hour, when somebody was in the office, and is then shown whole.
  const [startTime, endTime] = [10, 8].map((days) => new Date(Date.now() - days * 86_400_000));
  const range = { startTime, endTime };
  const periods = await client(history.periods, { channelId: channels.AI1 ?? 0, ...range });
  const logId = periods.data[0]?.logGroupId ?? 0;
  const counted = async () => (await client(history.chart, { logId, ...range })).count;
  await expect.poll(counted, { message: "the demonstration's past is there", timeout: 60_000 }).toBeGreaterThan(100);

  await injectSession(page, server);
  const ends = `startTime=${startTime?.toISOString()}&endTime=${endTime?.toISOString()}`;
  await page.goto(`/devicesDetail?deviceId=${deviceId}&deviceChannelId=${channels.AI1}&${ends}`);
  await expect(chart(page)).toHaveAttribute("aria-label", /^Discharge pressure, \S+ \S+ to \S+ \S+\. \S+/);
  await expect(page.getByRole("tabpanel", { name: "GRAPHIC" })).toContainText("0 ~ 15 %");
  const painted = () =>
    page.locator("canvas").evaluateAll((all) =>
      all.some((each) => {
        const canvas = each as HTMLCanvasElement;
        const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return pixels.some((part, index) => index % 4 === 3 && part > 0);
      }),
    );
  await expect.poll(painted).toBe(true);
  const before = await chart(page).getAttribute("aria-label");
  await page.getByRole("group", { name: /^Chart/ }).press("ArrowRight");
  await expect(chart(page), "keys move it").not.toHaveAttribute("aria-label", before ?? "");
});

test("GRAPHIC opens on the readings of a device that is new or has been silent", async ({ page, server }) => {
  // Its settings are older than a day, and it has never reported.
  const units = await server.telltale<Unit[]>("devices", "list");
  const bench = units.find(({ deviceSnId }) => deviceSnId === testBench);
  if (!bench) throw new Error("The demonstration has no test bench");
  await reportOnce(server, bench, { AI1: 42 });
  await openDevice(page, server, testBench, "AI1");
  const head = channelHead(page, "Test bench pressure").locator("..");
  await expect(head).toContainText(/42\.00\s*bar/);
  const [updated] = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec((await head.textContent()) ?? "") ?? [];
  await expect(chart(page)).toHaveAttribute("aria-label", /^Test bench pressure, /);
  const words = (await chart(page).getAttribute("aria-label")) ?? "";
  const [start = "", end = ""] = words.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
  expect([start, updated, end]).toEqual([start, updated, end].toSorted());
});

test("LIST shows the newest reading first, loads more while scrolling, and marks its end", async ({ page, server }) => {
  const unit = await withReadings(server, 35);
  await openDevice(page, server, unit.deviceSnId, "AI1");
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect(readings(page)).toContainText(/34\.00\s*bar/);
  const end = readings(page).getByText("No more data available");
  await expect(async () => {
    await readings(page).evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(end).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 });
  expect(await valuesInList(page)).toEqual(Array.from({ length: 35 }, (_, n) => 34 - n));
});

test("a new reading becomes the current value and the first of the list, without a reload", async ({
  page,
  server,
}) => {
  const unit = await withReadings(server, 3);
  await openDevice(page, server, unit.deviceSnId, "AI1");
  await page.getByRole("tab", { name: "LIST" }).click();
  await expect(readings(page)).toContainText(/2\.00\s*bar/);
  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 44 });
  await device.endAsync();
  await expect(channelHead(page, "AI1").locator("..")).toContainText(/44\.00\s*bar/);
  await expect.poll(() => valuesInList(page)).toEqual([44, 2, 1, 0]);
});

test("a range search requires a range, and is part of the address", async ({ page, server }) => {
  await openDevice(page, server, pumpHouse, "AI1");
  const search = page.getByRole("button", { name: "Search" });
  await page.getByRole("button", { name: "Clear date range" }).click();
  await search.click();
  await expect(page.getByText("Please select start date")).toBeVisible();
  await page.getByRole("button", { name: /^Date range/ }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await page.keyboard.press("Escape");
  await search.click();
  await expect(page).toHaveURL(/startTime=.+endTime=/);
  await page.reload();
  await expect(page.getByRole("button", { name: /^Date range \d{4}-\d\d-\d\d 00:00:00 ~ \S+ 23:59:59/ })).toBeVisible();
});

test("the alert history shows the selected channel and can confirm", async ({ page, server }) => {
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99, AI2: 10 });
  await openDevice(page, server, unit.deviceSnId, "AI1");
  const entry = rowsOf(page, "Alert history", "99.00 bar");
  await expect(entry).toHaveCount(1);
  await entry.getByRole("button", { name: "CLICK TO CONFRIM" }).click();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(entry).toContainText("Confirmed");
  await expect(entry).toContainText("Mara Okafor");
  await channelLink(page, "AI2").click();
  await expect(page.getByRole("region", { name: "Alert history" })).toContainText("There are no alerts");
});

test("a device of another plant, or none, is not found", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/devicesDetail?deviceId=999999");
  await expect(page.getByRole("main")).toContainText(Message.notFound);
  await page.goto("/devicesDetail");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
});
