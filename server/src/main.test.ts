import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command, withDatabase } from "./platform/database/test-commands.ts";
import { createTestDatabase, type TestDatabase } from "./platform/database/test-database.ts";

let database: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  other = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await other.drop();
});

const start = (environment: Record<string, string>) => {
  const program = join(import.meta.dirname, "main.ts");
  const free = { PORT: "0", MQTT_PORT: "0", HOST: "127.0.0.1", MQTT_HOST: "127.0.0.1", TELLTALE_DEMO: "0" };
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, ...free, ...environment };
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], { env });
};

/** The server's output until it is ready. */
const greetingOf = async (server: ReturnType<typeof start>): Promise<string> => {
  let output = "";
  for await (const part of server.stdout.setEncoding("utf8")) {
    output += part;
    if (output.includes("Telltale is ready") && output.endsWith("\n\n")) break;
  }
  return output;
};

const endOf = async (server: ReturnType<typeof start>) => {
  const output = text(server.stderr);
  const [code] = await once(server, "exit");
  return { code, output: await output };
};

test("a bad variable is one line on standard error and exit code 2", async () => {
  expect(await endOf(start({ PORT: "eighty" }))).toEqual({
    code: 2,
    output: "PORT has to be a port from 0 to 65535\n",
  });
});

test("a certificate that can't be read is named", async () => {
  const { code, output } = await endOf(start({ TLS_CERT: "/nowhere/cert.pem", TLS_KEY: "/nowhere/key.pem" }));
  expect([code, output.trim().split("\n").at(-1)]).toEqual([
    2,
    "TLS_CERT names a file that can't be read: /nowhere/cert.pem",
  ]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "starts, says how to make the first owner, and stops at %s with code 0",
  async (signal) => {
    const server = start({});
    const output = await greetingOf(server);
    expect(output).toContain("npx telltale users add --owner");
    expect(output).toMatch(/http:\/\/localhost:\d+\/firstOwner\?secret=\S{20,}/);
    const address = /http:\/\/localhost:\d+/.exec(output)?.[0] ?? "";
    expect((await fetch(`${address.replace("localhost", "127.0.0.1")}/readyz`)).status).toBe(200);
    const begun = performance.now();
    server.kill(signal);
    const { code } = await endOf(server);
    expect(code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
);

test("while the database is away the node itself stays ready, so that a balancer keeps its clients' connections", async () => {
  const own = await createTestDatabase();
  const server = start({ DATABASE_URL: own.url });
  const address = /http:\/\/localhost:\d+/.exec(await greetingOf(server))?.[0]?.replace("localhost", "127.0.0.1");
  const readiness = async (query: string) => (await fetch(`${address}/readyz${query}`)).status;
  expect([await readiness(""), await readiness("?of=node")]).toEqual([200, 200]);
  const name = new URL(own.url).pathname.slice(1);
  const outside = withDatabase(own.url, "postgres");
  await command(outside, `alter database ${name} allow_connections false`);
  await command(outside, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await expect.poll(() => readiness(""), { timeout: 10_000 }).toBe(503);
  const answer = await fetch(`${address}/readyz?of=node`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: "ready", broker: "ok", disk: expect.any(String) });
  await command(outside, `alter database ${name} allow_connections true`);
  await expect.poll(() => readiness(""), { timeout: 10_000 }).toBe(200);
  server.kill("SIGTERM");
  await once(server, "exit");
  await own.drop();
});

/** Makes a server say on standard error to which ports it connects. */
const told = `
  import { subscribe } from "node:diagnostics_channel";
  subscribe("net.client.socket", ({ socket }) =>
    socket.on("connectionAttempt", (_address, port) => process.stderr.write("connects to " + port + "\\n")));`;
const telling = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` };

test.each([
  ["without NATS_URL opens no connection, also not to port 4222, where NATS is by default", {}, []],
  ["with NATS_URL connects to its port", { NATS_URL: "nats://127.0.0.1:9" }, ["connects to 9"]],
])("a server %s", async (_what, environment, ports) => {
  const server = start({ ...telling, ...environment });
  await greetingOf(server);
  server.kill("SIGTERM");
  const { output } = await endOf(server);
  expect([...new Set(output.match(/connects to \d+/g))]).toEqual(ports);
});

test("a DATA_DIR that is a file is named in one line, with what to do", async () => {
  const { code, output } = await endOf(start({ DATA_DIR: import.meta.filename }));
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `DATA_DIR ${import.meta.filename} cannot be made (EEXIST): name a folder that this user may write to`,
  );
});

test("a port in use is reported in one line", async () => {
  const first = start({});
  const port = /localhost:(\d+)/.exec(await greetingOf(first))?.[1] ?? "";
  const { code, output } = await endOf(start({ PORT: port, DATABASE_URL: other.url }));
  first.kill("SIGTERM");
  await once(first, "exit");
  expect(code).toBe(1);
  expect(output).toContain(`Port ${port} is in use: end what uses it, or choose another PORT, MQTT_PORT or SQL_PORT`);
});

test("a second server on the same database names the first and exits; commands still work beside the first; after kill -9 the next start serves at once", async () => {
  const first = start({});
  await greetingOf(first);
  const { code, output } = await endOf(start({}));
  expect(code).toBe(1);
  expect(output).toContain(
    `Another Telltale serves this database already (telltale process ${first.pid} on ${hostname()})`,
  );
  const program = join(import.meta.dirname, "operator/main.ts");
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url };
  const listed = await promisify(execFile)(process.execPath, [program, "devices", "list", "--json"], { env });
  expect(JSON.parse(listed.stdout)).toEqual([]);
  first.kill("SIGKILL");
  await once(first, "exit");
  const next = start({});
  expect(await greetingOf(next)).toContain("Telltale is ready");
  next.kill("SIGTERM");
  expect((await endOf(next)).code).toBe(0);
});

test("of two servers started at the same time one serves and the other exits with a message", async () => {
  const servers = [start({}), start({})];
  const [quick, late] = servers.map(async (server) => ({ server, output: await greetingOf(server) }));
  const output = await Promise.all([quick, late]);
  const serving = output.filter((one) => one?.output.includes("Telltale is ready"));
  expect(serving).toHaveLength(1);
  serving[0]?.server.kill("SIGTERM");
  const codes = await Promise.all(servers.map(async (server) => server.exitCode ?? (await once(server, "exit"))[0]));
  expect(codes.sort()).toEqual([0, 1]);
});

test("a demonstration that is turned off is closed and says so, sells nothing, and is open again when it is turned on", async () => {
  const own = await createTestDatabase();
  const run = async (demo: string) => {
    const server = start({ DATABASE_URL: own.url, TELLTALE_DEMO: demo });
    const output = await greetingOf(server);
    const address = (/http:\/\/localhost:\d+/.exec(output)?.[0] ?? "").replace("localhost", "127.0.0.1");
    const post = async (path: string, fields: Record<string, string>) =>
      (await (await fetch(`${address}${path}`, { method: "POST", body: new URLSearchParams(fields) })).json()) as {
        code: number;
        msg: string;
        result: { token: string };
      };
    const login = () => post("/api/user/login", { email: "owner@telltale.local", password: "telltale-demo" });
    const site = async () => ((await (await fetch(`${address}/api/site`)).json()) as { result: object }).result;
    const stop = async () => {
      server.kill("SIGTERM");
      await once(server, "exit");
    };
    return { output, login, site, stop };
  };
  const first = await run("1");
  expect((await first.login()).code).toBe(0);
  expect(await first.site()).toMatchObject({ hasOutbox: true, hasPayments: true });
  await first.stop();

  const second = await run("0");
  expect(second.output).toContain("The demonstration is in this database and closed (TELLTALE_DEMO=0)");
  expect(second.output).toContain("Start with TELLTALE_DEMO=1 to use it, or with another DATA_DIR");
  expect(await second.login()).toMatchObject({
    code: 403,
    msg: expect.stringContaining("demonstration, which is off"),
  });
  expect(await second.site()).toMatchObject({ hasOutbox: false, hasPayments: false });
  await second.stop();

  const third = await run("1");
  expect(third.output).not.toContain("closed");
  expect((await third.login()).code).toBe(0);
  await third.stop();
  await own.drop();
}, 120_000);
