import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

/** What axe finds wrong in this part of the screen as it stands. */
const violationsOf = async (page: Page, part: string, evaluate: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> => {
  // Nothing has frames of another origin, and what passes is not read: neither needs to be worked out.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .include(part);
  const { violations } = await evaluate(axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

const sidewaysExcess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Resolves when the screen was drawn as it is now. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Everything the browser complains of from now on. */
export const errorsOf = (page: Page): string[] => {
  const validationErrors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      validationErrors.push(`${message.text()} ${page.url()}`);
  });
  page.on("pageerror", (error) => validationErrors.push(error.stack ?? error.message));
  return validationErrors;
};

/**
 * No violation of axe in this part of the screen, in both themes and at both widths, and nothing that makes the page scroll sideways. The dark
 * theme has the structure of the light one: there only the colours are judged again.
 */
export const check = (page: Page, screen: string, part = "html"): Promise<void> =>
  test.step(screen, async () => {
    const wide = page.viewportSize() ?? { width: 1440, height: 900 };
    const finds = async (where: string, evaluate: (axe: AxeBuilder) => AxeBuilder) => {
      await drawn(page);
      expect.soft(await violationsOf(page, part, evaluate), `${screen}, ${where}`).toEqual([]);
      expect.soft(await sidewaysExcess(page), `${screen}, ${where}, scrolls sideways by so many pixels`).toBe(0);
    };
    const onlyColours = (axe: AxeBuilder) => axe.withRules("color-contrast");
    await finds("light", (axe) => axe);
    await page.emulateMedia({ colorScheme: "dark" });
    await finds("dark", onlyColours);
    await page.setViewportSize({ width: 390, height: 844 });
    await finds("narrow and dark", onlyColours);
    await page.emulateMedia({ colorScheme: "light" });
    await finds("narrow", (axe) => axe);
    await page.setViewportSize(wide);
    await drawn(page);
  });
