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

test("a field is described by the values it takes: numbers with bounds and default, choices with their names, times, lists", () => {
  const query = (path: string) =>
    Object.fromEntries(
      document.paths[path].get.parameters.map(({ name, schema }: { name: string; schema: unknown }) => [name, schema]),
    );
  expect(query("/api/alarm/log/list")).toMatchObject({
    size: { type: "integer", minimum: 1, maximum: 200, default: 20 },
    status: { type: "array", items: { type: "integer", description: "1 triggered, 2 confirmed, 3 cleared" } },
    createdStartTime: { type: "string", format: "date-time" },
  });
  expect(query("/api/version/list")).toMatchObject({
    status: { items: { description: "1 alert, 2 normal, 3 inactive, 4 offline, 5 payment due" } },
  });
  const body = (path: string) =>
    Object.values<{ schema: { properties: object } }>(document.paths[path].post.requestBody.content)[0]?.schema
      .properties;
  expect(body("/api/key/add")).toMatchObject({
    roleType: { enum: [1, 2, 3, 4, 5], description: "1 owner, 2 admin, 3 device manager, 4 installer, 5 viewer" },
    readOnly: { enum: [0, 1], description: "Send 1 for a key that only reads, 0 for one that may change" },
  });
  expect(body("/api/bridge/add")).toMatchObject({
    deviceIds: { type: "string", description: "Joined by commas", contains: { type: "integer" } },
  });
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
