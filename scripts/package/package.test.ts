import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@telltale/contract/call/client";
import { topics } from "@telltale/contract/device-api";
import { channels } from "@telltale/contract/domains/channels";
import { DeviceStatus, devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { history } from "@telltale/contract/domains/readings/history";
import { support } from "@telltale/contract/domains/support";
import { Role } from "@telltale/contract/permissions";
import { connectAsync } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InstalledPackage, installPackage, type PackagedServer, terminate } from "./installed-package.ts";

const run = promisify(execFile);

let installed: InstalledPackage;
let server: PackagedServer;

beforeAll(async () => {
  installed = await installPackage();
  server = await installed.start();
}, 600_000);
afterAll(() => installed?.remove());

/** The demonstration's owner, signed in. */
const signIn = async () => {
  const visitor = createClient({ baseUrl: server.baseUrl, token: () => undefined });
  const { token } = await visitor(accounts.login, { email: "owner@telltale.local", password: "telltale-demo" });
  return createClient({ baseUrl: server.baseUrl, token: () => token });
};

test("the package brings its programs: what is installed beside it is no tool and no part of this repository", () => {
  expect(installed.packages).toContain("telltale");
  for (const name of ["typescript", "vite", "rolldown", "vitest", "react", "fastify", "contract"])
    expect(installed.packages).not.toContain(name);
});

test("it greets with the demonstration, and names the command as it was started", async () => {
  expect(server.greeting).toContain("owner@telltale.local");
  expect(server.greeting).toContain("DATA_DIR=./my-data telltale\n");
  expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
});

test("the console is served, with its scripts", async () => {
  const page = await (await fetch(server.baseUrl)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  expect((await fetch(`${server.baseUrl}${script}`)).headers.get("content-type")).toContain("javascript");
});

test("a device of `telltale devices add` gets its reading acknowledged, and the owner reads it back", async () => {
  const args = ["--model", "AIS", "--owner", "owner@telltale.local", "--name", "Packed", "--json"];
  const [unit] = JSON.parse(await installed.telltale("devices", "add", ...args));
  const device = await connectAsync(server.mqttUrl, { username: unit.accessToken });
  await device.publishAsync(topics.telemetry, JSON.stringify({ AI1: 42.5 }), { qos: 1 });
  await device.endAsync();
  const owner = await signIn();
  const [row] = (await owner(devices.list, { deviceSnId: unit.deviceSnId })).data;
  const groups = await owner(channels.grouped, { deviceId: row?.deviceId ?? 0 });
  const channel = groups.flatMap((group) => group.channels).find(({ channelCn }) => channelCn === "AI1");
  const periods = await owner(history.periods, { channelId: channel?.deviceChannelId ?? 0 });
  const points = await owner(history.points, { logId: periods.data.at(-1)?.logGroupId ?? 0 });
  expect(points.data.map(({ value }) => value)).toEqual([42.5]);
});

test("the simulated plant reports", async () => {
  const owner = await signIn();
  const isOnline = async () =>
    (await owner(devices.list, { size: 200 })).data.some(({ status }) => status === DeviceStatus.normal);
  await expect.poll(isOnline, { timeout: 120_000 }).toBe(true);
}, 150_000);

test("a program of the typed client's package lists the devices by an API key", async () => {
  const wanted = { keyName: "Program", roleType: Role.installer, readOnly: 1, days: 30 } as const;
  const { apiKey } = await (await signIn())(apiKeys.add, wanted);
  expect(await installed.runClient({ TELLTALE_URL: server.baseUrl, TELLTALE_KEY: apiKey })).toContain("Pump house 2");
}, 180_000);

test("a worker renders the manual", async () => {
  const manual = await (await signIn())(support.manual, { name: "operating-manual" });
  expect(manual.type).toBe("application/pdf");
  expect(manual.size).toBeGreaterThan(100_000);
}, 120_000);

test("`telltale` has the other programs, and a service that starts this package", async () => {
  expect(await installed.telltale("replay", "--help")).toContain("telltale replay --csv");
  expect(await installed.telltale("simulate", "--help")).toContain("telltale simulate");
  expect(await installed.telltale("service", "install", "--print")).toMatch(
    /^ExecStart=\/\S+ \/\S+\/node_modules\/telltale\/bin\/telltale\.mjs start$/m,
  );
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
  expect((await installed.telltale("--version")).trim()).toBe(version);
});

test("a checkout has the same command, from any of its folders", async () => {
  const root = join(import.meta.dirname, "../..");
  const inCheckout = (...args: string[]) =>
    run(process.execPath, [join(root, "bin/telltale.mjs"), ...args], { cwd: join(root, "docs/guide") });
  expect((await inCheckout("--version")).stdout).toBe(await installed.telltale("--version"));
  expect((await inCheckout("replay", "--help")).stdout).toContain("npx telltale replay --csv");
  await expect(inCheckout("start", "--port", "80")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("takes no arguments"),
  });
});

test("`telltale backup` writes a backup beside the server; SIGTERM ends it cleanly; killed npx takes its server along", async () => {
  const file = join(installed.dataDir, "../backup.zip");
  await installed.telltale("backup", file);
  expect((await stat(file)).size).toBeGreaterThan(10_000);
  const running = join(installed.dataDir, "postgres/postmaster.pid");
  expect(existsSync(running)).toBe(true);
  expect(await terminate(server.process)).toBe(0);
  expect(existsSync(running)).toBe(false);

  const again = await installed.start("npx");
  expect(again.greeting).toContain("DATA_DIR=./my-data npx telltale\n");
  again.process.kill("SIGKILL");
  await expect.poll(() => existsSync(running), { timeout: 30_000 }).toBe(false);
}, 120_000);
