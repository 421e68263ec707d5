import { expect, test } from "vitest";
import { allCalls } from "../all-calls.ts";
import { openApi } from "./openapi.ts";

const document = JSON.parse(JSON.stringify(openApi("1.2.3")));

test("every call is described under a unique operation id", () => {
  const calls = Object.values(allCalls).flatMap((domain) => Object.values(domain));
  const operations = calls.map((call) => document.paths[call.path]?.[call.method.toLowerCase()]);
  expect(operations.every((operation) => operation?.summary && operation.responses[200])).toBe(true);
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(calls.length);
});

test("the description says who may call", () => {
  expect(document.paths["/api/device/add"].post.description).toBe(
    "Needs a token or API key of: Owner, Admin, Device manager, Installer; not in a support view or by a read-only key.",
  );
  expect(document.paths["/api/user/login"].post.security).toEqual([]);
});

test("a time is described as text", () => {
  const { schema } = document.paths["/api/device/getData"].get.responses[200].content["application/json"];
  expect(JSON.stringify(schema.properties.result)).toContain('"date-time"');
});

test("an optional field is not required", () => {
  const parameters = Object.fromEntries(
    document.paths["/api/alarm/log/list"].get.parameters.map((one: { name: string; required: boolean }) => [
      one.name,
      one.required,
    ]),
  );
  expect(parameters).toMatchObject({ page: false, size: false, status: false });
});
