import { storage } from "@telltale/contract/domains/readings/storage";
import { check, errorsOf } from "./accessibility.ts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { idsOf } from "./unit.ts";

const pump = "7C9EBD4A6D02";

test("an owner sees what a device uses and keeps its readings for less time, asked first; an admin only sees", async ({
  page,
  openElsewhere,
  server,
}) => {
  const complaints = errorsOf(page);
  const { deviceId } = await idsOf(await clientOf(server), pump);
  const address = `/devicesDetail?deviceId=${deviceId}`;
  await injectSession(page, server);
  await page.goto(address);
  await page.getByRole("button", { name: "Storage" }).click();
  const dialog = page.getByRole("dialog", { name: "Storage" });
  await expect(dialog).toContainText(/Used.*GB of \d+ GB/);
  await expect(dialog).toContainText("For ever");
  await check(page, "storage of a device");

  const months = dialog.getByRole("textbox", { name: "For how many months" });
  await months.fill("1300");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toContainText("Enter a number of months from 1 to 1200");
  await months.fill("24");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const question = page.getByRole("dialog", { name: "Keep readings for less time" });
  await expect(question).toContainText("to be kept for 24 months only?");
  await check(page, "the question before readings are kept for less time");
  await question.getByRole("button", { name: "Keep for less time" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Storage" }).click();
  await expect(dialog).toContainText("24 months, set for this device");
  await dialog.getByRole("radio", { name: "All devices of the plant" }).check();
  await expect(months).toHaveValue("");
  await dialog.getByRole("radio", { name: "This device" }).check();
  // Longer again: nothing is lost by it, so nothing is asked.
  await months.fill("");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Storage" }).click();
  await expect(dialog).toContainText("For ever");
  expect(complaints).toEqual([]);

  const admins = await openElsewhere();
  await injectSession(admins, server, "admin");
  await admins.goto(address);
  await admins.getByRole("button", { name: "Storage" }).click();
  const seen = admins.getByRole("dialog", { name: "Storage" });
  await expect(seen).toContainText("For ever");
  await expect(seen.getByRole("textbox")).toHaveCount(0);
  await expect(seen.getByRole("button", { name: "Confirm" })).toHaveCount(0);
});

test.describe("in a browser elsewhere", () => {
  test.use({ timezoneId: "Asia/Tokyo" });
  test("the days of a device's storage are those of the zone that the page has chosen", async ({ page, server }) => {
    const { deviceId } = await idsOf(await clientOf(server), pump);
    await page.route(addressesOf(storage.ofDevice), async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      answer.result.readingsFrom = "2026-03-01T20:00:00Z";
      await route.fulfill({ response, json: answer });
    });
    await injectSession(page, server);
    await page.goto(`/devicesDetail?deviceId=${deviceId}`);
    for (const [choice, day] of [
      ["Device", "2026-03-01"],
      ["Browser", "2026-03-02"],
    ] as const) {
      await page.getByRole("group", { name: "Time zone" }).getByRole("button", { name: choice }).click();
      await page.getByRole("button", { name: "Storage" }).click();
      const dialog = page.getByRole("dialog", { name: "Storage" });
      await expect(dialog).toContainText(`Summaries before${day}`);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
    }
  });
});
