import { topics } from "@telltale/contract/device-api";
import { expect, test } from "./harness.ts";
import { emailOf, injectSession, openSignedIn, password } from "./people.ts";
import { alertOf, deviceRow, dialogOf, tileOf, windowOf } from "./screen.ts";
import { addUnit, connectUnit, freshName, reportOnce } from "./unit.ts";

test.use({ reducedMotion: "no-preference" });

test("a visitor signs in to the demonstration and sees the plant live", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveURL("/index");
  await page.getByRole("link", { name: "Log IN" }).first().click();
  await expect(page).toHaveTitle(/^Log IN/);
  await page.getByLabel("Email").fill(emailOf("owner"));
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Log IN" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "DASHBOARD" })).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("Live");
  const pressure = tileOf(page, "Discharge pressure", "Pump house 2");
  await expect(pressure).toContainText(/\d+\.\d\d\s*bar/, { timeout: 30_000 });
  const before = (await pressure.textContent()) ?? "";
  await expect(pressure, "a value changes by itself").not.toHaveText(before, { timeout: 30_000 });
});

test("what a device publishes over MQTT appears on tile, banner, alert log and device detail, without a reload", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  const unit = await addUnit(server, { name: freshName("My first device") });
  const tile = tileOf(page, "AI1", unit.name);
  await expect(tile, "a claimed device appears on the open dashboard").toBeVisible();
  await expect(tile).toContainText("N/A");

  const device = await connectUnit(server, unit);
  await device.publishAsync(topics.telemetry, '{"AI1": 99}', { qos: 1 });
  await device.endAsync();

  await expect(tile).toContainText(/ALERT.*99\.00\s*bar/);
  await expect(windowOf(page, unit.name)).toContainText("High 99.00 bar");
  await expect(page).toHaveTitle(/^\(\d+\) DASHBOARD/);
  await expect(await deviceRow(page, unit.deviceSnId)).toContainText("Alert");

  await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "ALERT", exact: true }).click();
  const entry = alertOf(page, unit.name);
  await expect(entry).toHaveCount(1);
  for (const text of ["Triggered", "Threshold", "High", "AI1", "99.00 bar", "CLICK TO CONFRIM"])
    await expect(entry).toContainText(text);

  await entry.getByRole("link", { name: /^\*\*\*/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(unit.name);
  await expect(page.getByRole("main")).toContainText(/99\.00\s*bar/);
});

test("an alert is confirmed from the banner, after a confirmation", async ({ page, server }) => {
  await openSignedIn(page, server);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  const alert = windowOf(page, unit.name);
  await alert.getByRole("button", { name: "Confirm alert: AI1" }).click();
  const dialog = dialogOf(page, "Confirm alert");
  await expect(dialog).toContainText("Are you sure you want to confirm this alert?");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(alert).toBeVisible();

  await alert.getByRole("button", { name: "Confirm alert: AI1" }).click();
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(alert).toBeHidden();
  await page.goto("/alarms");
  const entry = alertOf(page, unit.name);
  await expect(entry).toContainText("Confirmed");
  await expect(entry, "says who").toContainText("Mara Okafor");
});

test("an alert is confirmed from the log by CLICK TO CONFRIM, and cleared by the device", async ({ page, server }) => {
  await injectSession(page, server);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await page.goto("/alarms");
  const entry = alertOf(page, unit.name);
  await entry.getByRole("button", { name: "CLICK TO CONFRIM" }).click();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(entry.getByRole("button")).toHaveCount(0);
  await expect(entry).toContainText("Confirmed");
  await reportOnce(server, unit, { AI1: 1 });
  await expect(entry, "the log follows by itself").toContainText("Cleared");
  await expect(entry).toHaveCount(1);
});

test("CONFIRM ALL ALERTS asks its two-line question and leaves nothing to confirm", async ({ page, server }) => {
  await openSignedIn(page, server);
  const units = [await addUnit(server), await addUnit(server)];
  for (const unit of units) await reportOnce(server, unit, { AI1: 99 });
  for (const unit of units) await expect(windowOf(page, unit.name)).toBeVisible();
  await page.getByRole("button", { name: "CONFIRM ALL ALERTS" }).click();
  const dialog = dialogOf(page, "CONFIRM ALL ALERTS");
  await expect(dialog).toContainText("Are you sure you want to confirm all alerts?");
  await expect(dialog).toContainText("This will confirm all pending alerts.");
  for (const unit of units) await expect(dialog.getByRole("listitem").filter({ hasText: unit.name })).toBeVisible();
  await dialog.getByRole("button", { name: /^Confirm \d+ alerts$/ }).click();
  await expect(dialog).toBeHidden();
  for (const unit of units) await expect(windowOf(page, unit.name)).toBeHidden();
  await page.goto("/alarms");
  for (const unit of units) await expect(alertOf(page, unit.name)).toContainText("Confirmed");
});
