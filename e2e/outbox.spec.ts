import { expect, test } from "./harness.ts";
import { freeDeviceId, freshEmail, register } from "./mailing.ts";

test("a demonstration shows its mails on the Outbox page, with links that work", async ({ page, server }) => {
  await page.goto("/login");
  await page.getByRole("link", { name: "Outbox" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Outbox");
  const email = freshEmail();
  const other = await page.context().newPage();
  await register(other, { email, deviceSnId: await freeDeviceId(server), password: "long enough" });
  await expect(other.getByRole("link", { name: "Open Outbox" })).toHaveAttribute("href", "/outbox");
  const message = page.getByRole("article").filter({ hasText: email });
  await expect(message, "comes by itself").toContainText("Confirm your email address");
  await message.getByRole("link").click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("status")).toContainText("is confirmed");
});
