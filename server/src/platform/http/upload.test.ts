import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { post } from "@telltale/contract/call/call";
import { createClient } from "@telltale/contract/call/client";
import * as wire from "@telltale/contract/call/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../log.ts";
import { createGate } from "./gate.ts";
import { mount } from "./mount.ts";
import { createHttp } from "./server.ts";

const calls = {
  store: post("/api/test/store", {
    access: "session",
    summary: "Takes a file with a name",
    encoding: "multipart",
    body: z.object({
      title: z.string({ error: "Name it" }).max(100, { error: "Too long" }),
      file: wire.upload(1000, "Choose a file", "The file has at most 1000 bytes"),
    }),
    result: z.object({ title: z.string(), text: z.string(), fields: z.array(z.string()) }),
  }),
  plain: post("/api/test/plain", { access: "session", summary: "Takes none", result: z.null() }),
};

const caller = { userId: 1, accountId: 1, plantId: 1, roleType: 1 as const, isAdmin: false, dashboardId: null };
const app = createHttp(createLog("silent"));
let port: number;

beforeAll(async () => {
  const gate = createGate(async (token) => (token === "good" ? { ...caller, tokenHash: "" } : undefined));
  mount(app, gate, calls, {
    store: async ({ title, file, ...more }) => ({ title, text: await file.text(), fields: Object.keys(more) }),
    plain: async () => null,
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const requested = (form: FormData, token = "good") =>
  fetch(`http://127.0.0.1:${port}${calls.store.path}?token=${token}`, { method: "POST", body: form }).then(
    (answer) => answer.json() as Promise<{ code: number; msg: string; result: unknown }>,
  );

const formOf = (...fields: [string, string | Blob][]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "a.txt");
  }
  return form;
};
const file = (bytes: number) => new Blob(["x".repeat(bytes)]);

describe("a multipart call", () => {
  test("is given its declared fields through the typed client, files as they were", async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => "good" });
    const text = "x".repeat(1000);
    await expect(client(calls.store, { title: "Notes", file: new Blob([text]) })).resolves.toEqual({
      title: "Notes",
      text,
      fields: [],
    });
  });

  test("never sees a field that it does not declare", async () => {
    const form = formOf(["isAdmin", "1"], ["title", "Notes"], ["file", file(1)]);
    expect(await requested(form)).toMatchObject({ code: 0, result: { title: "Notes", text: "x", fields: [] } });
  });

  test.each([
    [
      "a file one byte too large",
      () => formOf(["title", "a"], ["file", file(1001)]),
      "The file has at most 1000 bytes",
    ],
    ["far too large", () => formOf(["title", "a"], ["file", file(5_000_000)]), "The file has at most 1000 bytes"],
    ["an empty file", () => formOf(["title", "a"], ["file", file(0)]), "Choose a file"],
    ["a text where the file belongs", () => formOf(["title", "a"], ["file", "text"]), "Choose a file"],
    ["a file where a text belongs", () => formOf(["title", file(1)], ["file", file(1)]), "The request is too large"],
    ["a file by another name", () => formOf(["title", "a"], ["image", file(1)]), "Choose a file"],
    ["no text", () => formOf(["file", file(1)]), "Name it"],
    ["a text twice", () => formOf(["title", "a"], ["title", "b"], ["file", file(1)]), "Name it"],
    ["a text too long for any", () => formOf(["title", "a".repeat(20_000)]), "At most 10000 characters"],
    ["two files", () => formOf(["title", "a"], ["file", file(1)], ["file", file(1)]), "The request is too large"],
    ["a prototype", () => formOf(["__proto__", "a"], ["title", "a"], ["file", file(1)]), "The request can't be read"],
  ])("answers %s in words", async (_what, form, msg) => {
    expect(await requested(form())).toEqual({ code: 422, msg, result: null });
  });

  test.each([
    ["JSON", "application/json", '{"title":"a","file":"b"}'],
    ["no boundary", "multipart/form-data", "--x\r\n\r\n--x--"],
    [
      "no end",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ["no part", "multipart/form-data; boundary=x", "nothing"],
    ["an empty body", "multipart/form-data; boundary=x", ""],
  ])("answers 422 to %s", async (_what, type, payload) => {
    const answer = await app.inject({
      method: "POST",
      url: `${calls.store.path}?token=good`,
      headers: { "content-type": type },
      payload,
    });
    expect([answer.statusCode, answer.json().code]).toEqual([200, 422]);
  });

  test("refuses unauthenticated requests before the body has arrived", async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () =>
        socket.write(
          `POST ${calls.store.path}?token=bad HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n`,
        ),
      );
      socket.on("data", (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(answer).toContain('"code":401');
  });

  test("survives a client that disconnects in the middle of a file", async () => {
    await new Promise<void>((resolve) => {
      const headers = { "content-type": "multipart/form-data; boundary=x", "content-length": 10_000 };
      const request = httpRequest({ port, method: "POST", path: `${calls.store.path}?token=good`, headers });
      request.on("error", () => resolve());
      request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
      setTimeout(() => request.destroy(), 50);
    });
    expect(await requested(formOf(["title", "a"], ["file", file(1)]))).toMatchObject({ code: 0 });
  });
});

test("a call that takes no files refuses a multipart body", async () => {
  const answer = await fetch(`http://127.0.0.1:${port}${calls.plain.path}?token=good`, {
    method: "POST",
    body: formOf(["file", file(1)]),
  });
  expect(await answer.json()).toMatchObject({ code: 422 });
});
