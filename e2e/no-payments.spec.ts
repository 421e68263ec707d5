import { orders, paymentsNotSetUp, sms } from "@telltale/contract/domains/billing";
import { expect, test } from "./harness.ts";
import { clientOf, injectSessionAs } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { addUnit, idsOf } from "./unit.ts";

test.use({ demo: false });

const owner = "buyer@example.com";
const secret = "as long as it lasts";

test("a server without payments says so in place of its purchase buttons, and sells nothing", async ({
  page,
  server,
}) => {
  await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
  const unit = await addUnit(server, { owner });
  const client = await clientOf(server, owner, secret);
  const { deviceId } = await idsOf(client, unit.deviceSnId);
  await injectSessionAs(page, server, owner, secret);

  await page.goto(`/devicesDetail?deviceId=${deviceId}`);
  await page.getByRole("button", { name: "PAY", exact: true }).click();
  const dialog = dialogOf(page, "Purchase network services");
  await expect(dialog).toContainText(paymentsNotSetUp);
  await expect(dialog.getByRole("button", { name: "Continue to payment" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await page.goto("/sms");
  await expect(page.getByText(paymentsNotSetUp)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);

  const choice = { deviceId, packageId: 1, storageSpace: 1, year: 1 };
  await expect(client(orders.create, choice)).rejects.toThrow(paymentsNotSetUp);
  await expect(client(sms.create, { packageId: 1 })).rejects.toThrow(paymentsNotSetUp);
});
