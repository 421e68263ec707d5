import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { registration } from "@telltale/contract/domains/people/registration";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindIdentity } from "../modules/accounts/single-sign-on/queries.ts";
import { openSession, tryLock } from "../platform/database/serving-lock.ts";
import { joinNodes } from "../platform/node/join.ts";
import { bridgeFields } from "../test/test-bridged-plant.ts";
import { aDevice } from "../test/test-devices.ts";
import { password, withPassword } from "../test/test-passwords.ts";
import { anOwner } from "../test/test-people.ts";
import { withSecondFactor } from "../test/test-second-factors.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { resetIdentity, resetSecondFactor, supportLink } from "./accounts.ts";
import { runLine } from "./batch.ts";
import { addDevices } from "./devices-add.ts";
import { listBridges, listDevices, listNodes, listOutbox, showDisk } from "./lists.ts";
import type { Operator } from "./open.ts";
import { addUser } from "./users-add.ts";

let server: TestServer;
let operator: Operator;

beforeAll(async () => {
  server = await startTestServer();
  const { url } = server.world;
  const place = { databaseUrl: url, adminUrl: url };
  operator = { ...server.world, dataDir: tmpdir(), place, publicUrl: "https://telltale.example" };
});
afterAll(() => server.close());

describe("devices add", () => {
  test("makes units with IDs, P/Ns and access tokens of their own, and their channels", async () => {
    const made = await addDevices(operator, { model: "AIS", count: 10 });
    expect(made).toHaveLength(10);
    expect(new Set(made.map((row) => row.deviceSnId)).size).toBe(10);
    expect(new Set(made.map((row) => row.accessToken)).size).toBe(10);
    for (const row of made) {
      expect(row).toMatchObject({ deviceSn: "AIS-420-16", deviceType: "main" });
      expect(row.deviceSnId).toMatch(/^[0-9A-F]{12}$/);
      expect(row.accessToken).toMatch(/^[A-Za-z0-9]{20}$/);
    }
  });

  test.each([
    ["AIS", {}, "AIS-420-16", "main"],
    ["ais", { sub: true }, "AIS-420-16-B", "sub"],
    ["DIS", {}, "DIS-024-04", "main"],
    ["DOS", {}, "DOS-240-04", "main"],
    ["MIX", {}, "MIX-420-10", "main"],
    ["VBS", { sub: true }, "VBS-3A-16G-B", "sub"],
    ["MPA2", {}, "MPA2-240-32", "sub"],
  ])("%s %j is %s, %s", async (model, as, deviceSn, deviceType) => {
    expect(await addDevices(operator, { model, count: 1, ...as })).toMatchObject([{ deviceSn, deviceType }]);
  });

  test("claims for an owner, sub-devices below their master", async () => {
    const owner = await anOwner(server.world);
    const [main] = await addDevices(operator, { model: "MIX", count: 1, owner: owner.email, name: "Pump house" });
    const parent = String(main?.deviceSnId);
    await addDevices(operator, { model: "VBS", count: 2, owner: owner.email, name: "Pump", parent });
    const { data } = await server.as(owner)(devices.list);
    expect(data.map((device) => [device.deviceName, device.subDevices.map((sub) => sub.deviceName)])).toEqual([
      ["Pump house", ["Pump 1", "Pump 2"]],
    ]);
    const listed = await listDevices(operator, owner.email);
    expect(listed).toMatchObject([{ status: "Inactive", owner: owner.email }, { parent }, { parent }]);
  });

  test.each([
    [{ model: "XYZ" }, "There is no model XYZ: choose one of AIS, DIS, DOS, MIX, VBS, MPA2"],
    [{ model: "MIX", sub: true }, "A MIX is always a main device"],
    [{ model: "MPA2", main: true }, "A MPA2 is always a sub-device"],
    [{ model: "AIS", main: true, sub: true }, "Choose --main or --sub, not both"],
    [{ model: "AIS", name: "Pump" }, "--name and --parent need --owner: the owner of the plant"],
    [{ model: "AIS", owner: "nobody@example.test" }, "There is no user nobody@example.test"],
  ])("%j is refused with a reason, and nothing is made", async (options, reason) => {
    const before = (await listDevices(operator)).length;
    await expect(addDevices(operator, { count: 1, ...options })).rejects.toThrow(reason);
    expect((await listDevices(operator)).length).toBe(before);
  });

  test("a sub-device needs a master in the same plant", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const [theirs] = await addDevices(operator, { model: "MIX", count: 1, owner: other.email, name: "Theirs" });
    const parent = String(theirs?.deviceSnId);
    const options = { model: "VBS", count: 1, owner: owner.email, sub: true };
    await expect(addDevices(operator, options)).rejects.toThrow("Choose the main device");
    await expect(addDevices(operator, { ...options, parent })).rejects.toThrow("belongs to another plant");
  });
});

test("support-link leads to the page that opens it, and the page's call takes its token", async () => {
  const owner = await anOwner(server.world);
  const [made] = await supportLink(operator, owner.email, "Sue");
  const link = new URL(String(made?.link));
  expect(link.origin + link.pathname).toBe("https://telltale.example/adminLogin");
  const supportToken = link.searchParams.get("token") ?? "";
  expect(await server.as()(accounts.openSupportView, { supportToken })).toMatchObject({
    isAdmin: true,
    userId: owner.userId,
  });
});

test("users add --invite mails a link by which the user joins the plant; outbox shows it", async () => {
  const owner = await anOwner(server.world);
  const email = "invited@example.test";
  await addUser(operator, { email, firstName: "Ira", ownerEmail: owner.email, role: "viewer", invite: true });
  const [message] = await listOutbox(operator, 1);
  expect(message).toMatchObject({ recipient: email, kind: "mail", status: "waiting" });
  const { searchParams } = new URL(String(message?.link));
  const accessToken = searchParams.get("accessToken") ?? "";
  await server.as()(registration.join, { email, accessToken, password: "my own password" });
  const user = await server.as()(accounts.login, { email, password: "my own password" });
  expect(user).toMatchObject({ firstName: "Ira", accounts: [{ roleName: "Viewer", parentAccountId: owner.plantId }] });
});

test("reset-second-factor lets a user sign in by the password alone, and is audited", async () => {
  const owner = await withPassword(server.world, await anOwner(server.world));
  await withSecondFactor(server, owner);
  const signedIn = () => server.as()(accounts.login, { email: owner.email, password });
  await expect(signedIn()).rejects.toMatchObject({ code: 428 });
  expect(await resetSecondFactor(operator, owner.email.toUpperCase(), "Sue")).toMatchObject([{ secondFactor: "off" }]);
  await expect(signedIn()).resolves.toBeDefined();
  const audit = operator.db.selectFrom("audit_log").select("detail").where("action", "=", "secondFactor.reset");
  expect(await audit.execute()).toEqual([{ detail: { madeBy: "Sue" } }]);
  await expect(resetSecondFactor(operator, owner.email, "Sue")).rejects.toThrow("has no second factor");
});

test("reset-single-sign-on frees a user for another identity, and is audited", async () => {
  const { userId, email } = await anOwner(server.world);
  const now = operator.clock.date();
  const bind = (subject: string) =>
    bindIdentity(operator.db, userId, { issuer: "https://login.example", subject }, now);
  expect([await bind("one"), await bind("another")]).toEqual([true, false]);
  expect(await resetIdentity(operator, email, "Sue")).toEqual([{ email, singleSignOn: "free" }]);
  expect(await bind("another")).toBe(true);
  const audit = operator.db.selectFrom("audit_log").select("detail").where("action", "=", "user.resetIdentity");
  expect(await audit.execute()).toEqual([{ detail: { madeBy: "Sue" } }]);
});

describe("batch", () => {
  test("does a command as a shell would split its words, or as a JSON array", async () => {
    const owner = await anOwner(server.world);
    const add = `devices add --model AIS --owner ${owner.email}`;
    const [quoted] = await runLine(operator, `${add} --name "Boiler 7 (east)"`);
    const [listed] = await runLine(operator, JSON.stringify([...add.split(" "), "--name", `Tank "A" \\ 3`]));
    const names = (await listDevices(operator, owner.email)).map(({ deviceName }) => deviceName);
    expect(names.toSorted()).toEqual(["Boiler 7 (east)", `Tank "A" \\ 3`]);
    expect([quoted?.deviceSn, listed?.deviceSn]).toEqual(["AIS-420-16", "AIS-420-16"]);
  });

  test.each([
    ["devices add --count 3", "required option '--model <model>' not specified"],
    ["devices add --model AIS --count many", "It is a whole number from 1 to 100000."],
    ["devices sell", "unknown command 'sell'"],
    ["backup /tmp/a.zip", "unknown command 'backup'"],
    ["devices add --model BLOWER", "BLOWER"],
    ["[not json", "JSON"],
  ])("says in a sentence what is wrong with %s, and does nothing", async (line, sentence) => {
    const before = (await listDevices(operator, undefined)).length;
    await expect(runLine(operator, line)).rejects.toThrow(sentence);
    expect(await listDevices(operator, undefined)).toHaveLength(before);
  });
});

test("nodes lists the nodes of a cluster with their devices, devices the node of each, and nothing of it for a server alone", async () => {
  const { pool, url, log } = server.world;
  const owner = await anOwner(server.world);
  const devices = [await aDevice(server.world, owner, {}), await aDevice(server.world, owner, {})] as const;
  expect(await listNodes(operator)).toEqual([]);
  expect((await listDevices(operator, owner.email)).filter((row) => "node" in row)).toEqual([]);
  const dataDir = await mkdtemp(join(tmpdir(), "telltale-node-"));
  const { node, leave } = await joinNodes({ sharing: "shared", dataDir, url, pool, log });
  const heard = devices[0].deviceId;
  await pool.query("UPDATE devices SET is_online = true WHERE device_id = $1", [heard]);
  await pool.query("INSERT INTO device_nodes (device_id, node_id) VALUES ($1, $2)", [heard, node.id]);
  const [row, ...more] = await listNodes(operator);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ node: expect.stringContaining(`process ${process.pid} on `), devicesOnline: 1 });
  expect(Number(row?.heardSecondsAgo)).toBeLessThan(5);
  expect((await listDevices(operator, owner.email)).map((device) => device.node)).toEqual([row?.node, null]);
  await leave();
  await rm(dataDir, { recursive: true });
  expect(await listNodes(operator)).toEqual([]);
});

/** Holds the lock of a server that runs. */
const aServerThatRuns = async () => {
  const { client } = await openSession(server.world.url, "a server");
  expect(await tryLock(client, "alone")).toBe(true);
  return { stop: () => client.end() };
};

test("bridges says that no server runs, whatever the last one has left", async () => {
  const owner = await anOwner(server.world);
  const add = (bridgeName: string, enabled: 0 | 1) =>
    server.as(owner)(bridges.add, { ...bridgeFields, url: "mqtts://broker.example.com:8883", bridgeName, enabled });
  const added = [await add("Historian", 1), await add("Cloud", 0)];
  await server.world.pool.query("UPDATE bridges SET connected_since = now() WHERE bridge_id = $1", [
    added[0]?.bridgeId,
  ]);
  const states = async () => (await listBridges(operator)).map(({ state }) => state);
  expect(await states()).toEqual(["no server runs", "off"]);
  const running = await aServerThatRuns();
  expect(await states()).toEqual(["connected", "off"]);
  await running.stop();
  for (const { bridgeId } of added) await server.as(owner)(bridges.remove, { bridgeId });
});

test("bridges lists those of all plants with their state, how far they are behind and why they fail", async () => {
  const running = await aServerThatRuns();
  expect(await listBridges(operator)).toEqual([]);
  const owner = await anOwner(server.world);
  const add = (bridgeName: string, enabled: 0 | 1) =>
    server.as(owner)(bridges.add, { ...bridgeFields, url: "mqtts://broker.example.com:8883", bridgeName, enabled });
  const [{ bridgeId }, off] = [await add("Historian", 1), await add("Cloud", 0)];
  const plant = `Plant of ${owner.email}`;
  const fresh = { behind: 0, behindSince: null, published: 0, lastPublished: null, refused: 0, lost: 0 };
  const broker = "mqtts://broker.example.com:8883";
  expect(await listBridges(operator)).toEqual([
    {
      ...fresh,
      bridge: bridgeId,
      name: "Historian",
      plant,
      broker,
      state: "connecting",
      failingSince: null,
      fault: null,
    },
    { ...fresh, bridge: off.bridgeId, name: "Cloud", plant, broker, state: "off", failingSince: null, fault: null },
  ]);
  const { pool } = server.world;
  const since = Date.UTC(2026, 4, 4, 6);
  await pool.query("UPDATE bridges SET failing_since = $2, fault = 'The broker is away' WHERE bridge_id = $1", [
    bridgeId,
    new Date(since),
  ]);
  await pool.query("INSERT INTO bridge_queue (bridge_id, queued_ts, count, alert) VALUES ($1, $2, 7, '{}')", [
    bridgeId,
    since,
  ]);
  const [historian] = await listBridges(operator);
  const at = new Date(since).toISOString();
  expect(historian).toMatchObject({
    state: "failing",
    behind: 7,
    behindSince: at,
    failingSince: at,
    fault: "The broker is away",
  });
  await running.stop();
});

test("disk says how full it is; when it will be full is not known at first", async () => {
  const [row] = await showDisk(operator);
  expect(row).toMatchObject({ growthGBADay: null, fullInDays: null });
  expect(Number(row?.freeGB)).toBeLessThanOrEqual(Number(row?.diskGB));
});
