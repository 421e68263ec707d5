import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

type AxeResults = Awaited<ReturnType<AxeBuilder["analyze"]>>;

/** What is judged: everything, or only what a change of the theme can spoil. */
type Rules = "all" | "colours";

/** The part of axe that is called here, which is in a page once it was there. */
interface AxeWindow {
  axe?: { run(part: string, options: object): Promise<AxeResults> };
}

/** What axe finds wrong in this part of the screen as it stands. */
const violationsOf = async (page: Page, part: string, rules: Rules): Promise<string[]> => {
  // What passes is not read: it does not need to be worked out.
  const options = {
    resultTypes: ["violations" as const],
    ...(rules === "colours" ? { runOnly: { type: "rule" as const, values: ["color-contrast"] } } : {}),
  };
  // A page keeps axe until it is left; half a megabyte would be sent and compiled for each run else.
  const again = await page.evaluate(async ([within, given]) => (globalThis as AxeWindow).axe?.run(within, given), [
    part,
    options,
  ] as const);
  // Nothing has frames of another origin.
  const first = () => new AxeBuilder({ page }).setLegacyMode().options(options).include(part).analyze();
  const { violations } = again ?? (await first());
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

const sidewaysExcess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Resolves when the screen was drawn as it is now. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Everything the browser complains of from now on. */
export const errorsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  return complaints;
};

/**
 * No violation of axe in this part of the screen, in both themes and at both widths, and nothing that makes the page scroll sideways. The dark
 * theme has the structure of the light one: there only the colours are judged again.
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
