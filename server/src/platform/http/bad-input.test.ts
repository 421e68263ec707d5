import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { alerts } from "@telltale/contract/domains/alerts";
import { devices } from "@telltale/contract/domains/devices";
import { joint } from "@telltale/contract/domains/joint";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { users } from "@telltale/contract/domains/people/users";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const form = "application/x-www-form-urlencoded";

const post = async (path: string, payload: string | Buffer, type: string | undefined = form) => {
  const headers = type ? { "content-type": type } : {};
  const answer = await server.app.inject({ method: "POST", url: `${path}?token=${owner.token}`, payload, headers });
  return { status: answer.statusCode, ...answer.json<{ code: number; msg: string; result: unknown }>() };
};
const get = async (path: string, query: string) => {
  const answer = await server.app.inject({ method: "GET", url: `${path}?token=${owner.token}&${query}` });
  return { status: answer.statusCode, ...answer.json<{ code: number; msg: string; result: unknown }>() };
};

const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("an invalid body is answered 422 in the envelope, never 500", () => {
  test.each([
    ["malformed JSON", '{"email":', "application/json"],
    ["no JSON at all", "email=a", "application/json"],
    ["an empty body declared as JSON", "", "application/json"],
    ["a list where fields belong", "[1,2]", "application/json"],
    ["a number where fields belong", "5", "application/json"],
    ["null where fields belong", "null", "application/json"],
    ["a prototype", '{"__proto__":{"isAdmin":true},"email":"a","password":"b"}', "application/json"],
    ["a constructor", '{"constructor":{"prototype":{"isAdmin":true}},"email":"a","password":"b"}', "application/json"],
    ["deep nesting", `{"email":${deep(5000)},"password":"b"}`, "application/json"],
    ["an object as a field", '{"email":{"a":1},"password":"b"}', "application/json"],
    ["a NUL in JSON", '{"email":"a\\u0000","password":"b"}', "application/json"],
    ["a NUL in a form", "email=a%00&password=b", form],
    ["a field given twice", "email=a&email=b&password=c", form],
    ["a list as a field", "email[]=a&password=c", form],
    ["a malformed escape as a required field", "email=&password=%zz", form],
    ["another type", "<a/>", "text/xml"],
    ["a multipart body", "--x\r\n\r\n--x--", "multipart/form-data; boundary=x"],
    ["bytes without a type", "abc", ""],
  ])("%s", async (_what, payload, type) => {
    expect(await post(accounts.login.path, payload, type)).toMatchObject({ status: 200, code: 422, result: null });
  });

  test("one too large, which would be parsed before tries are counted", async () => {
    const payload = `email=${"a".repeat(70_000)}&password=b`;
    expect(await post(accounts.login.path, payload)).toMatchObject({ code: 422, msg: "The request is too large" });
  });

  test("a compressed one, of which a few bytes unpack to gigabytes", async () => {
    const body = "email=a%40example.com&password=b";
    const headers = { "content-type": form, "content-encoding": "br" };
    const payload = brotliCompressSync(body);
    const answer = await server.app.inject({ method: "POST", url: accounts.login.path, payload, headers });
    const understood = await post(accounts.login.path, body);
    expect(answer.json().msg).not.toBe(understood.msg);
  });

  test("a thousand fields", async () => {
    const payload = Array.from({ length: 5000 }, (_, i) => `f${i}=1`).join("&");
    expect(await post(accounts.login.path, payload)).toMatchObject({ status: 200, code: 422 });
  });
});

describe("an invalid query", () => {
  test.each([
    ["page=0", "Page has to be a whole number from 1 to 1000000"],
    ["page=one", "Page has to be a whole number from 1 to 1000000"],
    ["page=1&page=2", "Page has to be a whole number from 1 to 1000000"],
    ["size=201", "Rows per page has to be a whole number from 1 to 200"],
    ["status=a", "Status has to be a whole number"],
    ["createdStartTime=yesterday", "Start date (created) has to be a date as 2026-01-31 or 2026-01-31T08:00:00Z"],
    ["deviceName=%00", "Device name holds a character that can't be stored"],
    [`deviceName=${"a".repeat(201)}`, "Device name has at most 200 characters"],
    [`deviceName=a&deviceName=b`, "Device name has to be a text"],
    [`${"status=1&".repeat(1001)}`, "Status has at most 1,000 values"],
  ])("%.40s", async (query, msg) => {
    expect(await get(alerts.log.path, query)).toMatchObject({ status: 200, code: 422, msg });
  });

  test("the message is that of the first field in the declared order", async () => {
    expect(await get(alerts.log.path, "interval=x&page=0")).toMatchObject({
      msg: "Page has to be a whole number from 1 to 1000000",
    });
  });

  test("names with a meaning in JavaScript are treated like any other", async () => {
    expect(await get(alerts.log.path, "__proto__=1&constructor=2&toString=3&hasOwnProperty=4")).toMatchObject({
      code: 0,
    });
  });

  test.each(["status", "alarmClass", "alarmType"])("a %s that there is not finds nothing", async (field) => {
    expect(await get(alerts.log.path, `${field}=2147483647&${field}=-40000`)).toMatchObject({
      code: 0,
      result: { total: 0 },
    });
  });

  test("lists may be repeated or bracketed", async () => {
    expect(await get(alerts.log.path, "status=1&status=2")).toMatchObject({ code: 0 });
    expect(await get(alerts.log.path, "status[]=1&status%5B%5D=2")).toMatchObject({ code: 0 });
  });
});

describe("values that no column can store", () => {
  const json = async (call: { path: string }, body: unknown) =>
    (await post(call.path, JSON.stringify(body), "application/json")).code;
  const person = { firstName: "Iris", lastName: "Berg", email: "iris@example.test", type: 5 };

  test("a lone surrogate is refused", async () => {
    expect(await json(users.add, { ...person, firstName: "\ud800" })).toBe(422);
    expect(await json(profile.changeAlias, { accountId: owner.accountId, alias: "\udc00 plant" })).toBe(422);
    expect(await json(profile.changeAlias, { accountId: owner.accountId, alias: "Plant 👍" })).toBe(0);
  });

  test("a whole number of more than 32 bits is refused", async () => {
    for (const jointId of [2 ** 31, 2 ** 53 - 1, -(2 ** 31) - 1])
      expect(await json(joint.remove, { jointId })).toBe(422);
  });

  test("more values joined by commas than a statement takes are refused", async () => {
    const alarmIds = Array.from({ length: 70_000 }, (_, at) => at + 1).join(",");
    expect(await json(users.add, { ...person, alarmIds })).toBe(422);
  });
});

describe("a form's fields may come as JSON", () => {
  test("with numbers as numbers and null for what is left out", async () => {
    const body = JSON.stringify({ deviceSnId: "7C9EBD000000", deviceName: "Pump", parentDeviceId: 5, accountId: null });
    expect(await post(devices.add.path, body, "application/json")).toMatchObject({ code: 404 });
  });
});

describe("unknown addresses", () => {
  test.each([
    ["GET", "/api/nothing"],
    ["POST", alerts.log.path],
    ["GET", accounts.login.path],
    ["GET", "/api"],
    ["GET", "/api/device/%zz"],
    ["DELETE", alerts.log.path],
    ["PUT", "/api/nothing"],
  ] as const)("%s %s is 404 in the envelope", async (method, url) => {
    const answer = await server.app.inject({ method, url });
    expect([answer.statusCode, answer.json().code]).toEqual([200, 404]);
  });
});

describe("over the network", () => {
  const listening = async (): Promise<number> => {
    if (!server.app.server.listening) await server.app.listen({ port: 0, host: "127.0.0.1" });
    return (server.app.server.address() as AddressInfo).port;
  };

  test("a request that is no HTTP is answered with a bare 400", async () => {
    const port = await listening();
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
      socket.on("data", (data) => resolve(String(data)));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  test("a client that sends a request byte by byte is disconnected after a timeout", () => {
    const { headersTimeout, requestTimeout } = server.app.server;
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 20_000, requestTimeout: 60_000 });
  });

  // A browser opens connections in advance. It retries what it has just sent on one only after a 408; a 400 would be final.
  test("an idle connection is closed with 408", async () => {
    const port = await listening();
    const { headersTimeout } = server.app.server;
    server.app.server.headersTimeout = 1;
    const message = await new Promise<string>((resolve) => {
      connect(port, "127.0.0.1").once("data", (data) => resolve(String(data)));
    });
    server.app.server.headersTimeout = headersTimeout;
    expect(message).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  test("a body that comes a byte at a time is the same body", async () => {
    const port = await listening();
    const body = `email=${encodeURIComponent(`${"ä".repeat(200)}@example.com`)}&password=b`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true }, async () => {
        const head = `Host: a\r\nContent-Type: ${form}\r\nContent-Length: ${body.length}\r\nConnection: close`;
        socket.write(`POST ${accounts.login.path} HTTP/1.1\r\n${head}\r\n\r\n`);
        for (const byte of body) {
          socket.write(byte);
          await nextTurn();
        }
      });
      socket.on("data", (data) => resolve(String(data)));
    });
    const whole = await post(accounts.login.path, body);
    expect(answer).toContain(JSON.stringify(whole.msg));
  });

  test("a body cut off in the middle does no harm", async () => {
    const port = await listening();
    await new Promise<void>((resolve) => {
      const request = httpRequest({
        port,
        method: "POST",
        path: accounts.login.path,
        headers: { "content-type": form, "content-length": 100 },
      });
      request.on("error", () => resolve());
      request.write("email=a");
      setTimeout(() => request.destroy(), 50);
    });
    expect(await get(alerts.log.path, "page=1")).toMatchObject({ code: 0 });
  });
});
