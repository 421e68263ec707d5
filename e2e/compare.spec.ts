import type { Page } from "@playwright/test";
import { trends } from "@telltale/contract/domains/readings/trends";
import { check, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSignedIn } from "./people.ts";
import type { RunningServer } from "./server-process.ts";
import { windowButton } from "./trend-screen.ts";
import { addUnit, connectUnit, idsOf, publish, reportOnce, type Unit } from "./unit.ts";

test.use({ own: "compare" });
test.describe.configure({ timeout: 120_000 });

const minute = 60_000;

/** A device whose two channels have reported for an hour. */
const aUnit = async (server: RunningServer): Promise<Unit & { channels: Record<string, number>; deviceId: number }> => {
  const unit = await addUnit(server);
  const now = Date.now();
  await reportOnce(
    server,
    unit,
    Array.from({ length: 60 }, (_, n) => ({
      ts: now - (59 - n) * minute,
      values: { AI1: 50 + (n % 5), AI2: 5 + (n % 3) },
    })),
  );
  return { ...unit, ...(await idsOf(await clientOf(server), unit.deviceSnId)) };
};

const drawing = (page: Page) => page.getByRole("group", { name: /^Chart/ }).getByRole("img");
/** Narrows the list of channels to those of a device. */
const find = async (page: Page, unit: Unit): Promise<void> => {
  await page.getByRole("textbox", { name: "Find a channel" }).fill(unit.name);
  const devices = page.getByRole("region", { name: "Channels" }).getByRole("heading");
  await expect(devices).toHaveText([new RegExp(unit.name)]);
};

const chips = (page: Page) => page.getByRole("list", { name: "Compared channels" }).getByRole("listitem");
const rows = (page: Page) => page.getByRole("table", { name: "Statistics" }).locator("tbody tr");

test("two channels of two devices are compared with four clicks from the list of devices", async ({ page, server }) => {
  const [one, two] = [await aUnit(server), await aUnit(server)];
  await openSignedIn(page, server);
  await page.goto("/devices");
  let clicks = 0;
  const click = async (element: ReturnType<Page["locator"]>) => {
    clicks += 1;
    await element.click();
  };
  await click(page.getByRole("link", { name: "Compare" }));
  for (const unit of [one, two]) {
    await find(page, unit);
    await click(page.getByRole("checkbox", { name: "AI1", exact: true }));
    await expect(chips(page).filter({ hasText: unit.name })).toBeVisible();
  }
  expect(clicks).toBeLessThanOrEqual(4);
  await expect(drawing(page)).toHaveAttribute("aria-label", new RegExp(`AI1 of ${one.name}, AI1 of ${two.name}`));
  await expect(rows(page)).toHaveCount(2);
  for (const text of ["50.00 bar", "54.00 bar"]) await expect(rows(page).first()).toContainText(text);
  const address = page.url();
  await page.goto("/");
  await page.goto(address);
  await expect(rows(page), "a link is a view").toHaveCount(2);
  await page.getByRole("button", { name: "Remove AI1" }).first().click();
  await expect(rows(page)).toHaveCount(1);
});

test("from a channel's chart it opens with that channel and the same window; a fifth channel is not offered", async ({
  page,
  server,
}) => {
  const unit = await aUnit(server);
  await injectSession(page, server);
  await page.goto(`/devicesDetail?deviceId=${unit.deviceId}&deviceChannelId=${unit.channels.AI2}&span=1h`);
  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(/\/compare\?.*span=1h/);
  await expect(chips(page)).toHaveText([/AI2/]);
  await find(page, unit);
  for (const name of ["AI1", "AI3", "AI4"]) {
    await page.getByRole("checkbox", { name, exact: true }).click();
    await expect(chips(page).filter({ hasText: name })).toBeVisible();
  }
  await expect(chips(page)).toHaveCount(4);
  await page.getByRole("textbox", { name: "Find a channel" }).fill("Pump house 2");
  await expect(page.getByRole("checkbox", { name: "Discharge pressure" }).first()).toBeDisabled();
});

test("one cursor reads all channels, also by keys, and the page is accessible", async ({ page, server }) => {
  const complaints = errorsOf(page);
  const unit = await aUnit(server);
  await injectSession(page, server);
  await page.goto(`/compare?channel=${unit.channels.AI1}&channel=${unit.channels.AI2}&span=1h`);
  await expect(rows(page)).toHaveCount(2);
  await check(page, "two channels compared");
  const head = page.getByRole("columnheader").nth(1);
  await expect(head).toHaveText("LAST");
  await page.getByRole("group", { name: /^Chart/ }).press("Home");
  await expect(head).toHaveText(/^AT \d\d:\d\d:\d\d$/);
  const first = await head.textContent();
  await page.keyboard.press("ArrowRight");
  await expect(head).not.toHaveText(first ?? "");
  await page.keyboard.press("Escape");
  await expect(head).toHaveText("LAST");
  const box = await drawing(page).boundingBox();
  if (!box) throw new Error("no chart");
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
  await expect(head).toHaveText(/^AT /);
  expect(complaints).toEqual([]);
});

test("a channel without readings in the window says so, and the others are shown", async ({ page, server }) => {
  const unit = await aUnit(server);
  await injectSession(page, server);
  await page.goto(`/compare?channel=${unit.channels.AI1}&channel=${unit.channels.AI3}&span=1h`);
  await expect(rows(page)).toHaveCount(2);
  await expect(chips(page).filter({ hasText: "AI3" })).toContainText("no readings in this window");
  await expect(chips(page).filter({ hasText: "AI1" })).not.toContainText("no readings");
});

test("a day and more names the days; without a secure context there is no button that copies", async ({
  page,
  server,
}) => {
  const unit = await aUnit(server);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "clipboard"));
  await injectSession(page, server);
  await page.goto(`/compare?channel=${unit.channels.AI1}&span=7d`);
  await expect(page.getByRole("columnheader").first()).toHaveText(
    /^CHANNEL, \d\d-\d\d \d\d:\d\d ~ \d\d-\d\d \d\d:\d\d$/,
  );
  await page.getByRole("group", { name: /^Chart/ }).press("Home");
  await expect(page.getByRole("columnheader").nth(1)).toHaveText(/^AT \d\d-\d\d \d\d:\d\d:\d\d$/);
  await expect(page.getByRole("button", { name: "Download" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toHaveCount(0);
});

test("a channel that is gone, or not to be seen, is said in place, and the rest is shown", async ({ page, server }) => {
  const unit = await aUnit(server);
  const seen = (await (await clientOf(server, emailOf("viewer")))(trends.find)).channels[0];
  const own = Number(seen?.deviceChannelId);
  await injectSession(page, server, "viewer");
  await page.goto(`/compare?channel=${own}&channel=${unit.channels.AI1}&channel=99999999`);
  await expect(rows(page)).toHaveCount(1);
  for (const channelId of [unit.channels.AI1, 99999999])
    await expect(chips(page).filter({ hasText: `Channel ${channelId}` })).toContainText(
      "It is gone, or your account may not see it",
    );
  await expect(page.getByText("Not found"), "no warning besides").toHaveCount(0);
  await expect(page.getByRole("region", { name: "Channels" }), "nor is it offered").not.toContainText(unit.name);
});

test("on a phone a tap reads all channels, and the page says the values @phone", async ({ page, server }) => {
  const unit = await aUnit(server);
  await page.setViewportSize({ width: 390, height: 844 });
  await injectSession(page, server);
  await page.goto(`/compare?channel=${unit.channels.AI1}&channel=${unit.channels.AI2}&span=1h`);
  await expect(rows(page)).toHaveCount(2);
  const within = async (cell: ReturnType<Page["locator"]>) => {
    const box = await cell.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 390;
  };
  for (const cell of await rows(page).getByRole("cell").all()) expect(await within(cell)).toBe(true);
  const rightOf = async (name: string | RegExp) => {
    const box = await page.getByRole("button", { name }).boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(await rightOf("Clear date range"), "the field keeps its border").toBeLessThan(await rightOf(/^Date range/));
  const chart = page.getByRole("group", { name: /^Chart/ });
  await chart.dispatchEvent("click", { clientX: 200, clientY: 300 });
  await chart.dispatchEvent("pointerout", { pointerType: "touch" });
  await expect(page.getByRole("columnheader").nth(1), "stays when the finger is lifted").toHaveText(/^AT /);
});

test("without readings there is neither an axis nor a time in alarm", async ({ page, server }) => {
  const unit = await aUnit(server);
  await injectSession(page, server);
  const range = "startTime=2019-01-01T00:00:00.000Z&endTime=2019-01-02T00:00:00.000Z";
  await page.goto(`/compare?channel=${unit.channels.AI1}&${range}`);
  await expect(page.getByText("No readings in this range")).toBeVisible();
  await expect(drawing(page)).toHaveCount(0);
  await expect(rows(page).getByRole("cell").last()).not.toHaveText(/\d/);
});

test("an alarm that stands is counted until now, also where the range ends later", async ({ page, server }) => {
  const unit = await addUnit(server);
  const now = Date.now();
  const readings = Array.from({ length: 21 }, (_, n) => ({ ts: now - (20 - n) * minute, values: { AI1: 99 } }));
  await reportOnce(server, unit, readings);
  const { channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  const [start, end] = [now - 60 * minute, now + 12 * 60 * minute].map((at) => new Date(at).toISOString());
  await page.goto(`/compare?channel=${channels.AI1}&startTime=${start}&endTime=${end}`);
  await expect(rows(page).getByRole("cell").last()).toContainText(/^2\d min/);
});

test("gaps are hatched, a lone reading is a dot, and limits off the plot are told and included when asked", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const now = Date.now();
  const minutes = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);
  const ages = [...minutes(470, 430), 300, ...minutes(100, 1)];
  await reportOnce(
    server,
    unit,
    ages.map((age) => ({ ts: now - age * minute, values: { AI1: 50 + (age % 5) } })),
  );
  const { channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/compare?channel=${channels.AI1}&span=8h`);
  const time = "\\d\\d:\\d\\d";
  await expect(drawing(page)).toHaveAttribute(
    "aria-label",
    new RegExp(`AI1 of ${unit.name}: No data ${time} to ${time}, ${time} to ${time}\\.$`),
  );
  await expect(drawing(page).locator("[data-gap]")).toHaveCount(2);
  await expect(page.getByText("no data", { exact: true })).toBeVisible();
  await expect(drawing(page).locator("circle")).toHaveCount(1);
  const include = page.getByRole("checkbox", { name: "Include limits" });
  await expect(include, "80 bar is far from 50 to 54 bar").not.toBeChecked();
  await expect(drawing(page).getByText(/^↑ AI1, Higher Alarm 80/)).toBeVisible();
  await include.check();
  await expect(drawing(page).getByText(/^AI1, Higher Alarm 80/)).toBeVisible();
  await expect(drawing(page).getByText(/^[↑↓]/)).toHaveCount(0);
});

test("the time in alarm counts every alert of a channel that chatters", async ({ page, server }) => {
  const unit = await addUnit(server);
  const now = Date.now();
  const device = await connectUnit(server, unit);
  const readings = Array.from({ length: 440 }, (_, n) => ({
    ts: now - (440 - n) * minute,
    values: { AI1: n % 2 === 0 ? 99 : 50 },
  }));
  for (const part of [readings.slice(0, 220), readings.slice(220)]) await publish(device, part);
  await device.endAsync();
  const { channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/compare?channel=${channels.AI1}&span=8h`);
  await expect(rows(page).getByRole("cell").last(), "220 alerts of a minute each").toHaveText("3 h 40 min");
});

test("the search field of the comparison has the window that is shown, also after another one was chosen, by key", async ({
  page,
  server,
}) => {
  const unit = await aUnit(server);
  await openSignedIn(page, server);
  await page.goto(`/compare?channel=${unit.channels.AI1}`);
  await windowButton(page, "1 h").click();
  const field = page.getByRole("button", { name: /^Date range/ });
  const spanOf = async () => {
    const [start, end] =
      ((await field.getAttribute("aria-label")) ?? "").match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? [];
    return Date.parse(`${end}Z`) - Date.parse(`${start}Z`);
  };
  await expect.poll(spanOf).toBe(60 * minute);
  await windowButton(page, "8 h").press("Enter");
  await expect.poll(spanOf).toBe(8 * 60 * minute);
  await expect(windowButton(page, "8 h"), "the next key goes on from here").toBeFocused();
});

test.describe("in a browser elsewhere", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("a copied link has the window and the clock that are shown, until the reader chooses another", async ({
    page,
    server,
    openElsewhere,
  }) => {
    const unit = await aUnit(server);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.baseURL });
    await injectSession(page, server);
    await page.goto(`/compare?channel=${unit.channels.AI1}`);
    const zoneButton = (of: Page, name: string) =>
      of.getByRole("group", { name: "Time zone" }).getByRole("button", { name });
    await zoneButton(page, "Browser").click();
    await expect(page.getByText("Times in Asia/Tokyo")).toBeVisible();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(page.getByText("The link is copied")).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());

    const colleague = await openElsewhere({ timezoneId: "Europe/London" });
    await injectSession(colleague, server);
    await colleague.goto(`/compare?channel=${unit.channels.AI1}`);
    await windowButton(colleague, "1 h").click();
    await expect(colleague).toHaveURL(/span=1h/);
    await colleague.goto(link);
    await expect(colleague.getByText("Times in Asia/Tokyo"), "neither reader's zone").toBeVisible();
    const day = windowButton(colleague, "24 h");
    await expect(day, "not the window that this browser chose last").toHaveAttribute("aria-pressed", "true");
    await expect(rows(colleague)).toHaveCount(1);
    await zoneButton(colleague, "Browser").click();
    await expect(colleague.getByText("Times in Europe/London")).toBeVisible();
    await expect(colleague).not.toHaveURL(/zone=/);
    await colleague.goto("/compare?zone=Nowhere/Land");
    await expect(colleague.getByText("Times in Europe/London"), "a zone that there is not").toBeVisible();
  });
});
