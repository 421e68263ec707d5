import { expect, test } from "vitest";
import { allCalls } from "./all-calls.ts";
import { permissions } from "./permissions.ts";
import { specificationPaths } from "./specification-paths.ts";

const calls = Object.values(allCalls).flatMap((domain) => Object.values(domain));
const declared = calls.map((call) => `${call.method} ${call.path}`);

test("every path of the specifications is declared", () => {
  expect(specificationPaths.filter((path) => !declared.includes(path))).toEqual([]);
});

test("no path is listed or declared twice", () => {
  expect(new Set(specificationPaths).size).toBe(specificationPaths.length);
  expect(new Set(declared).size).toBe(declared.length);
});

test("every call lies below /api and says in one line what it does", () => {
  for (const call of calls) {
    expect(call.path).toMatch(/^\/api\/[\w/]+$/);
    expect(call.summary).toMatch(/^[A-Z].{8,239}$/);
  }
});

test("every call needs a permission that exists", () => {
  const known = new Set<string>(["public", "session", "member", ...Object.keys(permissions)]);
  expect(calls.filter((call) => !known.has(call.access))).toEqual([]);
});
