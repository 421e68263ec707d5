import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { expect, test } from "./harness.ts";
import { clientOf, injectSession } from "./people.ts";
import { ago, button, minute, open, slider, title, withHistory } from "./rewind-screen.ts";
import { tileOf } from "./screen.ts";
import { freshName, idsOf } from "./unit.ts";

test.use({ own: "rewind link" });
test.describe.configure({ timeout: 240_000 });

test("a copied link has the minute that is shown while it plays, and its dashboard, also when another is the account's own", async ({
  page,
  server,
  openElsewhere,
}) => {
  const unit = await withHistory(server);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.baseURL });
  const start = ago(300).address;
  await open(page, server, `at=${start}`);
  const value = async () => Number(await slider(page).getAttribute("aria-valuenow"));
  const first = await value();
  await page.getByRole("group", { name: "Speed" }).getByRole("button", { name: "600×" }).click();
  await button(page, "Play").click();
  await expect.poll(value).toBeGreaterThan(first + 40);
  const before = await value();
  await button(page, "Copy link to this minute").click();
  await expect(page.getByText("The link is copied")).toBeVisible();
  const after = await value();
  await button(page, "Pause").click();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  const moved = (Date.parse(link.searchParams.get("at") ?? "") - Date.parse(start)) / minute;
  expect(moved).toBeGreaterThanOrEqual(before - first);
  expect(moved).toBeLessThanOrEqual(after - first);

  const owner = await clientOf(server);
  const shown = (await owner(dashboards.names)).find(({ status }) => status === 1);
  expect(link.searchParams.get("dashboardId")).toBe(String(shown?.dashboardId));
  const { channels } = await idsOf(owner, unit.deviceSnId);
  const deviceChannelIds = [Number(channels.AI2)];
  await owner(dashboards.edit, { name: freshName("Night shift"), deviceChannelIds, status: 1 });
  const colleague = await openElsewhere();
  await open(colleague, server, `at=${link.searchParams.get("at")}`);
  await expect(tileOf(colleague, "AI2", unit.name)).toBeVisible();
  await expect(tileOf(colleague, "AI1", unit.name), "on no tile of the new dashboard").toHaveCount(0);
  await colleague.goto(link.href);
  await expect(tileOf(colleague, "AI1", unit.name)).toBeVisible();
  await expect(title(colleague)).toContainText(link.searchParams.get("at")?.slice(11, 16) ?? "");

  const viewer = await openElsewhere();
  await injectSession(viewer, server, "viewer");
  await viewer.goto(link.href);
  await expect(viewer.getByRole("status")).toContainText("The dashboard of this link is gone, or not among yours");
});
