import { expect, it } from "vitest";
import { documentTitle } from "./title.ts";

it("the page title starts with the number of unconfirmed alerts, and omits zero", () => {
  expect(documentTitle("DASHBOARD", "6")).toBe("(6) DASHBOARD - Telltale");
  expect(documentTitle("DASHBOARD", "0")).toBe("DASHBOARD - Telltale");
  expect(documentTitle("Log IN")).toBe("Log IN - Telltale");
});
