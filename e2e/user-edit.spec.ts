import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { users } from "@telltale/contract/domains/people/users";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, emailOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";

const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });

/** Opens the dialog that edits the user of a row. */
const openEdit = async (page: Page, row: Locator): Promise<Locator> => {
  await row.getByRole("button", { name: /^Edit / }).click();
  return dialogOf(page, "Edit user");
};

test("when two users edit, the second sees the conflict, and continues with the chosen values", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  const owner = await clientOf(server);
  const { accountId } = await owner(users.add, {
    firstName: "Nia",
    lastName: "Acheampong",
    email: freshEmail(),
    type: 5,
    cellNumber: "",
  });
  await page.goto("/configureUsers?status=0");
  const edit = await openEdit(page, rowsOf(page, "Users", "Nia Acheampong"));
  await page.getByRole("combobox", { name: "Dashboard" }).click();
  await page.getByRole("option", { name: "Gate house", exact: true }).click();
  const { data } = await owner(users.list, { name: "Nia Acheampong" });
  await owner(users.edit, { accountId, version: data[0]?.version, type: 4 });
  const confirm = edit.getByRole("button", { name: "Confirm To update" });
  await confirm.click();
  await expect(notice(page, Message.changedMeanwhile)).toBeVisible();
  await expect(edit.getByRole("combobox", { name: "Dashboard" })).toHaveValue("Gate house");
  expect((await owner(users.list, { name: "Nia Acheampong" })).data[0]).toMatchObject({ roleType: 4 });
  const review = dialogOf(page, "Changed in the meantime");
  await review.getByRole("radio", { name: "Keep theirs: Installer" }).check();
  await review.getByRole("radio", { name: "Save yours: Viewer, Gate house" }).check();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  const saved = (await owner(users.list, { name: "Nia Acheampong" })).data[0];
  expect(saved?.roleType).toBe(5);
  expect(saved?.dashboardId).not.toBeNull();
});

test("the owner is assigned alerts, and keeps the type", async ({ page, server }) => {
  await injectSession(page, server);
  const owner = await clientOf(server);
  const ownRow = async () => (await owner(users.list, { userEmail: emailOf("owner") })).data[0];
  const before = await ownRow();
  await page.goto("/configureUsers");
  const row = rowsOf(page, "Users", emailOf("owner"));
  await expect(row.getByRole("button"), "no Delete").toHaveCount(1);
  const edit = await openEdit(page, row);
  await edit.getByRole("button", { name: "Back" }).click();
  await expect(edit.getByRole("combobox", { name: "Type" })).toBeDisabled();
  await expect(edit.getByLabel("First name")).not.toBeEditable();
  await edit.getByRole("button", { name: "Next" }).click();
  await edit.getByRole("checkbox", { checked: false }).first().check();
  await edit.getByRole("button", { name: "Confirm To update" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  const after = await ownRow();
  await owner(users.edit, { accountId: before?.accountId ?? 0, alarmIds: before?.alarmIds ?? [] });
  expect([after?.alarmNum, after?.roleName]).toEqual([(before?.alarmNum ?? 0) + 1, "Owner"]);
});

test("name and number of a user who has not joined yet are put right", async ({ page, server }) => {
  await injectSession(page, server);
  const owner = await clientOf(server);
  const email = freshEmail();
  await owner(users.add, { firstName: "Jordon", lastName: "Lee", email, type: 5, cellNumber: "15550143377" });
  await page.goto("/configureUsers?status=0");
  const row = rowsOf(page, "Users", email);
  const edit = await openEdit(page, row);
  await edit.getByRole("button", { name: "Back" }).click();
  await edit.getByLabel("First name").fill("");
  await edit.getByRole("button", { name: "Next" }).click();
  await expect(edit.getByText("First name cannot be blank")).toBeVisible();
  await edit.getByLabel("First name").fill("Jordan");
  await edit.getByRole("button", { name: "Next" }).click();
  await edit.getByRole("button", { name: "Confirm To update" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(row).toContainText("Jordan Lee");
  expect((await owner(users.list, { userEmail: email })).data[0]).toMatchObject({ cellNumber: "15550143377" });
});
