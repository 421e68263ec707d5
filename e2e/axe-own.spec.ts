import { AlertType } from "@telltale/contract/domains/alerts";
import { joint } from "@telltale/contract/domains/joint";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { checkWithTouch, errorsOf } from "./accessibility.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, freshName, idsOf, reportOnce } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

/** A joint control with an open alert and an offline device, a watchlist, and a shortcut. */
const createToolsData = async (server: RunningServer) => {
  const [owner, unit] = [await clientOf(server), await addUnit(server, { model: "MIX" })];
  await reportOnce(server, unit, { AI1: 99, AI2: 30, DO1: 0 });
  const { AI1 = 0, AI2 = 0, AI3 = 0, DO2 = 0 } = (await idsOf(owner, unit.deviceSnId)).channels;
  const name = freshName("Siren on the roof of the boiler house");
  const rule = { name, sourceChannelId: AI1, alarmType: AlertType.high, outputChannelId: DO2, level: 1 as const };
  const { jointId } = await owner(joint.edit, rule);
  await owner(personal.add, { deviceChannelIds: [AI1, AI2, AI3] });
  const { shortcuts } = await owner(keyboard.list);
  for (const { shortcutId } of shortcuts) await owner(keyboard.remove, { shortcutId });
  await owner(keyboard.edit, { keys: "x y z", target: "/configureAlarmNotifyUser" });
  return { unit, name, jointId };
};

test("joint control is accessible, fits the screen and logs no errors", async ({ page, server }) => {
  const validationErrors = errorsOf(page);
  const { name, jointId } = await createToolsData(server);
  await injectSession(page, server);
  await page.goto("/joint");
  await expect(rowsOf(page, "Joint controls", name)).toContainText("Waiting for the device");
  await checkWithTouch(page, "joint controls");
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await expect(dialogOf(page, "Delete joint control")).toBeVisible();
  await checkWithTouch(page, "delete joint control", "[role=dialog]");
  await page.goto(`/jointAdd?jointId=${jointId}`);
  await expect(page.getByRole("table", { name: "Commands" }).getByRole("row").nth(1)).toBeVisible();
  await checkWithTouch(page, "a joint control with its log");
  await page.goto("/jointAdd");
  await expect(page.getByRole("radio").nth(5)).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Choose an output")).toBeVisible();
  await checkWithTouch(page, "a new joint control with complaints");
  expect(validationErrors).toEqual([]);
});

test("watchlist and shortcuts are accessible, fit the screen and log no errors", async ({ page, server }) => {
  const validationErrors = errorsOf(page);
  const { unit } = await createToolsData(server);
  await injectSession(page, server);
  await page.goto("/personal");
  await expect(page.getByRole("list", { name: "Watchlist" })).toContainText(unit.name);
  await checkWithTouch(page, "watchlist");
  await page.goto("/personalAdd");
  await expect(page.getByRole("checkbox").first()).toBeVisible();
  await page.getByRole("button", { name: "Add to watchlist" }).click();
  await expect(page.getByText("Please select a channel")).toBeVisible();
  await checkWithTouch(page, "channels to watch, with a complaint");
  await page.goto("/keyboard");
  await expect(page.getByRole("button", { name: "Edit x y z" })).toBeVisible();
  await checkWithTouch(page, "shortcuts");
  await page.goto("/keyboardAdd");
  await page.getByLabel("Keys").fill("gd");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("g d is taken")).toBeVisible();
  await checkWithTouch(page, "a new shortcut with complaints");
  expect(validationErrors).toEqual([]);
});
