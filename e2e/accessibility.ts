import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { smallTargetsOf } from "./touch-targets.ts";

type AxeResults = Awaited<ReturnType<AxeBuilder["analyze"]>>;

/** Which rules to check: all, or only those that the theme affects. */
type Rules = "all" | "colours";

/** The part of axe used here; a page has it once it was injected. */
interface AxeWindow {
  axe?: { run(part: string, options: object): Promise<AxeResults> };
}

/** Axe's violations in this part of the current screen. */
const violationsOf = async (page: Page, part: string, rules: Rules): Promise<string[]> => {
  // Passing rules are not reported, so they need not be computed.
  const options = {
    resultTypes: ["violations" as const],
    ...(rules === "colours" ? { runOnly: { type: "rule" as const, values: ["color-contrast"] } } : {}),
  };
  // A page keeps axe until navigation; otherwise half a megabyte would be sent and compiled for each run.
  const again = await page.evaluate(async ([within, given]) => (globalThis as AxeWindow).axe?.run(within, given), [
    part,
    options,
  ] as const);
  // Legacy mode: there are no frames of another origin.
  const first = () => new AxeBuilder({ page }).setLegacyMode().options(options).include(part).analyze();
  const { violations } = again ?? (await first());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

const sidewaysExcess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Resolves when the current state has been painted. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Collects all errors that the browser reports from now on. */
export const errorsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    // Tests run without the service worker, which would outlive them.
    if (isComplaint && !message.text().startsWith("Service Worker registration blocked by Playwright"))
      complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  return complaints;
};

/**
 * Checks that this part of the screen has no axe violations, in both themes and at both widths, and no horizontal page scroll. The dark theme has
 * the same structure as the light one: for it only the colours are checked again.
 */
export const check = (page: Page, screen: string, part = "html"): Promise<void> =>
  test.step(screen, async () => {
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    const finds = async (where: string, rules: Rules) => {
      await drawn(page);
      expect.soft(await violationsOf(page, part, rules), `${screen}, ${where}`).toEqual([]);
      expect.soft(await sidewaysExcess(page), `${screen}, ${where}, scrolls sideways by so many pixels`).toBe(0);
    };
    await finds("light", "all");
    await page.emulateMedia({ colorScheme: "dark" });
    await finds("dark", "colours");
    await page.setViewportSize({ width: 390, height: 844 });
    await finds("narrow and dark", "colours");
    await page.emulateMedia({ colorScheme: "light" });
    await finds("narrow", "all");
    await page.setViewportSize(wide);
    await drawn(page);
  });

/** `check`, and that on a phone no control of this part is too small for a finger. */
export const checkWithTouch = async (page: Page, screen: string, part = "html"): Promise<void> => {
  await check(page, screen, part);
  const wide = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 390, height: 844 });
  await drawn(page);
  expect.soft(await smallTargetsOf(page, part), `${screen}, too small for a finger`).toEqual([]);
  await page.setViewportSize(wide);
  await drawn(page);
};
