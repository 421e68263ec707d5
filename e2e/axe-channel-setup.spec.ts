import { Key } from "@telltale/contract/channel-types/keys";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { openSetup, saveAll, state, typed } from "./setup-form.ts";
import { addUnit } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

test("setting up channels is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const validationErrors = errorsOf(page);
  const unit = await addUnit(server, { model: "MIX" });
  await injectSession(page, server);
  await openSetup(page, server, unit);
  await checkWithTouch(page, "channels to set up");
  await typed(page, "AI1", Key.span).fill("");
  await typed(page, "AI2", Key.reportInterval).fill("2.5");
  await saveAll(page).click();
  await expect(state(page, "to put right")).toBeVisible();
  await checkWithTouch(page, "channels with complaints");
  await typed(page, "AI1", Key.span).fill("120");
  await typed(page, "AI2", Key.reportInterval).fill("90");
  await saveAll(page).click();
  await expect(dialogOf(page, "Save all")).toBeVisible();
  await checkWithTouch(page, "what a save would change", "[role=dialog]");
  await dialogOf(page, "Save all").getByRole("button", { name: "Save", exact: true }).click();
  await expect(state(page, "Pending since")).toBeVisible();
  await checkWithTouch(page, "settings that are pending");
  await page.getByRole("tab", { name: "DO" }).click();
  await checkWithTouch(page, "outputs to set up", "main");
  await page.getByRole("button", { name: "Name and switch of DO1" }).click();
  await expect(dialogOf(page, "Channel DO1").getByLabel("Name")).toBeVisible();
  await checkWithTouch(page, "name and switch of a channel", "[role=dialog]");
  expect(validationErrors).toEqual([]);
});
