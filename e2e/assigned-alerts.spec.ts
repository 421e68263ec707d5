import type { Client } from "@telltale/contract/call/client";
import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { outbox } from "@telltale/contract/domains/support";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { addUnit, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

/** Waits for a mail to this address with this text; a demonstration keeps its mails. */
const mailTo = async (owner: Client, recipient: string, text: string): Promise<void> => {
  await expect(async () => {
    const { data } = await owner(outbox.list, { size: 200 });
    const mails = data.filter((message) => message.recipient === recipient);
    expect(mails.some((mail) => `${mail.subject} ${mail.text}`.includes(text))).toBe(true);
  }).toPass();
};

test("alerts are assigned to a user in step 2, notified by mail, and unassigned when they are deleted", async ({
  page,
  server,
}) => {
  const owner = await clientOf(server);
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(owner, unit.deviceSnId);
  const about = (alarmName: string, alarmClass: AlarmRow["alarmClass"]) =>
    owner(alarms.add, { alarmName, alarmClass, deviceId, notifyUserIds: [] });
  const limits = await about("Boiler limits", AlertClass.threshold);
  await about("Boiler news", AlertClass.notification);
  const installer = emailOf("installer");

  await injectSession(page, server);
  await page.goto("/configureUsers");
  await rowsOf(page, "Users", installer)
    .getByRole("button", { name: `Edit ${installer}` })
    .click();
  const edit = dialogOf(page, "Edit user");
  const search = edit.getByLabel("Search by alert or device name");
  // Other devices have alerts with these names, too.
  await search.fill(unit.name);
  await expect(edit.getByRole("checkbox")).toHaveCount(2);
  for (const name of ["Boiler limits", "Boiler news"]) await edit.getByRole("checkbox", { name }).check();
  await expect(edit).toContainText("2 selected, notified by mail");
  await edit.getByRole("button", { name: "Confirm To update" }).click();
  await expect(page.getByText("Modify successful", { exact: true })).toBeVisible();

  await reportOnce(server, unit, { AI1: 99 });
  await mailTo(owner, installer, `99.00 bar - ${unit.name}`);

  await page.goto("/users");
  const count = rowsOf(page, "Users", installer).getByRole("cell").last();
  await expect(count).toHaveText("2");
  await owner(alarms.remove, { alarmId: limits.alarmId });
  await page.reload();
  await expect(count).toHaveText("1");
  await page.goto("/configureUsers");
  await rowsOf(page, "Users", installer)
    .getByRole("button", { name: `Edit ${installer}` })
    .click();
  await expect(edit).toContainText("1 selected, notified by mail");
  await search.fill(unit.name);
  await expect(edit.getByRole("checkbox", { name: "Boiler limits" })).toHaveCount(0);
  await expect(edit.getByRole("checkbox", { name: "Boiler news" })).toBeChecked();
});
