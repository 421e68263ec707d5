import { expect, test } from "@playwright/test";
import { startServer } from "./server-process.ts";

test("a server without users prints a single-use link that creates the first owner", async ({ page }) => {
  const server = await startServer({ demo: false, isFirstStart: true });
  try {
    const linkOf = () => /\S+\/firstOwner\?secret=\S+(?=\n)/.exec(server.output())?.[0];
    // The server listens before it prints its greeting.
    await expect.poll(linkOf).toBeDefined();
    const link = linkOf() ?? "";
    await page.goto(link);
    await page.getByLabel("Email").fill("first@example.test");
    await page.getByLabel("Plant name").fill("North mill");
    await page.getByLabel("Password", { exact: true }).fill("long enough");
    await page.getByLabel("Confirm password").fill("not the same");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Passwords do not match")).toBeVisible();
    await page.getByLabel("Confirm password").fill("long enough");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page, "a user without a name is asked for it").toHaveURL(`${server.baseURL}/personalInformation`);
    await page.getByLabel("Company").fill("North mill");
    await page.getByRole("combobox", { name: "Industry" }).fill("food");
    await page.getByRole("option", { name: "Food&Beverage" }).click();
    await page.getByLabel("First name").fill("Mary");
    await page.getByLabel("Last name").fill("Okafor");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Skip, go to website" }).click();
    await expect(page.getByRole("banner")).toContainText("Owner · North mill");
    await expect(page.getByRole("heading", { name: "DASHBOARD" })).toBeVisible();

    await page.goto(link);
    await page.getByLabel("Email").fill("second@example.test");
    await page.getByLabel("Plant name").fill("South mill");
    await page.getByLabel("Password", { exact: true }).fill("long enough");
    await page.getByLabel("Confirm password").fill("long enough");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("alert")).toContainText("This link has been used or is too old");
  } finally {
    await server.stop();
  }
});
