import { contacts } from "@telltale/contract/domains/people/contacts";
import { outbox } from "@telltale/contract/domains/support";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

test.describe.configure({ timeout: 180_000 });

test("contacts and their consent pages are accessible, fit the screen and log no errors", async ({ page, server }) => {
  const validationErrors = errorsOf(page);
  const owner = await clientOf(server);
  const person = { firstName: "Maximiliane", lastName: "Featherstonehaugh" };
  const email = freshEmail("a-long-subdomain.riverside-works.example");
  await owner(contacts.add, { ...person, type: 1, contactInfo: email });
  const phone = `4915${Math.trunc(Date.now() % 1e9)}`;
  await owner(contacts.add, { ...person, type: 2, contactInfo: phone });
  await injectSession(page, server);
  await page.goto("/configureAlarmNotifyUser");
  await expect(rowsOf(page, "Contacts", email)).toBeVisible();
  await checkWithTouch(page, "contacts");
  await page.getByRole("button", { name: "Add contact" }).click();
  await dialogOf(page, "Add contact").getByRole("button", { name: "Confirm" }).click();
  await expect(dialogOf(page, "Add contact")).toContainText("First name cannot be blank");
  await checkWithTouch(page, "add contact with complaints", "[role=dialog]");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Enter the code of ${phone}` }).click();
  await expect(dialogOf(page, "Verify phone").getByLabel("Code")).toBeVisible();
  await checkWithTouch(page, "code of a phone", "[role=dialog]");

  const { data } = await owner(outbox.list, { size: 200 });
  const [link = "", stop = ""] = data.find(({ recipient }) => recipient === email)?.links ?? [];
  await page.goto(stop);
  await expect(page.getByRole("button", { name: "I do not want alerts" })).toBeVisible();
  await checkWithTouch(page, "stop alerts");
  await page.goto(link);
  await expect(page.getByRole("button", { name: "Yes, send me alerts" })).toBeVisible();
  await checkWithTouch(page, "a contact's question");
  await page.getByRole("button", { name: "Yes, send me alerts" }).click();
  await expect(page.getByRole("status")).toBeVisible();
  await checkWithTouch(page, "a contact's answer");
  expect(validationErrors).toEqual([]);
});
