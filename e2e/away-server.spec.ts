import type { Page } from "@playwright/test";
import { expect, test } from "./harness.ts";
import { openSignedIn } from "./people.ts";

const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name, exact: true });

/** Style sheets of the page that are not applied: the browser hides the rules of one that failed to load. */
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

test("a page opened while the server is unreachable says so, and loads completely, with styles, when it is back", async ({
  page,
  server,
}) => {
  // The connection is cut when the page's code is first requested: by the click, or by the browser's prefetch.
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
  await openSignedIn(page, server);
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
