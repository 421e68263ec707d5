import type { Page } from "@playwright/test";
import { Code, Message } from "@telltale/contract/call/codes";
import { Key } from "@telltale/contract/channel-types/keys";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { addressesOf, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSignedIn, openSupportView } from "./people.ts";
import { dialogOf } from "./screen.ts";
import { channelRegion, openSetup, save, saveAll, state, typed } from "./setup-form.ts";
import { addUnit, idsOf } from "./unit.ts";

// One of them uses two browsers.
test.describe.configure({ timeout: 180_000 });

const notice = (page: Page, sentence: string) => page.getByText(sentence, { exact: true });

test("when two users set up the same unit, the second sees what the first saved, and loses no input", async ({
  page,
  server,
  openElsewhere,
}) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  const { deviceId } = await openSetup(page, server, unit);
  await typed(page, "AI1", Key.higherAlarm).fill("70");
  await typed(page, "AI3", Key.span).fill("120");

  const other = await openElsewhere();
  await openSignedIn(other, server, "manager");
  await other.goto(`${server.baseURL}/configureDevicesAdd?deviceId=${deviceId}`);
  await typed(other, "AI1", Key.higherAlarm).fill("60");
  await typed(other, "AI2", Key.reportInterval).fill("90");
  await save(other);
  await expect(notice(other, "Modify successful")).toBeVisible();

  // The live message has reported it before anything is saved.
  await expect(
    page.getByRole("alert").filter({ hasText: /has saved settings of this device in the meantime, \d{4}-/ }),
  ).toBeVisible();
  await expect(typed(page, "AI1", Key.higherAlarm)).toHaveValue("70");
  await expect(channelRegion(page, "AI1")).toContainText("Saved meanwhile: 60 bar, before that 80 bar");
  await expect(typed(page, "AI2", Key.reportInterval)).toHaveValue("90");
  const owner = await clientOf(server);
  const setupNow = () => owner(channelSettings.setup, { deviceId });
  const limits = async () => (await setupNow()).channels.map(({ channelKeys }) => channelKeys[Key.higherAlarm]);
  expect((await limits())[0], "nothing is overwritten unasked").toBe(60);
  await saveAll(page).click();
  const review = dialogOf(page, "Save all");
  const confirm = review.getByRole("button", { name: "Save", exact: true });
  await expect(review.getByRole("region", { name: "AI1" }), "compared with what is in force").toContainText(
    "60 bar 70 bar",
  );
  await expect(confirm, "both have changed it").toBeDisabled();

  // Another user saves again while the review is open.
  const seen = await setupNow();
  const [ai1] = seen.channels;
  await owner(channelSettings.modify, {
    deviceId,
    settingsVersion: seen.settingsVersion,
    payload: [{ channelId: ai1?.deviceChannelId ?? 0, channelKeys: { [Key.higherAlarm]: 65 } }],
  });
  await expect(review.getByRole("region", { name: "AI1" })).toContainText("65 bar 70 bar");
  await expect(review).toContainText(/has changed it, .*: 80 bar became 65 bar/);
  await review.getByRole("radio", { name: "Save 70 bar" }).check();
  await confirm.click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  const { channels } = await setupNow();
  expect(channels[0]?.channelKeys[Key.higherAlarm]).toBe(70);
  expect(channels[1]?.channelKeys[Key.reportInterval], "what only the first has changed stays").toBe(90);
  expect(channels[2]?.channelKeys[Key.span]).toBe(120);
});

test("a save that conflicts with a simultaneous one is refused, shows it, and can keep the other value", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  const { deviceId } = await openSetup(page, server, unit);
  const owner = await clientOf(server);
  const setupNow = () => owner(channelSettings.setup, { deviceId });
  await typed(page, "AI1", Key.span).fill("120");
  await typed(page, "AI2", Key.span).fill("160");
  // Withholds the change from the console until its save is in flight, however often it asks: like two simultaneous saves.
  let isSaving = false;
  await page.route(addressesOf(channelSettings.modify), (route) => {
    isSaving = true;
    return route.continue();
  });
  await page.route(addressesOf(channelSettings.setup), (route) =>
    isSaving ? route.continue() : route.fulfill({ json: { code: Code.tooManyTries, msg: "Not now", result: null } }),
  );
  const { settingsVersion, channels } = await setupNow();
  const payload = [{ channelId: channels[0]?.deviceChannelId ?? 0, channelKeys: { [Key.span]: 110 } }];
  await owner(channelSettings.modify, { deviceId, settingsVersion, payload });
  await expect(warning(page, "Not now")).toBeVisible();
  await saveAll(page).click();
  const review = dialogOf(page, "Save all");
  await review.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, Message.changedMeanwhile)).toBeVisible();
  await expect(review.getByRole("region", { name: "AI1" })).toContainText("110 bar 120 bar");
  await review.getByRole("radio", { name: "Keep 110 bar" }).check();
  await review.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  const after = await setupNow();
  expect(after.channels[0]?.channelKeys[Key.span], "theirs").toBe(110);
  expect(after.channels[1]?.channelKeys[Key.span], "mine").toBe(160);
  await expect(typed(page, "AI1", Key.span)).toHaveValue("110");
});

test("renaming and switching off a channel keeps unsaved input, which can then be saved", async ({ page, server }) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await openSetup(page, server, unit);
  await typed(page, "AI2", Key.span).fill("160");
  await page.getByRole("button", { name: "Name and switch of AI1" }).click();
  const dialog = dialogOf(page, "Channel AI1");
  await dialog.getByLabel("Name").fill(" ");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Channel name cannot be blank");
  await dialog.getByLabel("Name").fill("Spare");
  await dialog.getByRole("switch", { name: "Channel on" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await expect(channelRegion(page, "Spare")).toContainText("AI1, OFF");
  await expect(state(page, "1 change in 1 channel")).toBeVisible();
  await save(page);
  await expect(state(page, "No changes")).toBeVisible();
  await expect(notice(page, Message.changedMeanwhile)).toHaveCount(0);
  await expect(typed(page, "AI2", Key.span)).toHaveValue("160");
});

test("leaving a page with changes asks first, and the device's own settings can be edited from it", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  await injectSession(page, server);
  await openSetup(page, server, unit);
  await page.getByRole("button", { name: "Edit info" }).click();
  const info = dialogOf(page, "Device settings");
  await expect(info.getByLabel("Device id")).toHaveValue(unit.deviceSnId);
  await info.getByLabel("Device name").fill(`${unit.name} north`);
  await info.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("heading", { level: 2, name: `${unit.name} north` })).toBeVisible();

  await typed(page, "AI1", Key.span).fill("120");
  await page.getByRole("link", { name: "Device detail" }).click();
  const question = dialogOf(page, "Leave without saving");
  await expect(question).toContainText("1 change is not saved");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(typed(page, "AI1", Key.span)).toHaveValue("120");
  await page.getByRole("button", { name: "Discard changes" }).click();
  await expect(typed(page, "AI1", Key.span)).toHaveValue("100");
  await page.getByRole("link", { name: "Device detail" }).click();
  await expect(page).toHaveURL(/\/devicesDetail\?deviceId=\d+$/);
});

test("edit=no, a support view and a motor controller are read-only; an installer can edit, a viewer is redirected", async ({
  page,
  server,
}) => {
  const unit = await addUnit(server);
  const { deviceId } = await idsOf(await clientOf(server), unit.deviceSnId);
  const address = `/configureDevicesAdd?deviceId=${deviceId}`;
  const expectReadOnly = async () => {
    await expect(page.getByRole("heading", { level: 1 })).toContainText("read-only");
    await expect(
      channelRegion(page, "AI1")
        .getByRole("term")
        .filter({ hasText: /^SPAN$/ }),
    ).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    for (const name of ["Save all", "Edit info"]) await expect(page.getByRole("button", { name })).toHaveCount(0);
  };
  await injectSession(page, server, "installer");
  await page.goto(address);
  await expect(saveAll(page)).toBeVisible();
  await page.goto(`${address}&edit=no`);
  await expectReadOnly();
  await injectSession(page, server, "viewer");
  await page.goto(address);
  await expect(page).toHaveURL("/");
  const viewer = await clientOf(server, emailOf("viewer"));
  await expect(viewer(channelSettings.setup, { deviceId })).rejects.toMatchObject({ code: Code.notAllowed });

  await openSupportView(page, server);
  await page.goto(address);
  await expectReadOnly();

  const drive = await addUnit(server, { model: "MPA2", parent: unit });
  const motor = await idsOf(await clientOf(server), drive.deviceSnId);
  await injectSession(page, server);
  await page.goto(`/configureDevicesAdd?deviceId=${motor.deviceId}&typeId=6`);
  await expect(page.getByRole("table", { name: "Setpoints" })).toBeVisible();
  await expect(saveAll(page)).toHaveCount(0);
});
