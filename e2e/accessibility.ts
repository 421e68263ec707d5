import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

export type ColorScheme = "light" | "dark";

/** What axe finds wrong. The dark theme has the same structure: there only the colours are judged again. */
const violationsOf = async (page: Page, colorScheme: string, part: string): Promise<string[]> => {
  const axe = new AxeBuilder({ page }).include(part);
  const { violations } = await (colorScheme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
};

const sidewaysExcess = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Everything the browser complains of from now on. */
export const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.text()} ${page.url()}`);
  });
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  return complaints;
};

/** Looks at what is on screen now, or at this part of it. */
export type Check = (page: Page, screen: string, part?: string) => Promise<void>;

/** No violation of axe in this part of the screen, and nothing that makes the page scroll sideways. */
export const checkIn =
  (colorScheme: ColorScheme): Check =>
  (page, screen, part = "html") =>
    test.step(screen, async () => {
      expect.soft(await violationsOf(page, colorScheme, part), screen).toEqual([]);
      expect.soft(await sidewaysExcess(page), `${screen} scrolls sideways by so many pixels`).toBe(0);
    });
