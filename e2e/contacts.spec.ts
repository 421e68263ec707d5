import { randomInt } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { type OutboxRow, outbox } from "@telltale/contract/domains/support";
import { refuseCall, tryAgain, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, emailOf, injectSession, openSupportView } from "./people.ts";
import { dialogOf, filterTags, listEnd, openFilter, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const contactsPage = "/configureAlarmNotifyUser";
const freshPhone = (): string => `4915${String(randomInt(1e9)).padStart(9, "0")}`;
const contactRow = (page: Page, contactInfo: string): Locator => rowsOf(page, "Contacts", contactInfo);
const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });

/** The latest message to this address; a demonstration keeps its mails and SMS. */
const messageTo = async (server: RunningServer, recipient: string, text: string | RegExp): Promise<OutboxRow> => {
  const owner = await clientOf(server);
  let found: OutboxRow | undefined;
  await expect(async () => {
    const { data } = await owner(outbox.list, { size: 200 });
    found = data.find((message) => message.recipient === recipient && new RegExp(text).test(message.text));
    expect(found).toBeDefined();
  }).toPass();
  return found as OutboxRow;
};

/** Opens 'Add contact' and enters the name. */
const beginAdding = async (page: Page, type?: "Phone"): Promise<Locator> => {
  await page.getByRole("button", { name: "Add contact" }).click();
  const dialog = dialogOf(page, "Add contact");
  await dialog.getByLabel("First name").fill("Nora");
  await dialog.getByLabel("Last name").fill("Quist");
  if (type) {
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: type, exact: true }).click();
  }
  return dialog;
};

const refresh = (page: Page): Promise<void> => page.getByRole("button", { name: "Refresh" }).click();

test("a mail contact agrees by a button behind its link, receives an alert, and opts out from there", async ({
  page,
  server,
  openElsewhere,
}) => {
  await injectSession(page, server);
  await page.goto(contactsPage);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("CONFIGURATION-CONTACTS");
  const email = freshEmail();
  const dialog = await beginAdding(page);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(contactRow(page, email)).toContainText("Pending");

  const elsewhere = await openElsewhere();
  const asking = await messageTo(server, email, "wants to send you alerts of “Riverside Works”");
  await elsewhere.goto(asking.links[0] ?? "");
  await expect(elsewhere.getByRole("main")).toContainText(`May alerts be sent to Nora Quist, ${email}?`);
  expect(elsewhere.url()).not.toContain("accessToken");
  await refresh(page);
  await expect(contactRow(page, email), "opening the link answers nothing").toContainText("Pending");
  await elsewhere.getByRole("button", { name: "Yes, send me alerts" }).click();
  await expect(elsewhere.getByRole("status")).toContainText("You will receive the alerts of Riverside Works");
  await elsewhere.goto(asking.links[0] ?? "");
  await expect(elsewhere.getByRole("alert")).toContainText("used or is too old");
  await expect(contactRow(page, email), "without a refresh").toContainText("Verified");

  const owner = await clientOf(server);
  const unit = await addUnit(server);
  const { deviceId, channels } = await idsOf(owner, unit.deviceSnId);
  const contact = (await owner(contacts.choices)).find(({ contactInfo }) => contactInfo === email);
  const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, deviceId, deviceChannelId: channels.AI1 };
  const limit = { type: 1 as const, alarmValue: 70, alarmHysteresis: 1 };
  await owner(alarms.add, { ...rule, ...limit, notifyUserIds: [contact?.notifyUserId ?? 0] } as never);
  await reportOnce(server, unit, { AI1: 71.5 });
  const alert = await messageTo(server, email, "Alert: Boiler hot");
  expect(alert.subject).toContain(`71.50 bar - ${unit.name}`);
  expect(alert.text).toContain("Threshold: 70.00 bar");
  await page.goto(alert.links[0] ?? "");
  await expect(page.getByRole("heading", { level: 1 }), "its page").toHaveText("Boiler hot");
  await expect(page.getByRole("main")).toContainText("71.50 bar");

  await elsewhere.goto(alert.links[1] ?? "");
  await elsewhere.getByRole("button", { name: "Stop these alerts" }).click();
  await expect(elsewhere.getByRole("status")).toContainText("You will not receive the alerts of Riverside Works");
  await elsewhere.goto(alert.links[1] ?? "");
  await expect(elsewhere.getByRole("status"), "opened again").toContainText(
    "You will not receive the alerts of Riverside Works",
  );
  await page.goto(contactsPage);
  await expect(contactRow(page, email)).toContainText("Refused");
  await contactRow(page, email)
    .getByRole("button", { name: `Delete ${email}` })
    .click();
  const question = dialogOf(page, "Delete contact");
  await expect(question).toContainText("Are you sure that you want to delete this Contact?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(notice(page, "Delete successful")).toBeVisible();
  await expect(contactRow(page, email)).toHaveCount(0);
  const again = await beginAdding(page);
  await again.getByLabel("Email").fill(email);
  await again.getByRole("button", { name: "Confirm" }).click();
  await expect(again.getByRole("alert")).toContainText("has refused the alerts of this plant");
});

test("a phone contact is verified by the code of its SMS", async ({ page, server }) => {
  await injectSession(page, server, "installer");
  await page.goto(contactsPage);
  const dialog = await beginAdding(page, "Phone");
  const phone = freshPhone();
  await dialog.getByLabel("Phone").fill(`+${phone.slice(0, 4)} ${phone.slice(4)}`);
  await expect(warning(page, "Enter the number")).toBeVisible();
  await expect(dialog.getByLabel("Phone")).toHaveValue(phone);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  const verify = dialogOf(page, "Verify phone");
  await expect(verify).toContainText(phone);
  await verify.getByRole("button", { name: "Confirm" }).click();
  await expect(verify).toContainText("Enter the 6 digits of the code");
  const first = /\d{6}/.exec((await messageTo(server, phone, "is the code")).text)?.[0] ?? "";
  await verify.getByLabel("Code").fill(first === "000000" ? "000001" : "000000");
  await verify.getByRole("button", { name: "Confirm" }).click();
  await expect(verify.getByRole("alert")).toContainText("The code is not right");
  await page.keyboard.press("Escape");
  await expect(contactRow(page, phone)).toContainText("Pending");
  await contactRow(page, phone)
    .getByRole("button", { name: `Enter the code of ${phone}` })
    .click();
  await verify.getByRole("button", { name: "Resend" }).click();
  await expect(notice(page, "A new code has been sent")).toBeVisible();
  await verify.getByLabel("Code").fill(/\d{6}/.exec((await messageTo(server, phone, "is the code")).text)?.[0] ?? "");
  await verify.getByRole("button", { name: "Confirm" }).click();
  await expect(verify).toHaveCount(0);
  await expect(contactRow(page, phone)).toContainText("Verified");
});

test("the form reports missing fields, and the server an existing contact", async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto(contactsPage);
  await page.getByRole("button", { name: "Add contact" }).click();
  const dialog = dialogOf(page, "Add contact");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  for (const sentence of ["First name cannot be blank", "Last name cannot be blank", "Enter the correct email address"])
    await expect(dialog).toContainText(sentence);
  await expect(dialog.getByLabel("First name")).toBeFocused();
  await page.keyboard.press("Escape");

  const email = freshEmail();
  const person = { type: 1 as const, firstName: "Nora", lastName: "Quist" };
  await (await clientOf(server))(contacts.add, { ...person, contactInfo: email });
  const again = await beginAdding(page);
  await again.getByLabel("Email").fill(email);
  await again.getByRole("button", { name: "Confirm" }).click();
  await expect(again.getByRole("alert")).toContainText("This contact has been added already");
  await again.getByRole("combobox", { name: "Type" }).click();
  await page.getByRole("option", { name: "Phone", exact: true }).click();
  await expect(again.getByLabel("Phone")).toHaveValue("");
  await again.getByRole("button", { name: "Confirm" }).click();
  await expect(again).toContainText("Enter the correct phone number");
});

test("the list is filtered by status and type, explains its states, and shows empty and error states", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const [email, phone] = [freshEmail(), freshPhone()];
  const person = { firstName: "Nora", lastName: "Quist" };
  await owner(contacts.add, { ...person, type: 1, contactInfo: email });
  await owner(contacts.add, { ...person, type: 2, contactInfo: phone });
  await injectSession(page, server);
  await page.goto(contactsPage);
  await expect(contactRow(page, email)).toBeVisible();
  await expect(listEnd(page)).toBeVisible();
  const filter = await openFilter(page, "TYPE");
  await filter.getByRole("checkbox", { name: "Phone" }).check();
  await filter.getByRole("button", { name: "Apply" }).click();
  await expect(contactRow(page, email)).toHaveCount(0);
  await expect(contactRow(page, phone)).toContainText("Phone");
  await page.reload();
  await expect(filterTags(page)).toContainText("Phone");
  await page.goto(`${contactsPage}?status=-1&type=2`);
  await expect(page.getByRole("status").filter({ hasText: "No contacts match these filters" })).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Clear all" }).first().click();
  await expect(contactRow(page, email)).toBeVisible();
  const legend = page.getByRole("main");
  if ((await page.getByRole("heading", { name: "Status legend" }).count()) === 0)
    await page.getByRole("button", { name: "Status legend" }).click();
  for (const meaning of ["has been asked and has not answered", "receives alerts", "does not want alerts"])
    await expect(legend).toContainText(meaning);

  await refuseCall(page, contacts.list, 500, "Server is busy");
  await page.reload();
  const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "Server is busy" });
  await expect(failure).toBeVisible();
  await tryAgain(page, contacts.list, failure);
  await expect(contactRow(page, email)).toBeVisible();
});

test("a contact refuses by the link in the first mail, and the audit log records who did what", async ({
  page,
  server,
  openElsewhere,
}) => {
  const email = freshEmail();
  const contact = { type: 1 as const, firstName: "Nora", lastName: "Quist", contactInfo: email };
  await (await clientOf(server))(contacts.add, contact);
  const { links } = await messageTo(server, email, "wants to send you alerts");
  const elsewhere = await openElsewhere();
  await elsewhere.goto(links[1] ?? "");
  await expect(elsewhere.getByRole("main")).toContainText(
    `This plant asks whether alerts may be sent to Nora Quist, ${email}.`,
  );
  await elsewhere.getByRole("button", { name: "I do not want alerts" }).click();
  await expect(elsewhere.getByRole("status")).toContainText("This plant can't ask you again for 90 days");
  await injectSession(page, server);
  await page.goto(contactsPage);
  await expect(contactRow(page, email)).toContainText("Refused");
  await page.goto("/audit");
  const entry = (action: string) => rowsOf(page, "Audit log", email).filter({ hasText: action });
  await expect(entry("Contact refused")).toContainText(/The contact itself.*Pending.*Refused/);
  await expect(entry("Contact added")).toContainText(emailOf("owner"));
});

test("when two users do the same at once, the second gets a message and sees the current state", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const person = { firstName: "Nora", lastName: "Quist" };
  const [email, phone] = [freshEmail(), freshPhone()];
  const mailed = await owner(contacts.add, { ...person, type: 1, contactInfo: email });
  const called = await owner(contacts.add, { ...person, type: 2, contactInfo: phone });
  await injectSession(page, server, "admin");
  await page.goto(contactsPage);
  const verify = contactRow(page, phone).getByRole("button", { name: `Enter the code of ${phone}` });
  await verify.click();
  const dialog = dialogOf(page, "Verify phone");
  const code = /\d{6}/.exec((await messageTo(server, phone, "is the code")).text)?.[0] ?? "";
  await owner(contacts.verify, { ...called, code });
  await dialog.getByLabel("Code").fill(code);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This contact is verified already");
  await page.keyboard.press("Escape");
  await expect(contactRow(page, phone)).toContainText("Verified");
  await expect(verify).toHaveCount(0);

  await contactRow(page, email)
    .getByRole("button", { name: `Delete ${email}` })
    .click();
  await owner(contacts.remove, mailed);
  await dialogOf(page, "Delete contact").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("alert").filter({ hasText: Message.notFound })).toBeVisible();
  await expect(dialogOf(page, "Delete contact"), "there is nothing left to delete").toHaveCount(0);
  await expect(contactRow(page, email)).toHaveCount(0);
});

test("a support view can read contacts but not change them", async ({ page, server }) => {
  const email = freshEmail();
  const contact = { type: 1 as const, firstName: "Nora", lastName: "Quist", contactInfo: email };
  await (await clientOf(server))(contacts.add, contact);
  await openSupportView(page, server);
  await page.goto(contactsPage);
  await expect(contactRow(page, email)).toBeVisible();
  await expect(page.getByRole("button", { name: /Add contact|Delete|Ask .* again/ })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "OPERATION" })).toHaveCount(0);
});
