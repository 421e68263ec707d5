import { addRule } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { dialogOf, formOf, rowsOf } from "./screen.ts";

test("a form is left by Back to the list as it was filtered, after a question when something would be lost", async ({
  page,
  server,
}) => {
  const { unit } = await addRule(server);
  await injectSession(page, server);
  const filtered = `/configureAlarm?tab=custom&deviceSnId=${unit.deviceSnId}`;
  await page.goto(filtered);
  const edit = rowsOf(page, "Custom alerts", unit.name).getByRole("button", { name: "Edit Well high" });
  await edit.click();
  const form = formOf(page, "Edit alert");
  await expect(form.getByLabel("Alert name")).toHaveValue("Well high");
  await page.goBack();
  await expect(page, "nothing was changed").toHaveURL(filtered);
  await edit.click();
  await form.getByRole("radio", { name: "Nuisance" }).check();
  await form.getByRole("radio", { name: "Longer" }).check();
  await page.goBack();
  const question = dialogOf(page, "Discard your input?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(form.getByRole("radio", { name: "Longer" })).toBeChecked();
  await page.goBack();
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL(filtered);
  await edit.click();
  await form.getByLabel("What to do").fill("Call Lucas");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page, "Cancel says what it does").toHaveURL(filtered);
  await expect(form).toHaveCount(0);
});

test("on a phone the form's buttons end above the tabs", async ({ page, server }) => {
  await injectSession(page, server);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/configureAlarm?tab=custom&add=1");
  const save = formOf(page, "Add alert").getByRole("button", { name: "Save" });
  await save.scrollIntoViewIfNeeded();
  const isAbove = async (): Promise<boolean> => {
    await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
    const [button, tabs] = [
      await save.boundingBox(),
      await page.getByRole("navigation", { name: "Main menu" }).boundingBox(),
    ];
    return button !== null && tabs !== null && button.y + button.height <= tabs.y;
  };
  await expect.poll(isAbove).toBe(true);
});
