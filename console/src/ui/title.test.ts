import { expect, it } from "vitest";
import { documentTitle } from "./title.ts";

it("counts the unconfirmed alerts in front of the page's title, and says nothing about none", () => {
  expect(documentTitle("DASHBOARD", "6")).toBe("(6) DASHBOARD - Telltale");
  expect(documentTitle("DASHBOARD", "0")).toBe("DASHBOARD - Telltale");
  expect(documentTitle("Log IN")).toBe("Log IN - Telltale");
});
