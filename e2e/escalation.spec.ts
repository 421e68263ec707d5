import type { Page } from "@playwright/test";
import { alarms } from "@telltale/contract/domains/alarms";
import { plans, rosters, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { users } from "@telltale/contract/domains/people/users";
import { check, errorsOf } from "./accessibility.ts";
import { refuseCall, restoreCall } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSupportView } from "./people.ts";
import { dialogOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { freshName } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });
test.use({ own: "escalation" });

const open = async (page: Page): Promise<void> => {
  await page.goto("/configureEscalation");
  await expect(page.getByRole("heading", { level: 1, name: "CONFIGURATION-ESCALATION" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Plans" })).toBeVisible();
};

const planButton = (page: Page, name: string) =>
  page.getByRole("list", { name: "Plans" }).getByRole("button", { name });

const addTo = async (page: Page, step: number, name: string): Promise<void> => {
  await page.getByRole("button", { name: `Add to step ${step}` }).click();
  await page.getByRole("combobox", { name: `Add to step ${step}` }).fill(name);
  await page.getByRole("option", { name }).first().click();
  await expect(page.getByRole("list", { name: `Notified by step ${step}` })).toContainText(name);
};

const choose = async (page: Page, dialog: string, label: string, option: string): Promise<void> => {
  await dialogOf(page, dialog).getByRole("combobox", { name: label }).fill(option);
  await page.getByRole("option", { name: option }).first().click();
};

/** Name and account id of a demonstration user. */
const personOf = async (server: RunningServer, person: "owner" | "installer" | "manager") => {
  const owner = await clientOf(server);
  const row = (await owner(users.list, { size: 100 })).data.find(({ userEmail }) => userEmail === emailOf(person));
  const people = await owner(plans.people);
  const id = Number(row?.accountId);
  const named = people.find((each) => each.kind === TargetKind.account && each.id === id);
  return { accountId: id, name: String(named?.name) };
};

test("an owner makes a roster and a plan, sees the gap and who would be notified, and swaps a shift", async ({
  page,
  server,
}) => {
  const faults = errorsOf(page);
  const [roster, plan] = [freshName("Duty"), freshName("Pumps")];
  const [owner, manager] = [await personOf(server, "owner"), await personOf(server, "manager")];
  await injectSession(page, server);
  await open(page);
  await check(page, "escalation without a roster");

  await page.getByRole("button", { name: "Add the first roster" }).click();
  const dialog = dialogOf(page, "Add roster");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Name of the roster cannot be blank");
  await expect(dialog).toContainText("Choose who is on call");
  await check(page, "add roster with complaints", "[role=dialog]");
  await dialog.getByLabel("Name of the roster").fill(roster);
  for (const day of ["Sat", "Sun"]) await dialog.getByRole("checkbox", { name: day }).check();
  await dialog.getByLabel("From").fill("00:00");
  await dialog.getByLabel("To").fill("23:59");
  await choose(page, "Add roster", "On call", owner.name);
  await choose(page, "Add roster", "Time zone", "Asia/Tokyo");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: roster })).toBeVisible();
  await expect(page.getByText("7 min without anybody")).toBeVisible();
  await expect(page.getByText("the next step is notified at once")).toBeVisible();

  await page.getByRole("button", { name: "Add plan" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Name of the plan cannot be blank")).toBeVisible();
  await expect(page.getByText("Choose whom this step notifies")).toBeVisible();
  await page.getByLabel("Name of the plan").fill(plan);
  await addTo(page, 1, roster);
  await page.getByRole("button", { name: "Add step" }).click();
  await addTo(page, 2, manager.name);
  await page.getByLabel("Minutes of step 2").fill("25");
  await page.getByRole("checkbox", { name: "Repeat" }).check();
  await expect(page.getByText("step 2, until somebody confirms")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(planButton(page, plan)).toContainText("no rules");
  const told = page.getByRole("list", { name: "Who would be notified" });
  await expect(told).toContainText(manager.name);
  const saved = (await (await clientOf(server))(plans.list)).find(({ planName }) => planName === plan);
  expect(saved?.steps.map(({ after, to }) => [after, to[0]?.name])).toEqual([
    [0, roster],
    [25, manager.name],
  ]);
  expect(saved?.repeat).toEqual({ every: 15, times: 3 });

  await page.getByRole("button", { name: "Fill a gap" }).click();
  const swap = dialogOf(page, "Swap a shift");
  await swap.getByRole("button", { name: "Swap" }).click();
  await expect(swap).toContainText("Choose who takes the shift");
  await check(page, "swap a shift with a complaint", "[role=dialog]");
  await choose(page, "Swap a shift", "Who takes it", manager.name);
  await swap.getByRole("button", { name: "Swap" }).click();
  await expect(page.getByRole("list", { name: "Swaps" })).toContainText(`${manager.name}`);
  await expect(page.getByText("6 min without anybody")).toBeVisible();
  await check(page, "escalation with a plan and a roster");

  await page.getByRole("button", { name: /^Take back the swap/ }).click();
  await dialogOf(page, "Take back swap").getByRole("button", { name: "Take back" }).click();
  await expect(page.getByText("7 min without anybody")).toBeVisible();
  await page.getByRole("button", { name: `Delete ${roster}` }).click();
  await dialogOf(page, "Delete roster").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText(`The plan '${plan}' notifies this roster. Take it out of the plan first`)).toBeVisible();
  await planButton(page, plan).click();
  await page.getByRole("button", { name: "Delete plan" }).click();
  await dialogOf(page, "Delete plan").getByRole("button", { name: "Delete" }).click();
  await expect(planButton(page, plan)).toHaveCount(0);
  expect(faults).toEqual([]);
});

test("what another user has saved meanwhile is shown beside one's own edits, and unsaved edits are not lost unasked", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const to = [{ kind: TargetKind.managers, id: 0 }];
  const fields = { steps: [{ after: 0, to }], repeat: null, backToNormal: true, backToNormalBySms: false };
  const planName = freshName("Cold store");
  const { planId } = await owner(plans.add, { ...fields, planName });
  await injectSession(page, server);
  await open(page);
  await planButton(page, planName).click();
  await page.getByLabel("Minutes of step 1").fill("5");
  await page.getByRole("list", { name: "Plans" }).getByRole("button", { name: "Default" }).click();
  await dialogOf(page, "Discard your input?").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Minutes of step 1")).toHaveValue("5");
  await page.getByRole("button", { name: "Add plan" }).click();
  await dialogOf(page, "Discard your input?").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Minutes of step 1")).toHaveValue("5");
  await owner(plans.update, { ...fields, planId, planName: `${planName} 2` });
  await page.getByRole("button", { name: "Save" }).click();
  const review = dialogOf(page, "Changed in the meantime");
  await expect(review).toContainText(`${planName} 2`);
  await review.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Modify successful").first()).toBeVisible();
  await expect(planButton(page, `${planName} 2`)).toBeVisible();
  const saved = (await owner(plans.list)).find((each) => each.planId === planId);
  expect([saved?.planName, saved?.steps[0]?.after]).toEqual([`${planName} 2`, 5]);
  await page.getByRole("button", { name: "Make default" }).click();
  await expect(planButton(page, `${planName} 2`)).toContainText("Default");
});

test("an installer swaps only their own shifts and changes nothing else; a support view only reads", async ({
  page,
  server,
  openElsewhere,
}) => {
  const owner = await clientOf(server);
  const [own, other] = [await personOf(server, "installer"), await personOf(server, "manager")];
  const days = [1, 2, 3, 4, 5, 6, 7];
  const shifts = [
    { days, from: 0, to: 720, accountId: own.accountId },
    { days, from: 720, to: 1440, accountId: other.accountId },
  ];
  const { rosterId } = await owner(rosters.add, { rosterName: freshName("A standby"), timeZoneId: "UTC", shifts });
  await injectSession(page, server, "installer");
  await open(page);
  await expect(page.getByRole("button", { name: "Add plan" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add roster" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add to step 1" })).toHaveCount(0);
  await page.getByRole("button", { name: "Swap a shift" }).click();
  const dialog = dialogOf(page, "Swap a shift");
  await dialog.getByRole("combobox", { name: "Shift" }).click();
  const offered = await page.getByRole("option").allTextContents();
  expect(offered.length).toBeGreaterThan(5);
  expect(offered.filter((text) => !text.includes(own.name))).toEqual([]);
  await page.getByRole("option").nth(3).click();
  const at = await dialog.getByLabel("To").inputValue();
  await dialog.getByLabel("To").fill(at.replace("T12", "T13"));
  await choose(page, "Swap a shift", "Who takes it", other.name);
  await dialog.getByRole("button", { name: "Swap" }).click();
  await expect(dialog).toContainText("You can swap only shifts of your own");
  await dialog.getByLabel("To").fill(at);
  await dialog.getByRole("button", { name: "Swap" }).click();
  await expect(page.getByRole("list", { name: "Swaps" })).toContainText(`takes the shift of ${own.name}`);
  const [roster] = (await owner(rosters.list)).filter((each) => each.rosterId === rosterId);
  expect(roster?.swaps.map(({ accountId }) => accountId)).toEqual([other.accountId]);

  const support = await openElsewhere();
  await openSupportView(support, server);
  await open(support);
  await expect(support.getByRole("list", { name: "Swaps" })).toBeVisible();
  const main = support.getByRole("main");
  for (const name of ["Add plan", "Add roster", "Swap a shift", /^Take back/, /^Edit/, /^Delete/])
    await expect(main.getByRole("button", { name })).toHaveCount(0);
  await owner(rosters.remove, { rosterId });
});

test("an alert names its plan in its form, and the plan counts its rules", async ({ page, server }) => {
  const owner = await clientOf(server);
  const to = [{ kind: TargetKind.managers, id: 0 }];
  const fields = { steps: [{ after: 0, to }], repeat: null, backToNormal: true, backToNormalBySms: false };
  const planName = freshName("Pumps");
  const { planId } = await owner(plans.add, { ...fields, planName });
  const { data } = await owner(alarms.list, { size: 1 });
  const alarmId = Number(data[0]?.alarmId);
  await injectSession(page, server);
  await page.goto(`/configureAlarm?tab=custom&alarmId=${alarmId}`);
  const form = page.locator("form").filter({ has: page.getByLabel("Alert name") });
  await form.getByRole("combobox", { name: "Escalation" }).click();
  await page.getByRole("option", { name: planName }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Modify successful").first()).toBeVisible();
  expect(await owner(alarms.info, { alarmId })).toMatchObject({ planId, planName });
  await open(page);
  await expect(planButton(page, planName)).toContainText("1 rule");
});

test("a failure to load says so and is tried again", async ({ page, server }) => {
  await injectSession(page, server);
  await refuseCall(page, plans.list, 500, "Something went wrong");
  await page.goto("/configureEscalation");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Something went wrong");
  await restoreCall(page, plans.list);
  await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("list", { name: "Plans" })).toBeVisible();
});
