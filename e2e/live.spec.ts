import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { expect, test } from "./harness.ts";
import { freshEmail } from "./mailing.ts";
import { clientOf, openSignedIn, openSignedInAs } from "./people.ts";
import { alertOf, dialogOf, tileOf, windowOf } from "./screen.ts";
import { startServer } from "./server-process.ts";
import { addUnit, reportOnce } from "./unit.ts";

const owner = "keeper@example.com";
const secret = "as long as it lasts";

test("a console without a server shows the next attempt, and is live again by itself", async ({ page }) => {
  const server = await startServer({ demo: false });
  try {
    await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
    const unit = await addUnit(server, { owner });
    await reportOnce(server, unit, { AI1: 20 });
    await openSignedInAs(page, server, owner, secret);
    const tile = tileOf(page, "AI1", unit.name);
    await expect(tile).toContainText(/20\.00\s*bar/);
    const bar = page.getByRole("banner");
    await expect(bar).toContainText("Live");

    const isShown = page.waitForFunction(() => document.body.textContent?.includes("Reconnecting in 4 s"));
    await server.kill9();
    await isShown;
    await expect(tile, "what was known stays in sight").toContainText(/20\.00\s*bar/);

    await server.restart();
    await expect(bar).toContainText("Live");
    await reportOnce(server, unit, { AI1: 21 });
    await expect(tile).toContainText(/21\.00\s*bar/);
    await reportOnce(server, unit, { AI1: 95 });
    await expect(windowOf(page, unit.name)).toContainText("High 95.00 bar");
  } finally {
    await server.stop();
  }
});

test("an alert's page asks for it again when its device changes, and not when another does", async ({
  page,
  server,
}) => {
  // A plant of its own: elsewhere others raise alerts.
  const email = freshEmail();
  await server.telltale("users", "add", "--email", email, "--password", secret, "--owner", "--plant", "Two units");
  const [unit, other] = [await addUnit(server, { owner: email }), await addUnit(server, { owner: email })];
  // Which alert of several came first is open for a minute.
  await reportOnce(server, unit, { ts: Date.now() - 10 * 60_000, values: { AI1: 99 } });
  const [alert] = await (await clientOf(server, email, secret))(alerts.unconfirmed);
  let asked = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === alertEntries.info.path) asked += 1;
  });
  await openSignedInAs(page, server, email, secret);
  await page.goto(`/alarms/detail?alarmLogId=${alert?.alarmLogId}`);
  const happened = page.getByRole("list", { name: "What happened" });
  await expect(happened).toContainText("Raised at 99.00 bar");
  const unconfirmed = page.getByRole("banner").getByRole("link", { name: /^\d+\s*unconfirmed$/ });
  await expect(unconfirmed).toContainText("1");
  await page.waitForLoadState("networkidle");
  const before = asked;
  for (const [values, count] of [
    [{ AI1: 99 }, "2"],
    [{ AI2: 140 }, "3"],
  ] as const) {
    await reportOnce(server, other, values);
    await expect(unconfirmed).toContainText(count);
  }
  expect(asked).toBe(before);
  await reportOnce(server, unit, { AI1: 20 });
  await expect(happened).toContainText("Cleared");
});

test("changes during a lost connection are fetched when it is back", async ({ page, server }) => {
  let isReachable = true;
  let loseConnection = async () => {};
  await page.routeWebSocket(/\/web\/websocket\//, async (socket) => {
    if (!isReachable) return socket.close();
    socket.connectToServer();
    loseConnection = () => socket.close();
  });
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 20 });
  await openSignedIn(page, server);
  const bar = page.getByRole("banner");
  const tile = tileOf(page, "AI1", unit.name);
  await expect(bar).toContainText("Live");
  await expect(tile).toContainText(/20\.00\s*bar/);

  isReachable = false;
  await loseConnection();
  await expect(bar).toContainText(/Reconnecting/);
  await reportOnce(server, unit, { AI1: 96 });
  await expect(tile).toContainText(/20\.00\s*bar/);

  isReachable = true;
  await expect(bar).toContainText("Live");
  await expect(tile).toContainText(/ALERT.*96\.00\s*bar/);
  await expect(windowOf(page, unit.name)).toContainText("High 96.00 bar");
});

test("a second browser sees a confirmation made in the first, without a reload", async ({
  openElsewhere,
  page,
  server,
}) => {
  const dashboard = await openElsewhere();
  const log = await dashboard.context().newPage();
  await openSignedIn(dashboard, server, "admin");
  await log.goto(`${server.baseURL}/alarms`);
  await openSignedIn(page, server);
  const unit = await addUnit(server);
  await reportOnce(server, unit, { AI1: 99 });
  await expect(windowOf(dashboard, unit.name)).toBeVisible();
  await expect(alertOf(log, unit.name)).toContainText("Triggered");

  await windowOf(page, unit.name).getByRole("button").click();
  await dialogOf(page, "Confirm alert").getByRole("button", { name: "Confirm", exact: true }).click();

  await expect(windowOf(dashboard, unit.name)).toHaveCount(0);
  await expect(alertOf(log, unit.name)).toContainText("Confirmed");
  await expect(alertOf(log, unit.name)).toContainText("Mara Okafor");
});

test("after a socket error the console reconnects after 4 seconds, and retries after each failure", async ({
  page,
  server,
}) => {
  const tries: number[] = [];
  let isBroken = true;
  await page.routeWebSocket(/\/web\/websocket\//, async (socket) => {
    tries.push(Date.now());
    // 1011: internal error of the server.
    if (isBroken) await socket.close({ code: 1011, reason: "out of order" });
    else socket.connectToServer();
  });
  await openSignedIn(page, server);
  await expect(page.getByRole("banner")).toContainText("Reconnecting in");
  await expect.poll(() => tries.length).toBeGreaterThanOrEqual(3);
  isBroken = false;
  await expect(page.getByRole("banner")).toContainText("Live");
  const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  for (const pause of pauses) {
    expect(pause).toBeGreaterThanOrEqual(4000);
    expect(pause, "looked after every second").toBeLessThan(6500);
  }
});

test("a part of the console that cannot be fetched while the server is unreachable is fetched when it is back", async ({
  page,
  server,
}) => {
  const [part, ready] = [/\/assets\/shortcut-keys-[^/]+\.js$/, "**/readyz"];
  for (const address of [part, ready]) await page.route(address, (route) => route.abort("connectionrefused"));
  const isAsked = page.waitForRequest(ready);
  await openSignedIn(page, server);
  await isAsked;
  await expect(page.getByRole("heading", { name: "DASHBOARD" }), "the rest of the screen stays").toBeVisible();
  for (const address of [part, ready]) await page.unroute(address);
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(dialogOf(page, "Keyboard shortcuts")).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test("the devices of an open dashboard take their statuses from live messages: none of many consoles asks in a flood of alerts", async ({
  page,
  server,
}) => {
  // A plant of its own: elsewhere other tests add devices above the row.
  const email = freshEmail();
  await server.telltale("users", "add", "--email", email, "--password", secret, "--owner", "--plant", "Statuses");
  const unit = await addUnit(server, { owner: email });
  // With one device only, the first steps are shown and ask for what is done of them.
  await addUnit(server, { owner: email });
  await reportOnce(server, unit, { AI1: 20 });
  await openSignedInAs(page, server, email, secret);
  const row = page.getByRole("row").filter({ hasText: unit.name });
  const raiseAndClear = async () => {
    await reportOnce(server, unit, { AI1: 96 });
    await expect(windowOf(page, unit.name)).toContainText("High 96.00 bar");
    await expect(row).toContainText("Alert");
    await reportOnce(server, unit, { AI1: 20 });
    await expect(row).toContainText("Normal");
  };
  // What was announced while the page was opened is fetched again meanwhile.
  await raiseAndClear();
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => {
    // What is suppressed is looked up every minute whatever happens, and how many alerts passed at most as often.
    if (/\/api\/(?!alarm\/(silence\/count|log\/passed))/.test(request.url())) asked.push(request.url());
  });
  await raiseAndClear();
  expect(asked).toEqual([]);
});
