import type { Page } from "@playwright/test";
import { type TelemetryPayload, topics } from "@telltale/contract/device-api";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, openSignedInAs } from "./people.ts";
import { rowsOf } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { addUnit, connectUnit, reportOnce, type Unit } from "./unit.ts";

const secret = "as long as it lasts";
/** The calls of the lists, and of the counts beside them. */
const paths: readonly string[] = [alerts.log, alerts.notifications, alerts.unconfirmed, alertEntries.standing].map(
  ({ path }) => path,
);

/** A plant of its own, because elsewhere other tests raise alerts, on the given page of the console; with what its second unit has reported. */
const openPlant = async (page: Page, server: RunningServer, path: string, reported: TelemetryPayload = { AI1: 20 }) => {
  const email = freshEmail();
  await server.telltale("users", "add", "--email", email, "--password", secret, "--owner", "--plant", "Lists");
  const [unit, other] = [await addUnit(server, { owner: email }), await addUnit(server, { owner: email })];
  await reportOnce(server, unit, { AI1: 20 });
  await reportOnce(server, other, reported);
  await openSignedInAs(page, server, email, secret);
  await page.goto(path);
  await expect(page.getByRole("table")).toBeVisible();
  return { unit, other, owner: await clientOf(server, email, secret) };
};

/** Counts what is asked for lists of alerts from now on; what was announced while the page was opened is fetched before. */
const countAsked = async (page: Page): Promise<string[]> => {
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (paths.includes(new URL(request.url()).pathname)) asked.push(request.url());
  });
  return asked;
};

const report = (server: RunningServer, unit: Unit, AI1: number) => reportOnce(server, unit, { AI1 });

/** The switch of ALERT with its counts. */
const switchOf = (page: Page) => page.getByRole("navigation", { name: "Alerts shown" });

test.describe("an open list of alerts follows what happens, and asks the server nothing: none of many consoles does in a flood", () => {
  test("Standing, with its count: raised, confirmed elsewhere, cleared", async ({ page, server }) => {
    const { unit, other, owner } = await openPlant(page, server, "/alarms?view=standing");
    const rows = (of: Unit) => rowsOf(page, "Standing alerts", of.name);
    await report(server, unit, 96);
    await expect(rows(unit)).toHaveCount(1);
    const asked = await countAsked(page);
    await report(server, other, 97);
    await expect(rows(other)).toContainText("97.00");
    await expect(switchOf(page)).toContainText(/Unconfirmed\s*2\s*Standing\s*2/);
    const [newest] = await owner(alerts.unconfirmed);
    await owner(alerts.confirm, { alarmLogId: newest?.alarmLogId ?? 0 });
    await expect(rows(other)).toContainText("Confirmed");
    await report(server, unit, 20);
    await expect(rows(unit)).toHaveCount(0);
    await expect(switchOf(page)).toContainText(/Unconfirmed\s*0\s*Standing\s*1/);
    await report(server, other, 20);
    await expect(page.getByText("No alert is standing")).toBeVisible();
    expect(asked).toEqual([]);
  });

  test("Unconfirmed: raised, confirmed elsewhere, cleared; with a filter, which is of the device's name", async ({
    page,
    server,
  }) => {
    const { unit, other, owner } = await openPlant(page, server, "/alarms?view=unconfirmed");
    const rows = (of: Unit) => rowsOf(page, "Unconfirmed alerts", of.name);
    await page.goto(`/alarms?view=unconfirmed&deviceName=${encodeURIComponent(unit.name.toUpperCase())}`);
    await report(server, unit, 96);
    await expect(rows(unit)).toHaveCount(1);
    const asked = await countAsked(page);
    await report(server, other, 97);
    await expect(switchOf(page)).toContainText(/Unconfirmed\s*2\s*Standing\s*2/);
    await expect(rows(other), "not of this name").toHaveCount(0);
    await report(server, unit, 20);
    await expect(rows(unit)).toHaveCount(0);
    await report(server, unit, 98);
    await expect(rows(unit)).toContainText("98.00");
    const mine = (await owner(alerts.unconfirmed)).find(({ deviceName }) => deviceName === unit.name);
    await owner(alerts.confirm, { alarmLogId: mine?.alarmLogId ?? 0 });
    await expect(rows(unit)).toHaveCount(0);
    await expect(switchOf(page)).toContainText(/Unconfirmed\s*1\s*Standing\s*2/);
    expect(asked).toEqual([]);
  });

  test("All, also when it has more rows than are loaded: raised, confirmed elsewhere, cleared", async ({
    page,
    server,
  }) => {
    // 30 alerts that have come and gone: more than a page.
    const times = Array.from({ length: 60 }, (_, at) => Date.now() - (90 - at) * 60_000);
    const past = times.map((ts, at) => ({ ts, values: { AI1: at % 2 ? 20 : 95 } }));
    const { unit, other, owner } = await openPlant(page, server, "/alarms", past);
    const rows = (of: Unit) => rowsOf(page, "Alerts", of.name).filter({ hasText: "Threshold" });
    await expect(rows(other).first()).toContainText("Cleared");
    await report(server, unit, 96);
    await expect(rows(unit)).toHaveCount(1);
    const asked = await countAsked(page);
    await report(server, unit, 20);
    await expect(rows(unit)).toContainText("Cleared");
    await report(server, unit, 97);
    await expect(rows(unit).filter({ hasText: "97.00" })).toContainText("Triggered");
    const [newest] = await owner(alerts.unconfirmed);
    await owner(alerts.confirm, { alarmLogId: newest?.alarmLogId ?? 0 });
    await expect(rows(unit).filter({ hasText: "97.00" })).toContainText("Confirmed");
    expect(asked).toEqual([]);
    const { total } = await owner(alerts.log, {});
    await expect(async () => {
      await page.mouse.wheel(0, 5_000);
      await expect(page.getByText("No more data available")).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByRole("table"), "each row once").toHaveAttribute("aria-rowcount", `${total + 1}`);
  });

  test("the notifications, and the newest above what stands", async ({ page, server }) => {
    const { unit } = await openPlant(page, server, "/alarms/notifications");
    const rows = rowsOf(page, "Notifications", unit.name).filter({ hasText: "Low battery" });
    const device = await connectUnit(server, unit);
    const power = (percent: number) =>
      device.publishAsync(topics.attributes, JSON.stringify({ power: percent }), { qos: 1 });
    await power(15);
    await expect(rows).toHaveCount(1);
    const asked = await countAsked(page);
    await power(90);
    await expect(rows).toContainText("Cleared");
    await power(5);
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("5 %");
    expect(asked).toEqual([]);
    await device.endAsync();
  });
});
