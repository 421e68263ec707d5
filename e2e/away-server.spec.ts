import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { enter } from "./people.ts";

const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name, exact: true });

/** Style sheets of the page that are not in force: of one that could not be loaded, the browser keeps the rules secret. */
const missingStyles = (page: Page) =>
  page.evaluate(() => {
    const hasRules = ({ sheet }: HTMLLinkElement): boolean => {
      try {
        return sheet?.cssRules !== undefined;
      } catch {
        return false;
      }
    };
    const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
    return links.filter((link) => !hasRules(link)).map(({ href }) => href);
  });

test("a page opened while the server is away says so, and opens whole, with its styles, when it is back", async ({
  page,
  server,
}) => {
  // The connection goes when the page's code is first asked for: by the click, or because the browser loads it ahead.
  let connection: "there" | "away" | "back" = "there";
  const cut: string[] = [];
  await page.route("**/assets/**", (route) => {
    const url = route.request().url();
    if (connection === "there" && /\/(devices-screen|device-list|status-panel)-/.test(url)) connection = "away";
    if (connection !== "away") return route.continue();
    cut.push(url);
    return route.abort();
  });
  await page.route("**/readyz", (route) => (connection === "away" ? route.abort() : route.continue()));
  await enter(page, server);
  await menuLink(page, "DEVICES").click();
  await expect(
    page.getByRole("status").filter({ hasText: "The page opens as soon as the server answers" }),
  ).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DASHBOARD");
  connection = "back";
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("DEVICES");
  expect(
    cut.some((url) => url.endsWith(".css")),
    "a style sheet failed",
  ).toBe(true);
  await expect.poll(() => missingStyles(page)).toEqual([]);
  await expect(page.getByText("The page opens as soon as the server answers")).toHaveCount(0);
});
