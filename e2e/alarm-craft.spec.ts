import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { plans, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { profile } from "@telltale/contract/domains/people/profile";
import { errorsOf } from "./accessibility.ts";
import { addOwner, expect, freshEmail, linkOf, logIn, test } from "./mailing.ts";
import { clientOf } from "./people.ts";
import { dialogOf, formOf, windowOf } from "./screen.ts";
import { addUnit, connectUnit, publish } from "./unit.ts";

test.describe.configure({ timeout: 300_000 });

const secret = "long enough";

test("an alert from its rule to the month's report: made with a delay and tried, shelved, back again, reminded of, confirmed from the mail on a phone", async ({
  page,
  server,
  mail,
  browser,
}) => {
  const complaints = errorsOf(page);
  const email = await addOwner(server, secret);
  const owner = await clientOf(server, email, secret);
  await owner(profile.introduce, { company: "Mill", industry: "Manufacturing", firstName: "Mara", lastName: "Okafor" });
  const unit = await addUnit(server, { owner: email, name: "Mill pump" });
  const contact = freshEmail();
  const { notifyUserId } = await owner(contacts.add, {
    ...{ type: 1 as const, firstName: "Nora", lastName: "Quist", contactInfo: contact, mayConfirm: 1 as const },
  });
  const { searchParams } = new URL(linkOf(await mail.next(contact)));
  const consent = { email: contact, accessToken: searchParams.get("accessToken") ?? "" };
  await owner(contacts.answer, { ...consent, status: ContactStatus.verified });
  // The plan notifies the contact at once, and again a minute later unless somebody confirms.
  const [standard] = await owner(plans.list);
  const to = [{ kind: TargetKind.contact, id: notifyUserId }];
  await owner(plans.update, {
    planId: standard?.planId ?? 0,
    planName: "Mill",
    steps: [
      { after: 0, to },
      { after: 1, to },
    ],
    repeat: null,
    backToNormal: true,
    backToNormalBySms: false,
  });
  /** The next mail to the contact with such a subject: events of the device are mailed, too. */
  const mailOf = async (subject: RegExp) => {
    for (;;) {
      const received = await mail.next(contact, 120_000);
      if (subject.test(received.subject)) return received;
    }
  };
  const device = await connectUnit(server, unit);
  const now = Date.now();
  for (const [minutes, AI1] of [
    [50, 40],
    [40, 75],
    [39.5, 40],
    [30, 75],
    [20, 40],
  ] as const)
    await publish(device, { ts: now - minutes * 60_000, values: { AI1 } });

  await page.goto("/login");
  await logIn(page, email, secret);
  await expect(page.getByRole("heading", { level: 1, name: "DASHBOARD" })).toBeVisible();
  await page.goto("/configureAlarm?tab=custom");
  await page.getByRole("button", { name: "Add alert" }).first().click();
  const form = formOf(page, "Add alert");
  await form.getByLabel("Alert name").fill("Mill high");
  if (await form.getByLabel("Alert type").isVisible()) {
    await form.getByLabel("Alert type").click();
    await page.getByRole("option", { name: /custom/i }).click();
  }
  await form.getByLabel("Device", { exact: true }).fill("Mill pump");
  await page.getByRole("option", { name: /Mill pump/ }).click();
  await form.getByLabel("Channel", { exact: true }).click();
  await page.getByRole("option", { name: /AI1/ }).click();
  await form.getByLabel("Threshold type").click();
  await page.getByRole("option", { name: "High" }).click();
  await form.getByLabel("Value", { exact: true }).fill("70");
  await form.getByLabel("Hysteresis").fill("1");
  const trial = form.getByRole("region", { name: "Try it" });
  await expect(trial).toContainText("Last 30 days: 2 alerts, worst day 2. With 60 s delay: 1");
  await form.getByText("When exactly").click();
  await form.getByLabel("For at least").fill("2");
  await form.getByLabel("What to do").fill("Look at the inlet screens.");
  await form.getByRole("checkbox", { name: /Nora Quist/ }).check();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toBeHidden();

  await publish(device, { ts: Date.now(), values: { AI1: 76 } });
  const raised = await mailOf(/^High: AI1 76\.00/);
  expect(raised.text).toContain("Look at the inlet screens.");

  await page.goto("/");
  await expect(windowOf(page, "Mill pump")).toHaveCount(1);
  const [entry] = (await owner(alertEntries.standing, {})).data;
  await page.goto(`/alarms/detail?alarmLogId=${entry?.alarmLogId}`);
  await page.getByRole("button", { name: "Shelve", exact: true }).click();
  const shelving = dialogOf(page, "Shelve alert");
  await shelving.getByText("15 min", { exact: true }).click();
  await shelving.getByLabel("Reason").fill("Raking the inlet screens");
  await shelving.getByRole("button", { name: "Shelve for 15 min" }).click();
  await expect(page.getByRole("region", { name: "State of Mill high" })).toContainText("Shelved until");
  await page.goto("/");
  await expect(
    page
      .getByText("No alerts")
      .or(page.getByRole("heading", { name: "DASHBOARD" }))
      .first(),
  ).toBeVisible();
  await expect(windowOf(page, "Mill pump")).toHaveCount(0);
  await page.goto(`/alarms/detail?alarmLogId=${entry?.alarmLogId}`);
  await page.getByRole("button", { name: "End silence" }).click();
  await expect(page.getByRole("button", { name: "Shelve", exact: true })).toBeVisible();
  await page.goto("/");
  await expect(windowOf(page, "Mill pump"), "it returns").toHaveCount(1);

  const reminder = await mailOf(/^Not confirmed: High/);
  expect(reminder.text).toContain("Nobody has confirmed it for 1 min.");

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const hand = await phone.newPage();
  await hand.goto(linkOf(reminder));
  await expect(hand.getByRole("heading", { level: 1 })).toHaveText("Mill high");
  await hand.getByRole("button", { name: "Confirm as Nora Quist" }).click();
  await expect(hand.getByRole("main")).toContainText("Confirmed");
  await phone.close();

  await page.goto(`/alarms/detail?alarmLogId=${entry?.alarmLogId}`);
  const happened = page.getByRole("list", { name: "What happened" });
  for (const text of ["Raised", "Raking the inlet screens", "Silence ended by Mara Okafor", "Escalated", "Nora Quist"])
    await expect(happened).toContainText(text);
  await page.goto(`/alarms/report?month=${new Date().toISOString().slice(0, 7)}`);
  await expect(page.getByRole("main")).toContainText("Mill high");
  await device.endAsync();
  expect(complaints).toEqual([]);
});
