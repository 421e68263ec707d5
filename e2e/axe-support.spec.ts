import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";

test.describe.configure({ timeout: 180_000 });

test("support is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/support");
  const question = page.getByRole("button", { name: /An alarm does not come/ });
  await expect(question).toBeVisible();
  await checkWithTouch(page, "questions");
  await question.click();
  await expect(page.getByRole("dialog")).toContainText("Is the limit set?");
  await checkWithTouch(page, "an answer");
  await page.goto("/support?tab=documentation");
  await expect(page.getByRole("link", { name: /Operating manual/ })).toBeVisible();
  await checkWithTouch(page, "manuals and tutorials");
  for (const tutorial of ["connect-a-device", "roles", "alerts-and-contacts"]) {
    await page.goto(`/support?tab=documentation&tutorial=${tutorial}`);
    await expect(page.getByRole("img").first()).toBeVisible();
    await checkWithTouch(page, `the tutorial ${tutorial}`);
  }
  for (const tab of ["contact", "downloads"]) {
    await page.goto(`/support?tab=${tab}`);
    await expect(page.getByRole("tabpanel")).toContainText("The operator of this server");
    await checkWithTouch(page, tab);
  }
  expect(complaints).toEqual([]);
});
