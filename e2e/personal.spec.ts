import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { refuseCall, tryAgain, warning } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf, injectSession, openSignedIn } from "./people.ts";
import { dialogOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, freshName, idsOf, publish } from "./unit.ts";

test.describe.configure({ timeout: 180_000 });

const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true }).first();
const watched = (page: Page): Locator => page.getByRole("list", { name: "Watchlist" }).getByRole("listitem");
const rowAt = (page: Page, device: string, channel: string): Locator =>
  watched(page).filter({ hasText: device }).filter({ hasText: channel });
const grip = (page: Page, channel: string): Locator => page.getByRole("button", { name: `Move ${channel}, place` });

const openAccountMenu = (page: Page): Promise<void> =>
  page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();

/** Empties a user's watchlist. */
const emptyWatchlist = async (server: RunningServer, email = emailOf("owner")): Promise<void> => {
  const client = await clientOf(server, email);
  for (const { deviceChannelId } of await client(personal.list)) await client(personal.remove, { deviceChannelId });
};

/** Creates a watchlist with these channels of a new unit. */
const aWatchlist = async (server: RunningServer, codes: readonly string[]) => {
  await emptyWatchlist(server);
  const owner = await clientOf(server);
  const unit = await addUnit(server, { name: freshName("Kiln") });
  const { channels } = await idsOf(owner, unit.deviceSnId);
  await owner(personal.add, { deviceChannelIds: codes.map((code) => Number(channels[code])) });
  return { owner, unit, channels };
};

test("channels are added to the watchlist, are live there, and link to their history", async ({ page, server }) => {
  await emptyWatchlist(server);
  const unit = await addUnit(server, { name: freshName("Kiln") });
  await openSignedIn(page, server);
  await openAccountMenu(page);
  await page.getByRole("menuitem", { name: "Watchlist" }).click();
  await expect(page.getByRole("main")).toContainText("Your watchlist is empty");
  await page.getByRole("link", { name: "Add channels" }).click();
  await page.getByRole("button", { name: "Add to watchlist" }).click();
  await expect(page.getByText("Please select a channel")).toBeVisible();
  await page.getByLabel("Search by channel, device name or device ID").fill(unit.name);
  await page.getByRole("checkbox", { name: "AI1", description: unit.name }).check();
  await page.getByRole("checkbox", { name: "AI3", description: unit.name }).check();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await page.getByRole("button", { name: "Add to watchlist" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  const row = rowAt(page, unit.name, "AI1");
  await expect(row).toContainText("No data");

  const device = await connectUnit(server, unit);
  await publish(device, { AI1: 20 });
  await expect(row).toContainText(/Normal.*20\.00\s*bar/);
  await publish(device, { AI1: 99 });
  await expect(row).toContainText(/Alert.*99\.00\s*bar/);
  await device.endAsync();
  const another = await clientOf(server, emailOf("admin"));
  expect(
    (await another(personal.list)).map(({ deviceName }) => deviceName),
    "it is one's own",
  ).not.toContain(unit.name);
  await row.getByRole("link", { name: "AI1" }).click();
  await expect(page, "at the time of what is wrong").toHaveURL(/\/devicesDetail\?deviceId=\d+&deviceChannelId=\d+&at=/);
});

test("the watchlist is reordered by mouse and keyboard, and the order is kept; a channel is removed", async ({
  page,
  server,
}) => {
  const { owner } = await aWatchlist(server, ["AI1", "AI2", "AI3", "AI4"]);
  const order = async () => (await owner(personal.list)).map(({ channelCn }) => channelCn);
  await injectSession(page, server);
  await page.goto("/personal");
  await grip(page, "AI1").press("ArrowDown");
  await expect(grip(page, "AI1")).toHaveAccessibleName(/place 2 of 4/);
  await expect(grip(page, "AI1")).toBeFocused();
  await expect.poll(order).toEqual(["AI2", "AI1", "AI3", "AI4"]);
  await grip(page, "AI4").press("Home");
  await expect.poll(order).toEqual(["AI4", "AI2", "AI1", "AI3"]);
  await expect(grip(page, "AI4")).toHaveAccessibleName(/place 1 of 4/);

  const [from, to] = [await grip(page, "AI4").boundingBox(), await grip(page, "AI1").boundingBox()];
  if (!from || !to) throw new Error("There is nothing to move");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
  await page.mouse.up();
  await expect(grip(page, "AI4")).toHaveAccessibleName(/place 3 of 4/);
  await expect.poll(order).toEqual(["AI2", "AI1", "AI4", "AI3"]);
  await page.getByRole("button", { name: "Remove AI1" }).click();
  await expect(watched(page)).toHaveCount(3);
  await expect.poll(order).toEqual(["AI2", "AI4", "AI3"]);
  await page.reload();
  await expect(grip(page, "AI4")).toHaveAccessibleName(/place 2 of 3/);
});

test("a channel that is added in another tab appears in an open watchlist", async ({ page, server }) => {
  const { owner, channels } = await aWatchlist(server, ["AI1", "AI2"]);
  await injectSession(page, server);
  await page.goto("/personal");
  await expect(watched(page)).toHaveCount(2);
  await expect(page.getByRole("banner")).toContainText("Live");
  await owner(personal.add, { deviceChannelIds: [Number(channels.AI3)] });
  await expect(watched(page)).toHaveCount(3);
});

test("reordering a watchlist that was changed elsewhere, unheard, shows a message and the current list", async ({
  page,
  server,
}) => {
  await page.routeWebSocket(/\/web\/websocket\//, () => undefined);
  const { owner, channels } = await aWatchlist(server, ["AI1", "AI2"]);
  await injectSession(page, server);
  await page.goto("/personal");
  await expect(watched(page)).toHaveCount(2);
  await owner(personal.add, { deviceChannelIds: [Number(channels.AI3)] });
  await grip(page, "AI1").press("ArrowDown");
  await expect(warning(page, Message.changedMeanwhile)).toBeVisible();
  await expect(watched(page)).toHaveCount(3);
  await expect(grip(page, "AI1")).toHaveAccessibleName(/place 1 of 3/);
});

test("a watchlist that can't be loaded says so and can be retried", async ({ page, server }) => {
  await aWatchlist(server, ["AI1"]);
  await injectSession(page, server);
  await refuseCall(page, personal.list, 500, "Server is busy");
  await page.goto("/personal");
  await expect(page.getByRole("main")).toContainText("Server is busy");
  await tryAgain(page, personal.list, page.getByRole("main"));
  await expect(watched(page)).toHaveCount(1);
});

test("shortcuts open pages and act on them, are listed by ?, and do not interfere with typing and dialogs", async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await expect(page.getByRole("heading", { level: 1, name: "DASHBOARD" })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(dialogOf(page, "Keyboard shortcuts")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(dialogOf(page, "Keyboard shortcuts")).toContainText("Confirm all alerts");
  await page.keyboard.type("ga");
  await expect(page, "a dialog is open").toHaveURL("/");
  await page.keyboard.press("Escape");
  await expect(dialogOf(page, "Keyboard shortcuts")).toHaveCount(0);
  await page.keyboard.type("ga");
  await expect(page).toHaveURL("/alarms");
  await page.keyboard.type("gj");
  await expect(page).toHaveURL("/joint");
  await expect(page.getByRole("table", { name: "Joint controls" })).toBeVisible();
  await page.keyboard.press("/");
  const filter = page.getByRole("dialog", { name: "Filter NAME" });
  await filter.getByRole("textbox").fill("");
  await filter.getByRole("textbox").pressSequentially("gd");
  await expect(page, "while typing").toHaveURL("/joint");
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await expect(page).toHaveURL("/jointAdd");
  await page.keyboard.press("Tab");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const scheme = page.locator("html");
  const before = await scheme.getAttribute("data-mantine-color-scheme");
  await page.keyboard.press("t");
  await expect(scheme).not.toHaveAttribute("data-mantine-color-scheme", before ?? "");
});

test("a user-defined shortcut is created, refused when its keys are taken, used, changed and deleted; all can be switched off", async ({
  page,
  server,
}) => {
  const admin = await clientOf(server, emailOf("admin"));
  for (const { shortcutId } of (await admin(keyboard.list)).shortcuts) await admin(keyboard.remove, { shortcutId });
  await admin(keyboard.enable, { isOn: true });
  await openSignedIn(page, server, "admin");
  await openAccountMenu(page);
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(page.getByText("There are no shortcuts of your own")).toBeVisible();
  await page.getByRole("link", { name: "Add shortcut" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Press one to three keys")).toBeVisible();
  await expect(page.getByText("Choose a page or an action", { exact: true })).toBeVisible();
  await page.getByLabel("Keys").fill("gd");
  await expect(page.getByText("g d is taken: Dashboard. No shortcut may begin another")).toBeVisible();
  await page.getByLabel("Keys").fill("xl");
  await page.getByRole("combobox", { name: "Opens or does" }).click();
  await page.getByRole("option", { name: "Audit log" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();
  await expect(page).toHaveURL("/keyboard");
  await expect(page.getByRole("button", { name: "Edit x l" })).toBeVisible();
  await page.keyboard.type("xl");
  await expect(page).toHaveURL("/audit");

  await page.keyboard.type("gk");
  await page.getByRole("button", { name: "Edit x l" }).click();
  await page.getByLabel("Keys").fill("xxl");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await page.getByRole("switch", { name: "Listen to keyboard shortcuts" }).click({ force: true });
  await expect(page.getByRole("switch")).not.toBeChecked();
  await page.keyboard.type("xxlgd");
  await expect(page).toHaveURL("/keyboard");
  await page.getByRole("switch", { name: "Listen to keyboard shortcuts" }).click({ force: true });
  await expect(page.getByRole("switch")).toBeChecked();
  await page.getByRole("button", { name: "Delete x x l" }).click();
  const question = dialogOf(page, "Delete shortcut");
  await expect(question).toContainText("Are you sure that you want to delete this shortcut?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("There are no shortcuts of your own")).toBeVisible();
});

test("a viewer's shortcuts and watchlist contain only what a viewer may see", async ({ page, server }) => {
  await emptyWatchlist(server, emailOf("viewer"));
  const elsewhere = await addUnit(server, { name: freshName("Elsewhere") });
  await injectSession(page, server, "viewer");
  await page.goto("/keyboard");
  const standard = page.getByRole("list", { name: "The console's" });
  await expect(standard).toContainText("Watchlist");
  await expect(standard).not.toContainText("Joint control");
  await expect(standard).not.toContainText("Users");
  await page.goto("/personalAdd");
  await expect(page.getByRole("checkbox", { name: "Pump house door" })).toBeVisible();
  await page.getByLabel("Search by channel, device name or device ID").fill(elsewhere.name);
  await expect(page.getByText("No channel or device of this name")).toBeVisible();
});
