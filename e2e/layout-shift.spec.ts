import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { injectSession } from "./people.ts";
import { whenQuiet } from "./screen.ts";

/** Parts of the page that moved by themselves, as the browser reports it; `by` is their share of the screen times their share of the way. */
interface Shift {
  by: number;
  parts: string[];
}

interface Entry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Element | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** From the first paint on. */
const noteShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: Shift[] = [];
    /** A list's rows come and go with what happens in the plant, and move what is below. */
    const isOfRows = (node: Element) =>
      Array.from(document.querySelectorAll("tbody")).some(
        (rows) => rows.contains(node) || (rows.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) > 0,
      );
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[])
        if (!hadRecentInput)
          shifts.push({
            by: value,
            parts: sources
              .filter(({ node }) => node && !isOfRows(node))
              .map(
                ({ node, previousRect, currentRect }) =>
                  `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${placeOf(previousRect)} to ${placeOf(currentRect)}`,
              ),
          });
    }).observe({ type: "layout-shift", buffered: true });
  });

const shiftsOf = (page: Page) => page.evaluate(() => (globalThis as typeof globalThis & { shifts: Shift[] }).shifts);

const screens = [
  "/",
  "/alarms",
  "/alarms?view=standing",
  "/alarms/notifications",
  "/devices",
  "/users",
  "/sms",
  "/configureDashboard",
  "/configureAlert",
  "/configureDevices",
  "/support",
];

for (const path of screens)
  test(`what is on ${path} stays where it is while the rest loads`, { tag: "@phone" }, async ({ page, server }) => {
    await injectSession(page, server);
    await noteShifts(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    // At the first visit the browser does not know yet what is to be paid.
    for (const _visit of ["first", "second"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await whenQuiet(page, requests);
    }
    const shifts = await shiftsOf(page);
    // A small part by a few pixels: a click that was aimed before still meets its mark.
    expect(shifts.filter(({ by, parts }) => by > 0.01 && parts.length > 0)).toEqual([]);
  });
