import { expect, test } from "vitest";
import { openFilesWarning } from "./start.ts";

const limits = (most: string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${most.padEnd(21)}${most.padEnd(21)}files\nMax msgqueue size         819200               819200               bytes\n`;

test("a process that may open few files warns about what it needs", () => {
  expect(openFilesWarning(limits("1024"))).toMatch(/^This process may open 1024 files.*LimitNOFILE/);
  expect(openFilesWarning(limits("20000"))).toBeUndefined();
  expect(openFilesWarning(limits("unlimited"))).toBeUndefined();
  expect(openFilesWarning("")).toBeUndefined();
});
