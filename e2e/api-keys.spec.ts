import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import { check, errorsOf } from "./accessibility.ts";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

test.use({ own: "api-keys" });

test("a member makes an API key, a program calls with it, and once revoked it is refused", async ({ page, server }) => {
  const complaints = errorsOf(page);
  await injectSession(page, server);
  await page.goto("/apiKeys");
  await expect(page.getByText("There are no API keys")).toBeVisible();
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = dialogOf(page, "New API key");
  await dialog.getByRole("button", { name: "Make key" }).click();
  await expect(dialog).toContainText("Key name cannot be blank");
  await dialog.getByLabel("Name").fill("Monthly report");
  await check(page, "new API key", "[role=dialog]");
  await dialog.getByRole("button", { name: "Make key" }).click();
  const shown = dialogOf(page, "New API key").locator("code").first();
  await expect(shown).toHaveText(/^telltale_[\w-]{43}$/);
  const apiKey = await shown.textContent();
  await dialogOf(page, "New API key").getByRole("button", { name: "Close" }).last().click();
  const row = rowsOf(page, "API keys", "Monthly report");
  await expect(row).toContainText("Owner, read-only");
  await expect(row).toContainText("Not used yet");
  await check(page, "API keys");

  const call = async (path: string): Promise<{ code: number }> => {
    const headers = { authorization: `Bearer ${apiKey}` };
    return (await fetch(`${server.baseURL}${path}`, { headers })).json() as Promise<{ code: number }>;
  };
  expect(await call("/api/device/list")).toMatchObject({ code: 0 });
  await page.reload();
  await expect(row).toContainText("127.0.0.1");
  await page.getByRole("button", { name: "Revoke Monthly report" }).click();
  await dialogOf(page, "Revoke API key").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Key revoked")).toBeVisible();
  await expect(page.getByText("There are no API keys")).toBeVisible();
  expect(await call("/api/device/list")).toMatchObject({ code: 401 });
  expect(complaints).toEqual([]);
});

test("the late answer to a question that was given up answers no other one", async ({ page, server }) => {
  const owner = await clientOf(server);
  for (const keyName of ["Reports", "Historian"])
    await owner(apiKeys.add, { keyName, roleType: Role.viewer, readOnly: 1, days: 30 });
  await injectSession(page, server);
  await page.goto("/apiKeys");
  const answer = Promise.withResolvers<void>();
  await page.route(addressesOf(apiKeys.revoke), async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  const question = dialogOf(page, "Revoke API key");
  await page.getByRole("button", { name: "Revoke Reports" }).click();
  await question.getByRole("button", { name: "Revoke" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Revoke Historian" }).click();
  await expect(question).toContainText("Historian");
  await expect(question.getByRole("button", { name: "Revoke" })).toBeEnabled();
  answer.resolve();
  await expect(page.getByRole("button", { name: "Revoke Reports" })).toHaveCount(0);
  await expect(question).toContainText("Historian");
  await question.getByRole("button", { name: "Revoke" }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByText("There are no API keys")).toBeVisible();
});
