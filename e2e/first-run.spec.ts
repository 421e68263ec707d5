import { check } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { openSignedInAs } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { addUnit, reportOnce } from "./unit.ts";

test.use({ demo: false, own: "first run" });

const owner = "keeper@example.com";
const secret = "as long as it lasts";

test("an empty plant shows the steps to its first tile, each ticked when it is done, and none when all are", async ({
  page,
  server,
}) => {
  await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
  await openSignedInAs(page, server, owner, secret);
  const steps = page.getByRole("region", { name: /has no devices yet|to the first alert/ });
  const step = (title: string) => steps.getByRole("listitem").filter({ hasText: title });
  await expect(steps).toContainText("has no devices yet");
  await expect(step("Add a device")).toHaveAttribute("aria-current", "step");
  await check(page, "first run");
  await step("Add a device").getByRole("button", { name: "Add the first device" }).click();
  await expect(dialogOf(page, "Add device").getByLabel("Device ID")).toBeVisible();
  await page.keyboard.press("Escape");

  const unit = await addUnit(server, { owner });
  await expect(step("Add a device").getByLabel("Done")).toBeVisible();
  await expect(step("Let it speak")).toHaveAttribute("aria-current", "step");
  await expect(step("Set a limit").getByRole("link", { name: "Set a limit" })).toBeVisible();
  await reportOnce(server, unit, { AI1: 20 });
  await expect(steps).toHaveCount(0);
});
