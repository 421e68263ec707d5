import { shortcutPages } from "@telltale/contract/domains/people/personal";
import { expect, test } from "vitest";
import { pages } from "./pages.ts";

test.each(Object.entries(shortcutPages))(
  "a shortcut to %s opens a page, for roles that may open it",
  (path, { needs }) => {
    expect(pages.find((page) => page.path === path)?.needs).toBe(needs);
  },
);

test("every page in the menu can have a shortcut", () => {
  const inMenu = pages.flatMap(({ menu, path }) => (menu ? [path] : []));
  expect(Object.keys(shortcutPages)).toEqual(expect.arrayContaining(inMenu));
});
