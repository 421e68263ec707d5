import { expect, test } from "vitest";
import { allCalls } from "./all-calls.ts";
import { permissions } from "./permissions.ts";
import { specificationPaths } from "./specification-paths.ts";

const calls = Object.values(allCalls).flatMap((domain) => Object.values(domain));
const declared = calls.map((call) => `${call.method} ${call.path}`);

test("every path of the specifications is declared", () => {
  expect(specificationPaths.filter((path) => !declared.includes(path))).toEqual([]);
});

/** The POST calls that the specification marks; the others take forms. (spec 2 §7) */
const marked: Readonly<Record<string, string>> = {
  "POST /api/user/update/info": "json",
  "POST /api/user/update/userInfo": "json",
  "POST /api/user/change/alias": "json",
  "POST /api/user/upload": "multipart",
  "POST /api/user/add/user": "json",
  "POST /api/user/edit/user": "json",
  "POST /api/dashboard/edit": "json",
  "POST /api/channel/modify": "json",
};

test("a POST of the specifications takes a form, unless it is marked there", () => {
  const posts = specificationPaths.filter((path) => path.startsWith("POST "));
  const encodings = new Map(calls.map(({ method, path, encoding }) => [`${method} ${path}`, encoding]));
  expect(posts.map((path) => [path, encodings.get(path)])).toEqual(posts.map((path) => [path, marked[path] ?? "form"]));
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
