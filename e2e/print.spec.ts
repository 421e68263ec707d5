import { alerts } from "@telltale/contract/domains/alerts";
import { readChartPixels } from "./chart-pixels.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { everyMinute, openTrend, unitWith } from "./trend-screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.use({ own: "print" });

/** What the browser does before it prints; Playwright's own print media lack the event. */
const beforePrint = "dispatchEvent(new Event('beforeprint'))";
const afterPrint = "dispatchEvent(new Event('afterprint'))";

test("the alert log prints black on white, with all rows that are loaded and without what is pressed", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const since = Date.now() - 600_000;
  const upAndDown = Array.from({ length: 120 }, (_, n) => ({ ts: since + n, values: { AI1: n % 2 === 0 ? 99 : 1 } }));
  await reportOnce(server, unit, upAndDown);
  const { total } = await (await clientOf(server))(alerts.log, { deviceName: unit.name });
  expect(total).toBeGreaterThanOrEqual(60);
  await page.emulateMedia({ colorScheme: "dark" });
  await injectSession(page, server);
  await page.goto("/alarms?view=all");
  const rows = page.getByRole("table", { name: "Alerts" }).locator("tbody > tr");
  await expect(rows.first()).toBeVisible();
  const end = page.getByText("No more data available");
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(end).toBeVisible({ timeout: 500 });
  }).toPass();
  const onScreen = await rows.count();
  expect(onScreen, "a long list shows the rows that are in sight").toBeLessThan(total);

  await page.evaluate(beforePrint);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(total);
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Main menu" })).toBeHidden();
  await expect(page.getByRole("columnheader", { name: /TRIGGERED/ })).toBeVisible();
  await expect(page.locator("main").getByRole("button", { name: "Refresh" })).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)");

  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await page.evaluate(afterPrint);
  await expect.poll(() => rows.count()).toBeLessThan(total);
});

test("a log of which only a part is loaded says on paper where it ends", async ({ page, server }) => {
  const unit = await addUnit(server);
  const since = Date.now() - 600_000;
  const upAndDown = Array.from({ length: 120 }, (_, n) => ({ ts: since + n, values: { AI1: n % 2 === 0 ? 99 : 1 } }));
  await reportOnce(server, unit, upAndDown);
  await injectSession(page, server);
  await page.goto("/alarms?view=all");
  const list = page.getByRole("table", { name: "Alerts" }).locator("xpath=..");
  await expect(list.getByText("Loading")).toBeVisible();
  const end = list.getByText(/^\d+ of \d+ alerts$/);
  await expect(end).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(end).toBeVisible();
  await expect(list.getByText("Loading")).toBeHidden();
});

test("compared channels print as plot and table, without the list to choose from", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(50));
  const { channels } = await idsOf(await clientOf(server), unit.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/compare?channel=${channels.AI1}&span=1h`);
  const [plot, table] = [page.getByRole("group", { name: /^Chart/ }), page.getByRole("table", { name: "Statistics" })];
  await expect(plot.getByRole("img")).toBeVisible();
  await page.evaluate(beforePrint);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("region", { name: "Channels" })).toBeHidden();
  const [above, below] = [await plot.getByRole("img").boundingBox(), await table.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0), "nothing covers the plot").toBeLessThanOrEqual((below?.y ?? 0) + 1);
});

test("a trend prints in the colours of paper, also from the dark theme", async ({ page, server }) => {
  const unit = await unitWith(server, everyMinute(50));
  await page.emulateMedia({ colorScheme: "dark" });
  await openTrend(page, server, unit, "&span=1h");
  const line = async () => (await readChartPixels(page)).line;
  await expect.poll(line).toBeDefined();
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect.poll(line, "in the line's colour on paper").toBeDefined();
  for (const name of ["Compare", "Configure"])
    await expect(page.getByRole("link", { name, exact: true }), `${name} is for pressing`).toBeHidden();
  const stamp = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
  const inView = page.getByText(new RegExp(`^${stamp} ~ ${stamp}$`)).filter({ visible: true });
  await expect(inView, "without the field to change it").toHaveCount(1);
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  await expect.poll(line).toBeDefined();
});
