import type { Locator, Page } from "@playwright/test";
import type { Client } from "@telltale/contract/call/client";
import { Key } from "@telltale/contract/channel-types/keys";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { joint } from "@telltale/contract/domains/joint";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { users } from "@telltale/contract/domains/people/users";
import { expect, test } from "./harness.ts";
import { addOwner, freshEmail } from "./mailing.ts";
import { clientOf, injectSessionAs } from "./people.ts";
import { dialogOf, formOf, whenQuiet } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { save as saveChannels, typed } from "./setup-form.ts";
import { addUnit, connectUnit, freshName, idsOf, publish } from "./unit.ts";

// No spontaneous changes: every request is caused by the test.
test.use({ demo: false });
test.describe.configure({ timeout: 180_000 });

const secret = "as long as it lasts";

/** Excludes the console's own switches, filters and images. */
const isCounted = (url: URL): boolean => url.pathname.startsWith("/api/");

/** Addresses that the console requests more than once during `act`, which begins at `start`. What loads the page itself is not counted. */
const repeatedBy = async (page: Page, start: Locator, act: () => Promise<unknown>): Promise<string[]> => {
  const requests: string[] = [];
  const note = (request: { url(): string; method(): string }) => {
    const url = new URL(request.url());
    url.searchParams.delete("token");
    if (isCounted(url)) requests.push(`${request.method()} ${url.pathname}${url.search}`);
  };
  page.on("request", note);
  await expect(start).toBeVisible();
  await whenQuiet(page, requests);
  requests.length = 0;
  await act();
  await whenQuiet(page, requests);
  page.off("request", note);
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(requests.length, "something was saved").toBeGreaterThan(0);
  return requests.filter((request, index) => requests.indexOf(request) !== index);
};

/**
 * Expects that an act that can be repeated loads nothing twice. On a busy machine a live message may arrive after the console has stopped waiting for
 * it, so that an answer is requested again once in a while; a console that does so each time fails.
 */
const expectLoadedOnce = (page: Page, start: Locator, act: () => Promise<unknown>): Promise<void> =>
  expect(async () => expect(await repeatedBy(page, start, act)).toEqual([])).toPass({ timeout: 90_000 });

interface Plant {
  owner: Client;
  server: RunningServer;
  email: string;
}

const open = async (page: Page, server: RunningServer): Promise<Plant> => {
  const email = await addOwner(server, secret);
  await injectSessionAs(page, server, email, secret);
  return { owner: await clientOf(server, email, secret), server, email };
};

const aUnit = async ({ server, owner, email }: Plant, more: object = {}) => {
  const unit = await addUnit(server, { owner: email, ...more });
  return { unit, ...(await idsOf(owner, unit.deviceSnId)) };
};

const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

/** Changes a row in a dialog and saves, then deletes it. Neither may cause repeated requests, or requests for the deleted row. */
const saveAndDelete = async (page: Page, row: string, edit: { title: string; field: string; save: string }) => {
  let tries = 0;
  await expectLoadedOnce(page, button(page, `Edit ${row}`), async () => {
    await button(page, `Edit ${row}`).click();
    const dialog = dialogOf(page, edit.title);
    tries += 1;
    await dialog.getByLabel(edit.field, { exact: true }).fill(`changed ${tries}`);
    await button(dialog, edit.save).click();
    await expect(dialog).toHaveCount(0);
  });
};

const remove = async (page: Page, row: string, title: string) => {
  const deleted = repeatedBy(page, button(page, `Delete ${row}`), async () => {
    await button(page, `Delete ${row}`).click();
    await button(dialogOf(page, title), "Delete").click();
    await expect(button(page, `Delete ${row}`)).toHaveCount(0);
  });
  expect(await deleted, "deleted").toEqual([]);
};

test("saving and deleting a dashboard loads each list once, and does not request the deleted row", async ({
  page,
  server,
}) => {
  const plant = await open(page, server);
  const { channels } = await aUnit(plant);
  const name = freshName("Night");
  await plant.owner(dashboards.edit, { name, deviceChannelIds: [Number(channels.AI1)] });
  await page.goto("/configureDashboard");
  await saveAndDelete(page, name, { title: "Edit dashboard", field: "Notes", save: "Save" });
  await remove(page, name, "Delete dashboard");
});

test("saving and deleting a channel group loads each list once", async ({ page, server }) => {
  const plant = await open(page, server);
  const { unit } = await aUnit(plant);
  const drive = await aUnit(plant, { model: "MPA2", parent: unit, name: "Drive" });
  const groupName = freshName("Phases");
  const [deviceChannelId = 0] = Object.values(drive.channels);
  await plant.owner(dashboards.editGroup, {
    groupName,
    icon: 14,
    deviceId: drive.deviceId,
    deviceChannelIds: [deviceChannelId],
  });
  await page.goto("/configureDashboard");
  await button(page, "Channel groups").click();
  const saved = repeatedBy(page, button(page, `Edit ${groupName}`), async () => {
    await button(page, `Edit ${groupName}`).click();
    await page.getByLabel("Group name").fill(`${groupName} 2`);
    await button(page, "Save").click();
    await expect(button(page, `Edit ${groupName} 2`)).toBeVisible();
  });
  expect(await saved).toEqual([]);
  await remove(page, `${groupName} 2`, "Delete dashboard group");
});

test("saving and deleting an alert loads each list once, and does not request the deleted row", async ({
  page,
  server,
}) => {
  const plant = await open(page, server);
  const { owner } = plant;
  const { deviceId, channels } = await aUnit(plant);
  const { notifyUserId } = await owner(contacts.add, {
    type: 1,
    firstName: "Nora",
    lastName: "Quist",
    contactInfo: freshEmail(),
  });
  const rule = { alarmName: "Boiler hot", alarmClass: AlertClass.custom, type: AlertType.high, alarmHysteresis: 1 };
  const watched = { deviceId, deviceChannelId: Number(channels.AI1), alarmValue: 70 };
  await owner(alarms.add, { ...rule, ...watched, notifyUserIds: [notifyUserId] });
  await page.goto("/configureAlarm?tab=custom");
  let value = 87;
  await expectLoadedOnce(page, button(page, "Edit Boiler hot"), async () => {
    await button(page, "Edit Boiler hot").click();
    const dialog = formOf(page, "Edit alert");
    value += 1;
    await dialog.getByLabel("Value", { exact: true }).fill(String(value));
    await button(dialog, "Save").click();
    await expect(dialog).toHaveCount(0);
  });
  await remove(page, "Boiler hot", "Delete alert");
});

test("adding and deleting a contact loads the list once each", async ({ page, server }) => {
  await open(page, server);
  await page.goto("/configureAlarmNotifyUser");
  const email = freshEmail();
  const added = repeatedBy(page, button(page, "Add contact"), async () => {
    await button(page, "Add contact").click();
    const dialog = dialogOf(page, "Add contact");
    await dialog.getByLabel("First name").fill("Nora");
    await dialog.getByLabel("Last name").fill("Quist");
    await dialog.getByLabel("Email").fill(email);
    await button(dialog, "Confirm").click();
    await expect(button(page, `Delete ${email}`)).toBeVisible();
  });
  expect(await added).toEqual([]);
  await remove(page, email, "Delete contact");
});

test("changing and deleting a user loads the list once each", async ({ page, server }) => {
  const plant = await open(page, server);
  const email = freshEmail();
  await plant.owner(users.add, { email, firstName: "Jo", lastName: "Lee", type: 3, cellNumber: "" } as never);
  await page.goto("/configureUsers");
  const saved = repeatedBy(page, button(page, `Edit ${email}`), async () => {
    await button(page, `Edit ${email}`).click();
    const dialog = dialogOf(page, "Edit user");
    await button(dialog, "Back").click();
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Installer" }).click();
    await button(dialog, "Next").click();
    await button(dialog, "Confirm To update").click();
    await expect(dialog).toHaveCount(0);
  });
  expect(await saved).toEqual([]);
  await remove(page, email, "Delete user");
});

test("changing a device and its channels loads each list once", async ({ page, server }) => {
  const plant = await open(page, server);
  const { unit, deviceId } = await aUnit(plant);
  // It stays connected, because a disconnect would refetch the list too.
  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 4 });
  await page.goto("/configureDevices");
  let minutes = 32;
  await expectLoadedOnce(page, button(page, `Edit ${unit.name}`), async () => {
    await button(page, `Edit ${unit.name}`).click();
    const dialog = dialogOf(page, "Device settings");
    minutes += 1;
    await dialog.getByLabel("Offline reporting time").fill(String(minutes));
    await button(dialog, "Confirm").click();
    await expect(dialog).toHaveCount(0);
  });

  await page.goto(`/configureDevicesAdd?deviceId=${deviceId}`);
  let limit = 69;
  await expectLoadedOnce(page, typed(page, "AI1", Key.higherAlarm), async () => {
    limit += 1;
    await typed(page, "AI1", Key.higherAlarm).fill(String(limit));
    await saveChannels(page);
    await expect(page.getByText("No changes")).toBeVisible();
  });
  await device.endAsync();
});

test("saving and deleting a joint control loads each list once", async ({ page, server }) => {
  const plant = await open(page, server);
  const [from, to] = [await aUnit(plant), await aUnit(plant, { model: "DOS", name: "Yard" })];
  const name = freshName("Siren");
  const source = { sourceChannelId: Number(from.channels.AI1), alarmType: AlertType.high };
  await plant.owner(joint.edit, { name, ...source, outputChannelId: Number(to.channels.DO1), level: 1 });
  await page.goto("/joint");
  const saved = repeatedBy(page, button(page, `Edit ${name}`), async () => {
    await button(page, `Edit ${name}`).click();
    await page.getByLabel("Name", { exact: true }).fill(`${name} 2`);
    await button(page, "Save").click();
    await expect(button(page, `Edit ${name} 2`)).toBeVisible();
  });
  expect(await saved).toEqual([]);
  await remove(page, `${name} 2`, "Delete joint control");
});

test("reordering and shortening a watchlist loads it once", async ({ page, server }) => {
  const plant = await open(page, server);
  const { channels } = await aUnit(plant);
  await plant.owner(personal.add, { deviceChannelIds: ["AI1", "AI2", "AI3"].map((code) => Number(channels[code])) });
  await page.goto("/personal");
  const grip = page.getByRole("button", { name: "Move AI1, place" });
  const moved = repeatedBy(page, grip, async () => {
    await grip.press("ArrowDown");
    await expect(grip).toHaveAccessibleName(/place 2 of 3/);
  });
  expect(await moved).toEqual([]);
  const removed = repeatedBy(page, button(page, "Remove AI2"), async () => {
    await button(page, "Remove AI2").click();
    await expect(grip).toHaveAccessibleName(/place 1 of 2/);
  });
  expect(await removed).toEqual([]);
});

test("saving and deleting a shortcut loads the list once each", async ({ page, server }) => {
  const plant = await open(page, server);
  await plant.owner(keyboard.edit, { keys: "x l", target: "/audit" });
  await page.goto("/keyboard");
  const saved = repeatedBy(page, button(page, "Edit x l"), async () => {
    await button(page, "Edit x l").click();
    await page.getByLabel("Keys").fill("xxl");
    await button(page, "Save").click();
    await expect(button(page, "Edit x x l")).toBeVisible();
  });
  expect(await saved).toEqual([]);
  await remove(page, "x x l", "Delete shortcut");
});
