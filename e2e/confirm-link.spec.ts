import type { Page } from "@playwright/test";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { outbox } from "@telltale/contract/domains/support";
import { check, errorsOf } from "./accessibility.ts";
import { addRule, response } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

/** The first link of the latest mail to this address; a demonstration keeps its mails. */
const linkTo = async (server: RunningServer, recipient: string, subject: RegExp): Promise<string> => {
  const owner = await clientOf(server);
  let link: string | undefined;
  await expect(async () => {
    const { data } = await owner(outbox.list, { size: 200 });
    link = data.find((message) => message.recipient === recipient && subject.test(message.subject))?.links[0];
    expect(link).toBeDefined();
  }).toPass();
  return link ?? "";
};

/** A rule that mails a verified contact; the link of the mail about its alert. */
const anAlertMailed = async (server: RunningServer) => {
  const owner = await clientOf(server);
  const contactInfo = freshEmail();
  const person = { type: 1 as const, firstName: "Sora", lastName: "Imai", contactInfo };
  const { notifyUserId } = await owner(contacts.add, person);
  const { searchParams } = new URL(await linkTo(server, contactInfo, /^May /));
  const consent = { email: contactInfo, accessToken: searchParams.get("accessToken") ?? "" };
  await owner(contacts.answer, { ...consent, status: ContactStatus.verified });
  const { unit } = await addRule(server, { notifyUserIds: [notifyUserId] });
  await reportOnce(server, unit, { AI1: 64 });
  await reportOnce(server, unit, { AI1: 75 });
  const link = await linkTo(server, contactInfo, /^High/);
  const { data } = await owner(alertEntries.standing, { deviceName: unit.name });
  return { owner, unit, contactInfo, link, alarmLogId: data[0]?.alarmLogId ?? 0 };
};

const button = (page: Page) => page.getByRole("button", { name: "Confirm as Sora Imai" });

test("an alert is confirmed from the message on a phone, without signing in, by a contact that may; opening it confirms nothing", async ({
  page,
  server,
  openElsewhere,
}) => {
  const complaints = errorsOf(page);
  const { owner, unit, contactInfo, link, alarmLogId } = await anAlertMailed(server);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(link);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toHaveText("Well high");
  await expect(page, "the secret is no part of the address any more").toHaveURL(/\/c$/);
  await expect(page.getByRole("status")).toHaveText("Opened from the mail to Sora Imai. Nothing is confirmed yet.");
  for (const text of ["Triggered", unit.name, "75.00 bar", "70.00 bar", response.slice(0, 20)])
    await expect(main).toContainText(text);
  await expect(main.getByRole("img", { name: "Well high, one hour each side of the alert" })).toBeVisible();
  await expect(page.getByRole("navigation"), "no menu").toHaveCount(0);
  await expect(button(page), "a contact may not confirm by default").toHaveCount(0);
  await expect(page.getByText("Confirming is left to others")).toBeVisible();

  const editor = await openElsewhere();
  await injectSession(editor, server);
  await editor.goto("/configureAlarmNotifyUser");
  await editor.getByRole("button", { name: `Edit ${contactInfo}` }).click();
  const dialog = dialogOf(editor, "Edit contact");
  await expect(dialog.getByLabel("First name")).toHaveValue("Sora");
  await dialog.getByLabel("May confirm").click();
  await check(editor, "edit contact", "[role=dialog]");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowsOf(editor, "Contacts", contactInfo)).toContainText("Yes");

  await page.reload();
  await expect(button(page)).toBeVisible();
  const box = await button(page).boundingBox();
  expect(box?.height).toBe(60);
  expect((box?.y ?? 0) + 60, "at the lower edge, whatever the length").toBeLessThanOrEqual(844);
  await check(page, "the page of a message's link");
  const info = () => owner(alertEntries.info, { alarmLogId });
  expect((await info()).status, "opened twice, and by scanners").toBe(AlertStatus.triggered);

  await page.getByLabel("Note, optional").fill("Pump 2 runs");
  await button(page).click();
  await expect(page.getByRole("status")).toContainText(/Confirmed by Sora Imai at \d\d:\d\d/);
  await expect(button(page)).toHaveCount(0);
  expect(await info()).toMatchObject({ status: AlertStatus.confirmed, acceptName: "Sora Imai" });
  await editor.goto(`/alarms/detail?alarmLogId=${alarmLogId}`);
  const happened = editor.getByRole("list", { name: "What happened" });
  await expect(happened).toContainText("Confirmed by Sora Imai");
  await expect(happened).toContainText("Pump 2 runs");
  await reportOnce(server, unit, { AI1: 20 });
  await page.reload();
  await expect(page.getByRole("status")).toContainText("Cleared at");
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(complaints).toEqual([]);
});

test("a link that is not valid says so, on a plain page", async ({ page }) => {
  await page.goto("/c");
  await expect(page.getByRole("alert")).toContainText("The link is incomplete");
  await page.goto("/c/AAAAAAAAAAAAAAAA1");
  await expect(page.getByRole("alert")).toHaveText("This link is not valid. Open the complete link from the message");
  await check(page, "a link that is not valid");
});
