import type { Page } from "@playwright/test";
import { AlertPriority, alerts } from "@telltale/contract/domains/alerts";
import { addRule } from "./alert-rule.ts";
import { expect, test } from "./harness.ts";
import { openSignedIn } from "./people.ts";
import { openFilter } from "./screen.ts";
import type { RunningServer } from "./server-process.ts";
import { reportOnce } from "./unit.ts";

// Every P1 alert of the plant sounds: no other file's tests may raise one.
test.use({ own: "sound" });
test.describe.configure({ timeout: 180_000 });

/** The pitch that only the tone of each has, in hertz. */
const pitch = { urgent: 988, medium: 659, low: 523, lost: 330 };

/** Records what the page plays from its next navigation on. */
const listenTo = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const played: number[] = [];
    Object.assign(globalThis, { played });
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (when) {
      if (this instanceof OscillatorNode) played.push(this.frequency.value);
      start.call(this, when);
    };
  });
};

/** How often the page has played a pitch. */
const timesPlayed = async (page: Page, hertz: number): Promise<number> => {
  const played: number[] = await page.evaluate(() => Reflect.get(globalThis, "played"));
  return played.filter((each) => each === hertz).length;
};
const heard = (page: Page, hertz: number) => expect.poll(() => timesPlayed(page, hertz));

const switchOn = async (page: Page): Promise<void> => {
  await page
    .getByRole("banner")
    .getByRole("button", { name: /@telltale\.local/ })
    .click();
  const entry = page.getByRole("menuitemcheckbox", { name: "Sound in this browser" });
  await expect(entry, "off until somebody switches it on").toHaveAttribute("aria-checked", "false");
  await entry.click();
  await expect(entry).toHaveAttribute("aria-checked", "true");
  await page.keyboard.press("Escape");
};

const silenceButton = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Silence" });

/** A rule of P1 of a new unit; nothing else of the plant waits to be confirmed. */
const aQuietPlant = async (server: RunningServer) => {
  const rule = await addRule(server);
  await rule.owner(alerts.confirmAll, {});
  return rule;
};

test("a P1 alert sounds until `s` silences it, without confirming it; typing an s does not", async ({
  page,
  server,
}) => {
  const { unit } = await aQuietPlant(server);
  await page.clock.install();
  await listenTo(page);
  await openSignedIn(page, server);
  await page.goto("/alarms");
  await switchOn(page);
  await heard(page, pitch.low).toBeGreaterThan(0);

  await reportOnce(server, unit, { AI1: 75 });
  await heard(page, pitch.urgent).toBeGreaterThan(0);
  const once = await timesPlayed(page, pitch.urgent);
  await page.clock.runFor(5_000);
  await heard(page, pitch.urgent).toBeGreaterThan(once);
  const filter = await openFilter(page, "DEVICE ID");
  await filter.getByRole("textbox").pressSequentially("s");
  await expect(silenceButton(page), "a field gets its letter").toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();

  await page.keyboard.press("s");
  await expect(silenceButton(page)).toBeHidden();
  const silenced = await timesPlayed(page, pitch.urgent);
  await page.clock.runFor(9_000);
  expect(await timesPlayed(page, pitch.urgent)).toBe(silenced);
  await expect(page.getByRole("banner"), "it is not confirmed").toContainText("1unconfirmed");

  const { unit: second } = await addRule(server);
  await reportOnce(server, second, { AI1: 75 });
  await heard(page, pitch.urgent).toBeGreaterThan(silenced);
});

test("a P2 alert sounds once, and confirming a P1 alert ends its sound", async ({ page, server }) => {
  const { unit, owner } = await aQuietPlant(server);
  const { unit: other } = await addRule(server, { priority: AlertPriority.medium });
  await page.clock.install();
  await listenTo(page);
  await openSignedIn(page, server);
  await switchOn(page);
  await reportOnce(server, other, { AI1: 75 });
  await heard(page, pitch.medium).toBe(3);
  await reportOnce(server, unit, { AI1: 75 });
  await expect(silenceButton(page)).toBeVisible();
  await owner(alerts.confirmAll, {});
  await expect(silenceButton(page)).toBeHidden();
  const ended = await timesPlayed(page, pitch.urgent);
  await page.clock.runFor(9_000);
  expect(await timesPlayed(page, pitch.urgent)).toBe(ended);
  expect(await timesPlayed(page, pitch.medium)).toBe(3);
});

test("of several tabs one sounds, and another when that is closed", async ({ context, page, server }) => {
  const { unit } = await aQuietPlant(server);
  await listenTo(page);
  await openSignedIn(page, server);
  await switchOn(page);
  await heard(page, pitch.low).toBeGreaterThan(0);
  const second = await context.newPage();
  await listenTo(second);
  await second.goto("/");
  await second.getByRole("heading", { level: 1 }).click();
  await reportOnce(server, unit, { AI1: 75 });
  await heard(page, pitch.urgent).toBeGreaterThan(0);
  await expect(silenceButton(second)).toBeVisible();
  expect(await timesPlayed(second, pitch.urgent)).toBe(0);
  await page.close();
  await heard(second, pitch.urgent).toBeGreaterThan(0);
});

/** Has the page's browser block sound until it is clicked in: whatever Playwright does in a page counts as a user's gesture. */
const blockSound = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    let [isTouched, isAllowed] = [false, false];
    addEventListener(
      "pointerup",
      () => {
        isTouched = true;
      },
      { capture: true },
    );
    AudioContext.prototype.resume = function () {
      if (!isTouched) return new Promise(() => undefined);
      isAllowed = true;
      this.dispatchEvent(new Event("statechange"));
      return Promise.resolve();
    };
    Object.defineProperty(BaseAudioContext.prototype, "state", { get: () => (isAllowed ? "running" : "suspended") });
  });
};

test("the bar says when the browser blocks the sound; a click allows it", async ({ page, server }) => {
  const { unit } = await aQuietPlant(server);
  await blockSound(page);
  await listenTo(page);
  await openSignedIn(page, server);
  await page.evaluate(() => localStorage.setItem("telltale-sound", "true"));
  await page.reload();
  const notice = page.getByRole("button", { name: "Sound blocked by the browser: click to allow" });
  await expect(notice).toBeVisible();
  await reportOnce(server, unit, { AI1: 75 });
  await expect(page.getByRole("banner")).toContainText("1unconfirmed");
  expect(await timesPlayed(page, pitch.urgent)).toBe(0);
  await notice.click();
  await expect(notice).toBeHidden();
  await heard(page, pitch.urgent).toBeGreaterThan(0);
});

test("a connection that stays lost for half a minute has a tone of its own", async ({ page, server }) => {
  await aQuietPlant(server);
  await page.clock.install();
  await listenTo(page);
  let isReachable = true;
  let loseConnection = async () => {};
  await page.routeWebSocket(/\/web\/websocket\//, async (socket) => {
    if (!isReachable) return socket.close();
    socket.connectToServer();
    loseConnection = () => socket.close();
  });
  await openSignedIn(page, server);
  const bar = page.getByRole("banner");
  await expect(bar).toContainText("Live");
  await switchOn(page);
  await heard(page, pitch.low).toBeGreaterThan(0);
  isReachable = false;
  await loseConnection();
  await expect(bar).toContainText(/Reconnecting/);
  await page.clock.runFor(20_000);
  expect(await timesPlayed(page, pitch.lost), "a short gap is none").toBe(0);
  await page.clock.runFor(15_000);
  await heard(page, pitch.lost).toBe(1);
  await page.keyboard.press("s");
  await page.clock.runFor(35_000);
  expect(await timesPlayed(page, pitch.lost), "silenced").toBe(1);
});
