import type { Locator, Page } from "@playwright/test";
import { Message } from "@telltale/contract/call/codes";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { addressesOf } from "./answers.ts";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession, openSignedIn } from "./people.ts";
import { dialogOf, rowsOf } from "./screen.ts";
import { freshName } from "./unit.ts";

const notice = (page: Page, sentence: string): Locator => page.getByText(sentence, { exact: true });
const dashboardRow = (page: Page, name: string): Locator => rowsOf(page, "Dashboards", name);
const tile = (page: Page, name: string): Locator =>
  page.getByRole("button", { name: new RegExp(`${name}.*place \\d+ of`) });

test("a dashboard is added, changed, made the default and deleted", { tag: "@phone" }, async ({ page, server }) => {
  await injectSession(page, server);
  await page.goto("/configureDashboard");
  const name = freshName("Cooling");
  await page.getByRole("button", { name: "Add dashboard" }).click();
  const add = dialogOf(page, "Add dashboard");
  await expect(add.getByLabel("Name", { exact: true })).toBeFocused();
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add.getByText("Dashboard name cannot be blank")).toBeVisible();
  await expect(add.getByText("Channel List cannot be blank")).toBeVisible();
  await add.getByLabel("Name", { exact: true }).fill(name);
  await add.getByLabel("Search by channel, device name or device ID").fill("wet well");
  await add.getByRole("checkbox", { name: "Wet well level" }).check();
  await expect(add.getByRole("region", { name: "Chosen tiles" })).toContainText("Wet well level");
  await add.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Add success")).toBeVisible();

  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const edit = dialogOf(page, "Edit dashboard");
  await expect(edit.getByRole("region", { name: "Chosen tiles" })).toContainText("Wet well level");
  await edit.getByLabel("Notes").fill("For the night shift");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Modify successful").first()).toBeVisible();
  await expect(dashboardRow(page, name)).toContainText("For the night shift");

  const owner = await clientOf(server);
  const before = (await owner(dashboards.names)).find(({ status }) => status === 1);
  await dashboardRow(page, name).getByRole("switch").click({ force: true });
  const confirmation = dialogOf(page, "Default dashboard");
  await expect(confirmation).toContainText(`${name}. All users without a dashboard of their own see it`);
  expect(
    (await owner(dashboards.names)).find(({ status }) => status === 1),
    "not yet",
  ).toEqual(before);
  await confirmation.getByRole("button", { name: "Make default" }).click();
  await expect(dashboardRow(page, name).getByRole("switch")).toBeChecked();
  await expect(dashboardRow(page, name).getByRole("switch")).toBeDisabled();
  expect((await owner(dashboards.names)).filter(({ status }) => status === 1).map((each) => each.name)).toEqual([name]);
  await owner(dashboards.setStatus, { dashboardId: before?.dashboardId ?? 0, status: 1 });

  await page.getByRole("button", { name: `Delete ${name}` }).click();
  const question = dialogOf(page, "Delete dashboard");
  await expect(question).toContainText("Are you sure that you want to delete this Dashboard?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(dashboardRow(page, name)).toHaveCount(0);
});

test("the dialog of a dashboard keeps its height while its channels and groups load", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  for (const call of [dashboards.choices, dashboards.groups])
    await page.route(addressesOf(call), async (route) => {
      await isAnswered;
      await route.continue();
    });
  await page.goto("/configureDashboard");
  await page.getByRole("button", { name: "Add dashboard" }).click();
  const add = dialogOf(page, "Add dashboard");
  const [save, list] = [add.getByRole("button", { name: "Save" }), add.getByRole("list").first()];
  await expect(list).toHaveAttribute("aria-busy", "true");
  await expect(save, "the groups are below the channels").toBeDisabled();
  const before = await list.boundingBox();
  answer();
  await expect(save).toBeEnabled();
  await expect(list).toHaveAttribute("aria-busy", "false");
  await expect(list.getByRole("checkbox").first()).toBeVisible();
  expect((await list.boundingBox())?.height, "with all channels").toBe(before?.height);
  const saveAt = await save.boundingBox();
  await add.getByLabel("Search by channel, device name or device ID").fill("wet well");
  await expect(list.getByRole("checkbox", { name: "Wet well level" })).toBeVisible();
  await expect(list.getByRole("checkbox", { name: /^(?!Wet well)/ })).toHaveCount(0);
  expect(await save.boundingBox(), "with the few that a search finds").toEqual(saveAt);
});

test("when two users edit a dashboard, the second sees the conflict and keeps the input", async ({ page, server }) => {
  await injectSession(page, server);
  const owner = await clientOf(server);
  const [choice] = (await owner(dashboards.choices, { name: "Wet well level" })).data;
  const deviceChannelIds = [choice?.deviceChannelId ?? 0];
  const name = freshName("Shared");
  const { dashboardId } = await owner(dashboards.edit, { name, deviceChannelIds });
  await page.goto("/configureDashboard");
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  const edit = dialogOf(page, "Edit dashboard");
  await edit.getByLabel("Notes").fill("mine");
  await owner(dashboards.edit, { dashboardId, name, notes: "theirs", deviceChannelIds });
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, Message.changedMeanwhile)).toBeVisible();
  await expect(edit.getByLabel("Notes")).toHaveValue("mine");
  expect((await owner(dashboards.info, { dashboardId })).notes).toBe("theirs");
  const review = dialogOf(page, "Changed in the meantime");
  await review.getByRole("button", { name: "Back" }).click();
  await edit.getByLabel("Name", { exact: true }).fill(`${name} north`);
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(review.getByRole("button", { name: "Save" }), "it is still to be chosen").toBeDisabled();
  await review.getByRole("radio", { name: "Keep theirs: theirs" }).check();
  await review.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  expect(await owner(dashboards.info, { dashboardId })).toMatchObject({ name: `${name} north`, notes: "theirs" });
});

test("a group of a motor controller's channels is added and deleted in the drawer", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  await page.goto("/configureDashboard");
  await page.getByRole("button", { name: "Channel groups" }).click();
  await page.getByRole("button", { name: "Add group" }).click();
  const add = dialogOf(page, "Add channel group");
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add.getByText("Dashboard group name cannot be blank")).toBeVisible();
  const name = freshName("Phases");
  await add.getByLabel("Group name").fill(name);
  await add.getByRole("combobox", { name: "Motor controller" }).click();
  await page.getByRole("option").first().click();
  await add.getByRole("button", { name: "Save" }).click();
  await expect(add.getByText("Please select a channel")).toBeVisible();
  await add.getByRole("checkbox").first().check();
  await add.getByRole("button", { name: "Save" }).click();
  const list = dialogOf(page, "Channel groups");
  await list.getByRole("button", { name: `Delete ${name}` }).click();
  const question = dialogOf(page, "Delete dashboard group");
  await expect(question).toContainText("Are you sure that you want to delete this Dashboard group?");
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(list.getByText(name)).toHaveCount(0);
});

test("tiles are dragged by the grip and moved by the keyboard, and the order is kept", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await page.getByRole("link", { name: "Arrange tiles" }).click();
  const tiles = page.getByRole("list", { name: "Tiles" }).getByRole("listitem");
  const [first, third] = [tiles.nth(0), tiles.nth(2)];
  const name = (await first.locator("b").textContent()) ?? "";
  const [from, to] = [await first.locator("[data-grip]").boundingBox(), await third.boundingBox()];
  if (!from || !to) throw new Error("There are no tiles to move");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
  await page.mouse.up();
  await expect(tile(page, name).first()).toHaveAccessibleName(/place 3 of/);
  await tile(page, name).first().press("ArrowRight");
  await expect(tile(page, name).first()).toHaveAccessibleName(/place 4 of/);
  await expect(tile(page, name).first()).toBeFocused();
  await page.getByRole("button", { name: "Save order" }).click();
  await expect(notice(page, "Modify successful")).toBeVisible();
  await page.reload();
  await expect(tile(page, name).first()).toHaveAccessibleName(/place 4 of/);
});

interface Point {
  x: number;
  y: number;
}

test("Escape lets a dragged tile go back; a finger drags it by the grip only", { tag: "@phone" }, async ({
  page,
  server,
}) => {
  await openSignedIn(page, server);
  await page.getByRole("link", { name: "Arrange tiles" }).click();
  const tiles = page.getByRole("list", { name: "Tiles" }).getByRole("listitem");
  const name = (await tiles.first().locator("b").textContent()) ?? "";
  const moving = tile(page, name).first();
  const middleOf = async (element: Locator): Promise<Point> => {
    const box = await element.boundingBox();
    if (!box) throw new Error("There are no tiles to move");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const body = await middleOf(tiles.first());
  const second = await middleOf(tiles.nth(1));
  await page.mouse.move(body.x, body.y);
  await page.mouse.down();
  await page.mouse.move(second.x, second.y, { steps: 5 });
  await expect(page.locator("[data-dragged]")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.locator("[data-dragged]")).toHaveCount(0);
  await page.mouse.up();
  await expect(moving).toHaveAccessibleName(/place 1 of/);

  const session = await page.context().newCDPSession(page);
  /** `drags` is how many tiles hang on the finger before it is lifted. */
  const swipe = async (from: Point, to: Point, drags: number) => {
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
    for (let step = 1; step <= 5; step += 1) {
      const part = (start: number, end: number) => start + ((end - start) * step) / 5;
      const touchPoints = [{ x: part(from.x, to.x), y: part(from.y, to.y) }];
      await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints });
    }
    await expect(page.locator("[data-dragged]")).toHaveCount(drags);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await swipe(await middleOf(tiles.first().locator("[data-grip]")), second, 1);
  await expect(moving).toHaveAccessibleName(/place 2 of/);
  await swipe(second, { ...second, y: second.y - 60 }, 0);
  await expect(moving).toHaveAccessibleName(/place 2 of/);
});
