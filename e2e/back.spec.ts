import type { Page } from "@playwright/test";
import { drawn } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { dialogOf, openFilter, rowsOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

const title = (page: Page) => page.getByRole("heading", { level: 1 });

test.describe("Back", () => {
  test("closes a dialog, and then leads to the page before, which is as it was left", { tag: "@phone" }, async ({
    page,
    server,
  }) => {
    const unit = await addUnit(server);
    await injectSession(page, server);
    await page.goto(`/devices?deviceName=${encodeURIComponent(unit.name)}`);
    await expect(title(page)).toHaveText("DEVICES");
    await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
    const dialog = dialogOf(page, "Device settings");
    for (let times = 0; times < 2; times += 1) {
      await page.getByRole("button", { name: `Edit ${unit.name}` }).click();
      await expect(dialog.getByLabel("Device name")).toBeFocused();
      await page.goBack();
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
    }
    await page.getByRole("button", { name: `Edit ${unit.name}` }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
    await page.goBack();
    await expect(title(page), "one step, whatever was opened and how it was closed").toHaveText("DEVICES");
    await expect(page).toHaveURL(/\/devices\?deviceName=/);
  });

  test("asks before typed text is discarded", { tag: "@phone" }, async ({ page, server }) => {
    const unit = await addUnit(server);
    await injectSession(page, server);
    await page.goto(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
    await page.getByRole("button", { name: `Edit ${unit.name}` }).click();
    const dialog = dialogOf(page, "Device settings");
    await expect(dialog.getByLabel("Device name")).toBeFocused();
    await dialog.getByLabel("Device name").fill("Half a na");
    await page.goBack();
    await expect(dialog.getByText("Discard your input?")).toBeVisible();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await expect(dialog.getByLabel("Device name")).toHaveValue("Half a na");
    await page.goBack();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/configureDevices?deviceSnId=${unit.deviceSnId}`);
  });

  test("closes the palette, and from a page that it opened returns to where it was opened", async ({
    page,
    server,
  }) => {
    await openSignedIn(page, server);
    await expect(page.getByRole("banner").getByRole("button", { name: "Find" })).toBeVisible();
    const field = page.getByRole("combobox", { name: "Find" });
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused();
    await page.goBack();
    await expect(field).toHaveCount(0);
    await expect(title(page)).toHaveText("DASHBOARD");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("users");
    await page.getByRole("option", { name: "USERS" }).first().click();
    await expect(title(page)).toHaveText("USERS");
    await page.goBack();
    await expect(title(page)).toHaveText("DASHBOARD");
    await expect(field).toHaveCount(0);
  });

  test("closes a filter, and keeps those in force on the way back", { tag: "@phone" }, async ({ page, server }) => {
    const unit = await addUnit(server);
    await openSignedIn(page, server);
    await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "DEVICES", exact: true })
      .click();
    const filter = await openFilter(page, "DEVICE NAME");
    await page.goBack();
    await expect(filter).toBeHidden();
    await expect(title(page)).toHaveText("DEVICES");
    const again = await openFilter(page, "DEVICE NAME");
    await again.getByRole("textbox").fill(unit.name);
    await again.getByRole("button", { name: "Apply" }).click();
    await rowsOf(page, "Devices", unit.name).getByRole("link").first().click();
    await expect(page).toHaveURL(/\/devicesDetail/);
    await page.goBack();
    await expect(rowsOf(page, "Devices", unit.name)).toBeVisible();
    await expect(page.getByRole("region", { name: "Filters" })).toContainText(unit.name);
    await page.goBack();
    await expect(title(page)).toHaveText("DASHBOARD");
  });

  test("closes the menu of a device's title and the calendar of its chart", { tag: "@phone" }, async ({
    page,
    server,
    isMobile,
  }) => {
    const unit = await addUnit(server);
    await reportOnce(server, unit, { AI1: 20 });
    const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
    await injectSession(page, server);
    await page.goto("/devices");
    await expect(title(page)).toHaveText("DEVICES");
    await page.goto(`/devicesDetail?deviceId=${deviceId}`);
    await expect(title(page)).toContainText(unit.name);
    const address = page.url();
    if (isMobile) {
      await page.getByRole("button", { name: "Download and Configure" }).click();
      const entry = page.getByRole("menuitem", { name: "Configure" });
      await expect(entry).toBeVisible();
      await page.goBack();
      await expect(entry).toHaveCount(0);
      await expect(page).toHaveURL(address);
    }
    const preset = page.getByRole("button", { name: "Last 7 days" });
    for (let times = 0; times < 2; times += 1) {
      await page.getByRole("button", { name: /^Date range/ }).click();
      await expect(preset).toBeVisible();
      await page.goBack();
      await expect(preset).toHaveCount(0);
      await expect(page).toHaveURL(address);
    }
    await page.goBack();
    await expect(title(page), "one step, whatever was opened").toHaveText("DEVICES");
  });

  test("does not return to a form that is done with, to the wall or to the past", async ({ page, server }) => {
    await openSignedIn(page, server);
    await page.getByRole("link", { name: "Watchlist" }).click();
    await page.getByRole("link", { name: /Add/ }).first().click();
    await expect(page).toHaveURL("/personalAdd");
    await page.getByRole("link", { name: "Cancel" }).click();
    await expect(page).toHaveURL("/personal");
    await page.goBack();
    await expect(title(page)).toHaveText("DASHBOARD");

    await page.getByRole("link", { name: "Rewind" }).click();
    await expect(page).toHaveURL(/\?at=\d/);
    await page.getByRole("link", { name: "Live" }).first().click();
    await expect(page).toHaveURL("/");
    await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "ALERT", exact: true }).click();
    await expect(title(page)).toHaveText("ALERT");
    await page.goBack();
    await expect(page).toHaveURL("/");
  });

  test("returns to the row of a long list that was in view, although rows have different heights", async ({
    page,
    server,
  }) => {
    await openSignedIn(page, server);
    // Up to yesterday: other tests write into the log meanwhile.
    const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
    await page.goto(`/audit?time=${day(700)}~${day(1)}`);
    const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
    const inView = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("tr")?.textContent);
    await expect(rows.nth(5)).toBeVisible();
    // Page after page, as a wheel does it.
    const wheel = async () => {
      await page.mouse.wheel(0, 300);
      await drawn(page);
      return page.evaluate(() => scrollY);
    };
    await expect.poll(wheel).toBeGreaterThan(1200);
    await expect.poll(inView).toBeTruthy();
    const [left, place] = [await inView(), await page.evaluate(() => scrollY)];
    await page
      .getByRole("navigation", { name: "Main menu" })
      .getByRole("link", { name: "DEVICES", exact: true })
      .first()
      .click();
    await expect(title(page)).toHaveText("DEVICES");
    await page.goBack();
    await expect.poll(inView).toBe(left);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  });
});
