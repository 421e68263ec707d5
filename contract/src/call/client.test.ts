import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { get, getFile, post } from "./call.ts";
import { addressOf, CallError, createClient } from "./client.ts";
import * as wire from "./wire.ts";

const search = get("/api/search", {
  access: "session",
  summary: "Finds",
  query: z.object({
    page: wire.int().default(1),
    status: wire.list(wire.int()).optional(),
    since: wire.rangeStart().optional(),
    name: wire.text(5).optional(),
  }),
  result: z.object({ at: wire.time().nullable() }),
});
const rename = post("/api/rename", {
  access: "session",
  summary: "Renames",
  query: z.object({ id: wire.int() }),
  body: z.object({ name: z.string(), count: wire.int().optional() }),
  result: z.null(),
});
const save = post("/api/save", {
  access: "public",
  summary: "Saves",
  encoding: "json",
  body: z.object({ ids: z.array(z.int()) }),
  result: z.null(),
});
const parts = get("/api/parts", { access: "session", summary: "Parts", result: z.array(z.int()).nullable() });

const sheet = getFile("/api/sheet", { access: "session", summary: "A sheet", file: "text/csv" });

/** A client whose server always gives this answer, together with the recorded requests. */
const clientOf = (answer: unknown, { token = "secret", status = 200 } = {}) => {
  const sent: { address: string; init: RequestInit }[] = [];
  const send = async (address: unknown, init: RequestInit = {}) => {
    sent.push({ address: String(address), init });
    if (answer instanceof Error) throw answer;
    return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
  };
  return { call: createClient({ baseUrl: "http://host", token: () => token, fetch: send as typeof fetch }), sent };
};
const ok = (result: unknown) => ({ code: 0, msg: "", result });
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (fault) => (fault instanceof CallError ? [fault.code, fault.message] : fault),
  );

describe("requests", () => {
  test("a query repeats list parameters, writes dates as ISO 8601, ends with the token, and omits fields not given", async () => {
    const { call, sent } = clientOf(ok({ at: null }));
    await call(search, { status: [1, 3], since: new Date("2026-01-31T00:00:00Z") });
    expect(sent[0]?.address).toBe(
      "http://host/api/search?status=1&status=3&since=2026-01-31T00%3A00%3A00.000Z&token=secret",
    );
    expect(sent[0]?.init.method).toBe("GET");
  });

  test("a form body is form-encoded, and the query of its call stays in the URL", async () => {
    const { call, sent } = clientOf(ok(null));
    await call(rename, { id: 7, name: "Ü & Co", count: 2 });
    expect(sent[0]?.address).toBe("http://host/api/rename?id=7&token=secret");
    expect(String(sent[0]?.init.body)).toBe("name=%C3%9C+%26+Co&count=2");
  });

  test("a JSON body is JSON, and a public call carries no token", async () => {
    const { call, sent } = clientOf(ok(null));
    await call(save, { ids: [1, 2] });
    expect(sent[0]?.address).toBe("http://host/api/save");
    expect(sent[0]?.init.body).toBe('{"ids":[1,2]}');
  });

  test("invalid input is refused before it is sent, with the field's message", async () => {
    const { call, sent } = clientOf(ok({ at: null }));
    expect(await refusalOf(call(search, { name: "too long" }))).toEqual([422, "Name has at most 5 characters"]);
    expect(sent).toEqual([]);
  });

  test("an address to open contains query and token", () => {
    expect(addressOf("", search, { page: 2 }, "t")).toBe("/api/search?page=2&token=t");
    expect(addressOf("", parts, {})).toBe("/api/parts");
  });
});

describe("answers", () => {
  test("a result is decoded", async () => {
    const { call } = clientOf(ok({ at: "2026-01-31T08:00:00.000Z" }));
    expect(await call(search)).toEqual({ at: new Date("2026-01-31T08:00:00Z") });
  });

  test("code 110 counts as success", async () => {
    const { call } = clientOf({ code: 110, msg: "", result: null });
    expect(await call(parts)).toBeNull();
  });

  test.each([
    ["another code", { code: 409, msg: "Claimed already", result: null }, 200, [409, "Claimed already"]],
    ["another code without words", { code: 403, msg: "", result: null }, 200, [403, "Server is busy"]],
    ["a status that is not 200", ok(null), 500, [-1, "Server is busy"]],
    ["a result that this client does not understand", ok({ newer: true }), 200, [-1, "Server is busy"]],
    ["no JSON", "<html>", 200, [-1, "Server is busy"]],
    ["JSON that is no envelope", [1], 200, [-1, "Server is busy"]],
    ["no answer", new TypeError("fetch failed"), 200, [-1, "Network is busy"]],
  ])("%s is a CallError", async (_what, answer, status, expected) => {
    expect(await refusalOf(clientOf(answer, { status }).call(parts))).toEqual(expected);
  });

  test("code 110 is an error for methods other than GET", async () => {
    const { call } = clientOf({ code: 110, msg: "There is none", result: null });
    expect(await refusalOf(call(rename, { id: 1, name: "pump" }))).toEqual([110, "There is none"]);
  });

  test("an aborted call throws the signal's reason", async () => {
    const abort = new AbortController();
    abort.abort(new Error("left the page"));
    const { call } = clientOf(new TypeError("aborted"));
    expect(await refusalOf(call(parts, {}, abort.signal))).toEqual(new Error("left the page"));
  });
});

describe("a call that takes too long", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const never = (signal: AbortSignal | null | undefined, end: (reason: unknown) => void): void =>
    signal?.addEventListener("abort", () => end(signal.reason));
  /** A server that does not answer, and one whose answer does not end. */
  const silent = ({ signal }: RequestInit): Promise<Response> => new Promise((_, reject) => never(signal, reject));
  const endless =
    (type: string) =>
    async ({ signal }: RequestInit): Promise<Response> => {
      const start = (controller: ReadableStreamDefaultController) =>
        never(signal, (reason) => controller.error(reason));
      return new Response(new ReadableStream({ start }), { headers: { "content-type": type } });
    };

  test.each([
    ["without an answer", parts, silent],
    ["with half an answer", parts, endless("application/json")],
    ["with half a file", sheet, endless("text/csv")],
  ])("%s is given up after 1,000,000 ms: the network is busy", async (_what, asked, answer) => {
    for (const signal of [undefined, new AbortController().signal]) {
      const send = (_: unknown, init: RequestInit = {}) => answer(init);
      const told = vi.fn();
      const refused = refusalOf(createClient({ baseUrl: "", fetch: send as typeof fetch })(asked, {}, signal));
      void refused.then(told);
      await vi.advanceTimersByTimeAsync(999_999);
      expect(told).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(await refused).toEqual([-1, "Network is busy"]);
    }
  });

  test("is waited for no longer than until its answer", async () => {
    await clientOf(ok([])).call(parts);
    await refusalOf(clientOf(new TypeError("fetch failed")).call(parts));
    expect(vi.getTimerCount()).toBe(0);
  });
});
