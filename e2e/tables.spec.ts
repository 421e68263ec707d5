import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";

test.describe.configure({ timeout: 240_000 });

const lists = [
  ["/", "Devices"],
  ["/alarms", "Alerts"],
  ["/alarms/notifications", "Notifications"],
  ["/devices", "Devices"],
  ["/devicesHistory", "Downloads"],
  ["/users", "Users"],
  ["/configureDashboard", "Dashboards"],
  ["/configureAlarm", "Threshold alerts and notifications"],
  ["/configureAlarm?tab=custom", "Custom alerts"],
  ["/configureAlarmNotifyUser", "Contacts"],
  ["/configureDevices", "Devices"],
  ["/configureUsers", "Users"],
  ["/support?tab=downloads", "Firmware"],
  ["/joint", "Joint controls"],
  ["/joint", "Joint controls"],
  ["/audit", "Audit log"],
] as const;

/** Unreadable texts of a table: cut off without an ellipsis and a title, or outside of their cell. */
const unreadable = (page: Page, label: string): Promise<string[]> =>
  page.getByRole("table", { name: label, exact: true }).evaluate((table) => {
    const isCutOff = (element: Element): boolean => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      // One pixel wide elements are for screen readers only.
      if (overflowX === "visible" || element.clientWidth <= 1 || !element.textContent?.trim()) return false;
      const isExplained = textOverflow === "ellipsis" && element.closest("[title]") !== null;
      return element.scrollWidth > element.clientWidth + 1 && !isExplained;
    };
    const isOutside = (element: Element, cell: DOMRect): boolean => {
      if (element.clientWidth === 1 || getComputedStyle(element).overflowX !== "visible") return false;
      const range = document.createRange();
      return [...element.childNodes].some((node) => {
        if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) return false;
        range.selectNodeContents(node);
        return [...range.getClientRects()].some(({ left, right }) => left < cell.left - 1 || right > cell.right + 1);
      });
    };
    const found = [...table.querySelectorAll("th, td")].flatMap((cell) => {
      const box = cell.getBoundingClientRect();
      const within = [cell, ...cell.querySelectorAll("*")].filter((element) => !element.closest("svg"));
      const isWrong = within.some((element) => isCutOff(element) || isOutside(element, box));
      return isWrong && box.width > 0 ? [cell.textContent ?? ""] : [];
    });
    return [...new Set(found)];
  });

/** How far a table scrolls sideways, whether the scroll bar is at its head, and whether it brings the last column into view. */
const sideways = (page: Page, label: string) =>
  page.getByRole("table", { name: label, exact: true }).evaluate((table) => {
    const [head, body] = [table.querySelector("thead"), table.querySelector("tbody")] as [HTMLElement, HTMLElement];
    const hidden = Math.max(...[head, body].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    const hasBar = getComputedStyle(head).overflowX === "auto";
    head.scrollLeft = hidden;
    const last = head.querySelector("th:last-child")?.getBoundingClientRect().right ?? Number.POSITIVE_INFINITY;
    const isReached = last <= head.getBoundingClientRect().right + 1;
    head.scrollLeft = 0;
    return { hidden, hasBar, isReached };
  });

/** Checks a table at this width, once its layout is stable. */
const expectReadable = async (page: Page, label: string, width: number): Promise<void> => {
  const at = `${width} pixels wide`;
  await page.setViewportSize({ width, height: 900 });
  await expect.poll(() => unreadable(page, label), at).toEqual([]);
  const seen = async () => {
    const { hidden, hasBar, isReached } = await sideways(page, label);
    const excess = (await page.evaluate(() => document.documentElement.scrollWidth)) - width;
    return { isReached, hasBarIfNeeded: hidden === 0 || hasBar, isTooWide: width >= 1366 && hidden > 0, excess };
  };
  await expect
    .poll(seen, `${at}, it shows its last column, by a bar where one is needed`)
    .toEqual({ isReached: true, hasBarIfNeeded: true, isTooWide: false, excess: 0 });
};

test("at each width every head and cell of a table is readable, and every column reachable", async ({
  page,
  server,
}) => {
  await injectSession(page, server);
  for (const [path, label] of lists)
    await test.step(path, async () => {
      await page.goto(path);
      const table = page.getByRole("table", { name: label, exact: true });
      await expect(table).toHaveAttribute("aria-busy", "false");
      for (const width of [1440, 1366, 1280, 1024]) await expectReadable(page, label, width);
    });
});
