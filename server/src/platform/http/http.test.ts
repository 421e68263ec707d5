import { post } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { sql } from "kysely";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AppOptions, buildApp } from "../../app.ts";
import { anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createTestWorld, type TestWorld } from "../../test/test-world.ts";
import { createLog } from "../log.ts";
import { createGate } from "./gate.ts";
import { mount } from "./mount.ts";
import { createHttp } from "./server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ metricsToken: "a long metrics token" });
});
afterAll(() => server.close());

/** Serves the same world with other options and its own metrics. */
const anotherApp = (options: AppOptions = {}) => buildApp({ ...server.world, metrics: new Registry() }, options);

const nameOf = ({ url }: TestWorld): string => new URL(url).pathname.slice(1);
const endConnections = (world: TestWorld) =>
  server.world.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user",
    [nameOf(world)],
  );
const loseDatabase = async (world: TestWorld): Promise<void> => {
  await server.world.pool.query(`alter database ${nameOf(world)} allow_connections false`);
  await endConnections(world);
};
const findDatabase = (world: TestWorld) =>
  server.world.pool.query(`alter database ${nameOf(world)} allow_connections true`);

const inject = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: "GET", url, headers });

describe("the token", () => {
  test("may come as query parameter or as bearer", async () => {
    const { token } = await anOwner(server.world);
    const answers = await Promise.all([
      inject(`${accounts.info.path}?token=${token}`),
      inject(accounts.info.path, { authorization: `Bearer ${token}` }),
    ]);
    expect(answers.map((answer) => answer.json().code)).toEqual([0, 0]);
  });

  test.each(["", "?token=", "?token=nonsense", "?token=%00", "?token=a&token=b"])(
    "is missing or unknown: %s",
    async (query) => {
      expect((await inject(accounts.info.path + query)).json()).toEqual({
        code: 401,
        msg: "Login failed, please login again",
        result: null,
      });
    },
  );
});

describe("the log", () => {
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });

  test("never holds a token, whatever happens to the request", async () => {
    const world = await createTestWorld();
    const app = await buildApp({ ...world, log });
    const { token } = await anOwner(world);
    await app.ready();
    await loseDatabase(world);
    const deviceToken = "DEVICETOKEN123456789";
    for (const url of [
      `/api/user/get/UserInfo?token=${token}`,
      `/api/nothing?token=${token}`,
      `/%zz?token=${token}`,
      `/adminLogin?token=${token}`,
      `/dashboard?accessToken=${token}`,
      `/api/v1/${deviceToken}/telemetry`,
    ]) {
      await app.inject({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });
      await app.inject({ method: "POST", url, payload: "{", headers: { "content-type": "application/json" } });
    }
    await app.close();
    await world.close();
    expect(lines.some((line) => line.includes("A call failed"))).toBe(true);
    expect(lines.filter((line) => line.includes(token) || line.includes(deviceToken))).toEqual([]);
  });

  test("redacts secrets that are logged by name", () => {
    lines.length = 0;
    log.info({ token: "s3cret", device: { accessToken: "s3cret" }, body: { password: "s3cret" } }, "Something");
    expect(lines.join()).toContain("[redacted]");
    expect(lines.join()).not.toContain("s3cret");
  });
});

describe("an internal error", () => {
  const calls = {
    fail: post("/api/fail", { access: "public", summary: "Fails", result: z.null() }),
    lie: post("/api/lie", { access: "public", summary: "Answers something else", result: z.object({ id: z.int() }) }),
  };
  const build = () => {
    const app = createHttp(createLog("silent"));
    const gate = createGate(async () => undefined);
    mount(app, gate, calls, {
      fail: async () => {
        throw new Error('relation "secrets" does not exist');
      },
      lie: async () => ({ id: "one" }) as never,
    });
    return app;
  };

  test.each(["/api/fail", "/api/lie"])("is 500 'Server is busy' and tells no cause: %s", async (url) => {
    const answer = await build().inject({ method: "POST", url });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ code: Code.internal, msg: "Server is busy", result: null });
  });

  test("a call without a handler and a handler without a call are not served", () => {
    const app = createHttp(createLog("silent"));
    const gate = createGate(async () => undefined);
    expect(() => mount(app, gate, calls, { fail: async () => null } as never)).toThrow("has no handler");
    expect(() => mount(app, gate, {}, { more: async () => null } as never)).toThrow("There is no call more");
  });
});

describe("headers", () => {
  test("keep the address from other sites and scripts from ours", async () => {
    const { headers } = await inject("/");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
    expect(headers["content-security-policy"]).not.toMatch(/script-src|unsafe-/);
    expect(headers["strict-transport-security"]).toBeUndefined();
  });

  test.each([
    ["a page", "/", {}],
    ["a call", "/api/site", {}],
    ["a refused call", accounts.info.path, {}],
    ["no call", "/api/nothing", {}],
    ["an address that can't be decoded", "/api/%zz", {}],
    ["no page", "/nothing.js", {}],
    ["the API documentation", "/api/docs", { accept: "text/html" }],
    ["a device's request", "/api/v1/nobody/attributes", {}],
    ["metrics", "/metrics", {}],
    ["health", "/healthz", {}],
    ["a socket without a token", "/web/websocket/1_1", {}],
  ])("stand over every answer: %s", async (_what, url, headers) => {
    expect((await inject(url, headers)).headers).toMatchObject({
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
    });
  });

  test("allow only styles with this answer's nonce", async () => {
    const read = async () => {
      const { headers, body } = await inject("/api/docs", { accept: "text/html" });
      const [, demanded] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(`${headers["content-security-policy"]}`) ?? [];
      expect(body).toContain(`<style nonce="${demanded}">`);
      return demanded;
    };
    expect(await read()).not.toBe(await read());
  });

  test("keep answers out of caches: they hold tokens and a plant's data", async () => {
    for (const url of ["/api/user/get/UserInfo", "/api/nothing"])
      expect((await inject(url)).headers["cache-control"]).toBe("no-store");
  });

  test("demand TLS where browsers come by it", async () => {
    const app = await anotherApp({ isTls: true });
    const { headers } = await app.inject({ method: "GET", url: "/" });
    await app.close();
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
  });
});

describe("for operators", () => {
  test("/healthz and /readyz answer", async () => {
    expect((await inject("/healthz")).statusCode).toBe(200);
    expect((await inject("/readyz")).json()).toEqual({ status: "ready", database: "ok" });
  });

  test("/readyz is 503 and says why", async () => {
    const checks = { broker: () => Promise.reject(new Error("MQTT does not listen")) };
    const app = await anotherApp({ checks });
    const answer = await app.inject({ method: "GET", url: "/readyz" });
    await app.close();
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: "not ready", database: "ok", broker: "MQTT does not listen" },
    ]);
  });

  test("/metrics is for its token's bearer", async () => {
    expect((await inject("/metrics")).statusCode).toBe(403);
    expect((await inject("/metrics", { authorization: "Bearer a long metrics token" })).statusCode).toBe(403);
    expect((await inject("/metrics?token=a%20long%20metrics%20token")).statusCode).toBe(200);
  });

  test("/metrics without a token is for the machine itself, not for clients of a proxy on it", async () => {
    const app = await anotherApp();
    const read = (remoteAddress: string, headers = {}) =>
      app.inject({ method: "GET", url: "/metrics", remoteAddress, headers });
    const answers = await Promise.all([
      read("127.0.0.1"),
      read("::1"),
      read("192.0.2.7"),
      read("127.0.0.1", { "x-forwarded-for": "192.0.2.7" }),
    ]);
    await app.close();
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 403, 403]);
  });

  test("/api/docs describes every call", async () => {
    const document = (await inject("/api/docs")).json();
    expect(document.openapi).toBe("3.1.0");
    expect(document.paths["/api/user/login"].post.requestBody.content).toHaveProperty(
      "application/x-www-form-urlencoded",
    );
    expect(document.paths["/api/alarm/accept"].get.parameters).toMatchObject([
      { name: "alarmLogId", in: "query", required: true },
      { name: "note", in: "query", required: false },
    ]);
  });
});

describe("/api/docs in a browser", () => {
  test("is a page without scripts that names every call", async () => {
    const { headers, body } = await inject("/api/docs", { accept: "text/html,*/*" });
    expect(headers["content-type"]).toContain("text/html");
    expect(body).toContain("<code>/api/alarm/accept</code>");
    expect(body).not.toContain("<script");
  });
});

describe("a database that refuses to be written to", () => {
  test("is reported by /readyz, with its reason, until it can be written to again", async () => {
    const world = await createTestWorld();
    const app = await buildApp(world);
    const setReadOnly = async (state: "on" | "off") => {
      await server.world.pool.query(`alter database ${nameOf(world)} set default_transaction_read_only = ${state}`);
      await endConnections(world);
    };
    const readiness = async () => {
      const answer = await app.inject({ method: "GET", url: "/readyz" });
      return [answer.statusCode, answer.json().database];
    };
    expect(await readiness()).toEqual([200, "ok"]);
    await setReadOnly("on");
    const refusal = [503, "cannot execute INSERT in a read-only transaction"];
    await expect.poll(readiness, { timeout: 10_000 }).toEqual(refusal);
    await setReadOnly("off");
    await expect.poll(readiness, { timeout: 10_000 }).toEqual([200, "ok"]);
    await app.close();
    await world.close();
  });
});

describe("a lost database", () => {
  test("is answered 500 'Server is busy', and forgotten when it is back", async () => {
    const world = await createTestWorld();
    const app = await buildApp(world);
    const url = `${accounts.info.path}?token=${(await anOwner(world)).token}`;
    const codeOfInfo = async () => (await app.inject({ method: "GET", url })).json().code;
    expect(await codeOfInfo()).toBe(0);
    await loseDatabase(world);
    await expect.poll(codeOfInfo, { timeout: 10_000 }).toBe(500);
    expect((await app.inject({ method: "GET", url: "/readyz" })).statusCode).toBe(503);
    await findDatabase(world);
    await expect.poll(codeOfInfo, { timeout: 10_000 }).toBe(0);
    await app.close();
    await world.close();
  });

  test("ends the statements under way and nothing else", async () => {
    const world = await createTestWorld();
    const sleep = () => world.db.selectNoFrom(sql`pg_sleep(20)`.as("slept")).execute();
    const ends = Promise.allSettled(Array.from({ length: 5 }, sleep));
    const asleep = "select 1 from pg_stat_activity where datname = $1 and query like '%pg_sleep%' and state = 'active'";
    const { pool: outside } = server.world;
    await expect.poll(async () => (await outside.query(asleep, [nameOf(world)])).rowCount, { timeout: 10_000 }).toBe(5);
    await endConnections(world);
    expect((await ends).map((end) => end.status)).toEqual(Array(5).fill("rejected"));
    const one = () =>
      world.pool.query("select 1 as one").then(
        ({ rows }) => rows[0]?.one,
        () => "lost",
      );
    await expect.poll(one, { timeout: 10_000 }).toBe(1);
    await world.close();
  });
});
