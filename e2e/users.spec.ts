import type { Locator, Page } from "@playwright/test";
import { users } from "@telltale/contract/domains/people/users";
import { outbox } from "@telltale/contract/domains/support";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, emailOf, injectSession, openSignedIn, openSignedInAs, openSupportView } from "./people.ts";
import { dialogOf, filterTags, listEnd, openFilter, rowsOf, tileOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";

// One of them uses two browsers.
test.describe.configure({ timeout: 180_000 });

const password = "long enough";

const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 768;

/** Opens a page of the main menu: beside the page, on a phone behind MENU. */
const openByMenu = async (page: Page, label: string): Promise<void> => {
  if (isPhone(page)) await page.getByRole("button", { name: "MENU" }).click();
  const menu = isPhone(page) ? dialogOf(page, "Menu") : page.getByRole("navigation", { name: "Main menu" });
  await menu.getByRole("link", { name: label, exact: true }).click();
};

const userRow = (page: Page, email: string): Locator => rowsOf(page, "Users", email);

const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });

/** The link in the latest mail to this address; a demonstration keeps its mails. */
const invitationOf = async (server: RunningServer, email: string): Promise<string> => {
  const owner = await clientOf(server);
  let link: string | undefined;
  await expect(async () => {
    const { data } = await owner(outbox.list, { size: 50 });
    link = data.find(({ recipient }) => recipient === email)?.links[0];
    expect(link).toBeTruthy();
  }).toPass();
  return link ?? "";
};

const chooseIn = async (page: Page, field: string, option: string): Promise<void> => {
  await page.getByRole("combobox", { name: field }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

/** Fills in step 1 of 'Add user'. */
const fillDetails = async (page: Page, email: string, type: string): Promise<Locator> => {
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = dialogOf(page, "Add user");
  await dialog.getByLabel("First name").fill("Jordan");
  await dialog.getByLabel("Last name").fill("Lee");
  await dialog.getByLabel("Email").fill(email);
  await chooseIn(page, "Type", type);
  return dialog;
};

test("a user is added in two steps, accepts the invitation elsewhere, and each change applies to the view at once", {
  tag: "@phone",
}, async ({ page, server, openElsewhere }) => {
  await openSignedIn(page, server);
  await openByMenu(page, "Users");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("CONFIGURATION-USER");
  const email = freshEmail();
  const dialog = await fillDetails(page, email, "Viewer");
  await dialog.getByRole("button", { name: "Next" }).click();
  await chooseIn(page, "Dashboard", "Gate house");
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const row = userRow(page, email);
  await expect(row).toContainText("Inactive");
  await expect(row).toContainText("Jordan Lee");
  await row.getByRole("button", { name: `Invite ${email} again` }).click();
  await expect(notice(page, "Invitation sent")).toBeVisible();

  const invited = await openElsewhere();
  await invited.goto(await invitationOf(server, email));
  await expect(invited.getByRole("main")).toContainText("as a Viewer");
  await invited.getByLabel("Password", { exact: true }).fill(password);
  await invited.getByLabel("Confirm password").fill(password);
  await invited.getByRole("checkbox").check();
  await invited.getByRole("button", { name: "Register" }).click();
  await expect(invited).toHaveURL(/\/login$/);
  await openSignedInAs(invited, server, email, password);
  await expect(tileOf(invited, "Wet well level", "Pump house 2")).toBeVisible();

  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(row).toContainText("Active");
  await expect(row.getByRole("button", { name: `Invite ${email} again` })).toHaveCount(0);

  await row.getByRole("button", { name: `Edit ${email}` }).click();
  const edit = dialogOf(page, "Edit user");
  await expect(edit.getByRole("combobox", { name: "Dashboard" })).toHaveValue("Gate house");
  await edit.getByRole("button", { name: "Back" }).click();
  await expect(edit.getByLabel("First name")).not.toBeEditable();
  await chooseIn(page, "Type", "Installer");
  await edit.getByRole("button", { name: "Next" }).click();
  await expect(edit.getByRole("combobox", { name: "Dashboard" })).toHaveCount(0);
  await edit.getByRole("button", { name: "Confirm To update" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(row).toContainText("Installer");
  await expect(invited, "the open page follows the role").toHaveURL(/\/alarms$/);
  await expect(invited.getByRole("banner")).toContainText("Installer");

  await row.getByRole("button", { name: `Delete ${email}` }).click();
  const question = dialogOf(page, "Delete user");
  await expect(question).toContainText("Are you sure that you want to delete this User?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
  await invited.reload();
  await expect(invited, "is signed out").toHaveURL(/\/(login|index)$/);
});

test("step 1 reports missing and invalid fields, accepts digits only, and refuses an address that was already added", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.goto("/configureUsers");
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = dialogOf(page, "Add user");
  await expect(dialog.getByLabel("First name")).toBeFocused();
  await dialog.getByRole("button", { name: "Next" }).click();
  for (const message of [
    "First name cannot be blank",
    "Last name cannot be blank",
    "Email address cannot be blank",
    "Please select a User Type",
  ])
    await expect(dialog.getByText(message, { exact: true })).toBeVisible();
  await dialog.getByLabel("Email").fill("jordan.lee@riverside");
  await dialog.getByLabel("Email").press("Enter");
  await expect(dialog.getByText("Enter the correct email address")).toBeVisible();
  await dialog.getByLabel("Phone").pressSequentially("1555a0143377");
  await expect(notice(page, "Enter the number")).toBeVisible();
  await expect(dialog.getByLabel("Phone")).toHaveValue("15550143377");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toHaveCount(0);

  await fillDetails(page, emailOf("manager"), "Admin");
  await dialog.getByRole("button", { name: "Next" }).click();
  await expect(dialog.getByRole("combobox", { name: "Dashboard" }), "a Viewer's only").toHaveCount(0);
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(dialog.getByText("This user has been added already")).toBeVisible();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await expect(dialog.getByLabel("First name"), "what was typed is still there").toHaveValue("Jordan");
});

test("the list can be filtered by each field, and its address keeps the filters", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.goto("/configureUsers");
  await expect(listEnd(page)).toBeVisible();
  const text = async (head: string, value: string) => {
    const popover = await openFilter(page, head);
    await popover.getByRole("textbox").fill(value);
    await page.keyboard.press("Enter");
  };
  await text("ACCOUNT", "viewer@");
  await expect(filterTags(page)).toContainText("viewer@");
  await expect(page).toHaveURL(/account=viewer/);
  await expect(userRow(page, emailOf("viewer"))).toBeVisible();
  await expect(userRow(page, emailOf("admin"))).toHaveCount(0);
  await page.reload();
  await expect(filterTags(page)).toContainText("viewer@");
  await page.getByRole("button", { name: "Clear all" }).first().click();
  const types = await openFilter(page, "TYPE");
  for (const type of ["Installer", "Viewer"]) await types.getByRole("checkbox", { name: type }).check();
  await types.getByRole("button", { name: "Apply" }).click();
  await expect(userRow(page, emailOf("installer"))).toBeVisible();
  await expect(userRow(page, emailOf("owner"))).toHaveCount(0);
  await page.goto("/configureUsers?phone=2025550142");
  await expect(userRow(page, emailOf("admin"))).toBeVisible();
  await expect(userRow(page, emailOf("viewer"))).toHaveCount(0);
  await page.goto("/configureUsers?created=2001-01-01~2001-01-02");
  await expect(page.getByText("No users match these filters")).toBeVisible();
});

test("neither the owner nor the own user can be deleted, and the legend expands", async ({ page, server }) => {
  await injectSession(page, server, "admin");
  await page.goto("/configureUsers");
  await expect(userRow(page, emailOf("viewer")).getByRole("button")).toHaveCount(2);
  await expect(userRow(page, emailOf("owner")).getByRole("button"), "an owner's only by an owner").toHaveCount(0);
  await expect(userRow(page, emailOf("admin")).getByRole("button")).toHaveCount(1);
  await userRow(page, emailOf("admin")).getByRole("button", { name: /^Edit/ }).click();
  await dialogOf(page, "Edit user").getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("combobox", { name: "Type" })).toBeDisabled();
  await page.keyboard.press("Escape");
  const legend = page.getByRole("button", { name: "Status legend" });
  const isShown = (await legend.getAttribute("aria-expanded")) === "true";
  await legend.click();
  await expect(page.getByText("has not answered the invitation")).toHaveCount(isShown ? 0 : 1);
});

test("a support view can read users and audit log but not change them", async ({ page, server }) => {
  await openSupportView(page, server);
  await page.goto("/configureUsers");
  await expect(userRow(page, emailOf("viewer"))).toBeVisible();
  await expect(page.getByRole("button", { name: "Add user" })).toHaveCount(0);
  await expect(page.getByRole("columnheader", { name: "OPERATION" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(0);
  await page.goto("/audit");
  const opened = rowsOf(page, "Audit log", "Support view opened").first();
  await expect(opened).toContainText("Support");
  await expect(opened).toContainText(`looking as ${emailOf("owner")}`);
});

test("USERS shows each user's last login, and the audit log who changed what", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await openByMenu(page, "USERS");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("USERS");
  await expect(userRow(page, emailOf("owner"))).toContainText("Owner");
  await page.goto("/users?login=2001-01-01~2001-01-02");
  await expect(page.getByText("No users match these filters")).toBeVisible();
  await page.goto("/users?name=elena");
  await expect(userRow(page, "Elena Petrova")).toBeVisible();

  const owner = await clientOf(server);
  const { data } = await owner(users.list, { userEmail: emailOf("manager") });
  const accountId = data[0]?.accountId ?? 0;
  await owner(users.edit, { accountId, type: 4 });
  await owner(users.edit, { accountId, type: 3 });
  await openByMenu(page, "Audit log");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("AUDIT LOG");
  const row = rowsOf(page, "Audit log", "Installer → Device manager").first();
  await expect(row).toContainText("User changed");
  await expect(row).toContainText(emailOf("manager"));
  await page.goto("/audit?action=user+changed&who=nobody@");
  await expect(page.getByText("No entries match these filters")).toBeVisible();
});
