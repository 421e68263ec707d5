import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildApp } from "../app.ts";
import { type BridgedPlant, bridgeFields, createBridgedPlant, sendReading } from "../test/test-bridged-plant.ts";
import { startBroker, type TestBroker } from "../test/test-broker.ts";
import { anOwner, aSupportView } from "../test/test-people.ts";
import { clientsOf } from "../test/test-server.ts";
import { createBridgeExpiry } from "./index.ts";
import { compactQueue } from "./queue/compact.ts";

let plant: BridgedPlant;
const brokers: TestBroker[] = [];
beforeAll(async () => {
  plant = await createBridgedPlant();
});
afterEach(async () => {
  await plant.stop();
  await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
  await plant.db.deleteFrom("bridges").execute();
});
afterAll(() => plant.close());

const broker = async (...given: Parameters<typeof startBroker>): Promise<TestBroker> => {
  const started = await startBroker(...given);
  brokers.push(started);
  return started;
};

const start = 1_763_700_000_000;
const valuesOf = (texts: string[]) => texts.map((text) => JSON.parse(text).value);
const patient = { timeout: 20_000 };

test("values arrive with time, unit, status and names, and alerts as webhooks get them", async () => {
  const it = await broker();
  const device = await plant.device({ name: "Sump station" });
  const registered = { device_id: device.deviceId, key_id: null, plant_id: plant.owner.plantId, serial: "SN-1" };
  await plant.db.insertInto("provisioned_devices").values(registered).execute();
  const bridgeId = await plant.addBridge({ url: it.url });
  plant.start();
  const client = await plant.mqtt(device.accessToken);
  await sendReading(client, "AI1", start, 4.25);
  await sendReading(client, "AI1", start + 1000, 1e6);
  await sendReading(client, "AI1", start + 2000, 4.5);
  const topic = new RegExp(`^acme/plant/${device.deviceSnId}/AI1$`);
  await expect.poll(() => it.textsOf(topic).length, patient).toBe(3);
  const [first = ""] = it.textsOf(topic);
  expect(JSON.parse(first)).toEqual({
    ...{ time: new Date(start).toISOString(), value: 4.25, unit: expect.any(String), status: "good" },
    ...{
      device: device.deviceSnId,
      serial: "SN-1",
      deviceName: "Sump station",
      channel: "AI1",
      name: expect.any(String),
    },
  });
  const alerts = () => it.textsOf(new RegExp(`/${device.deviceSnId}/alerts$`)).map((text) => JSON.parse(text));
  const ofChannel = () => alerts().filter(({ data }) => data.alert.channel !== null);
  await expect.poll(() => ofChannel().map(({ type }) => type), patient).toEqual(["alert.raised", "alert.cleared"]);
  expect(ofChannel()[1].data.alert).toMatchObject({ device: "Sump station", value: 1e6, cleared: expect.any(String) });
  await expect.poll(async () => (await plant.bridge(bridgeId)).published, patient).toBe(it.received.length);
  expect(await plant.bridge(bridgeId)).toMatchObject({ behind: 0, failingSince: null, refused: 0, lost: 0 });
});

test("only what the bridge is for leaves the plant: chosen devices, values or alerts, and nothing of other plants", async () => {
  const it = await broker();
  const [chosen, other] = [await plant.device(), await plant.device()];
  await plant.addBridge({ url: it.url, allDevices: 0, deviceIds: [chosen.deviceId], sendsAlerts: 0 });
  plant.start();
  for (const { accessToken } of [other, chosen]) {
    const client = await plant.mqtt(accessToken);
    await sendReading(client, "AI1", start, 1e6);
    await sendReading(client, "AI1", start + 1000, 5);
  }
  await expect.poll(() => it.received.length, patient).toBe(2);
  expect(new Set(it.received.map(({ topic }) => topic))).toEqual(new Set([`acme/plant/${chosen.deviceSnId}/AI1`]));
});

test("nothing is missed while the broker is away and the server is restarted, and each channel's order is kept", async () => {
  const first = await broker();
  const device = await plant.device();
  const bridgeId = await plant.addBridge({ url: first.url });
  const client = await plant.mqtt(device.accessToken);
  plant.start();
  let sent = 0;
  const send = async (count: number) => {
    for (const last = sent + count; sent < last; sent += 1) await sendReading(client, "AI1", start + sent * 1000, sent);
  };
  const topic = new RegExp(`/${device.deviceSnId}/AI1$`);
  await send(10);
  await expect.poll(() => valuesOf(first.textsOf(topic)).length, patient).toBe(10);
  await first.stop();
  await send(20);
  await expect
    .poll(async () => (await plant.bridge(bridgeId)).fault, patient)
    .toContain("Nothing listens at the address");
  await plant.stop();
  await send(20);
  plant.start();
  await send(20);
  expect((await plant.bridge(bridgeId)).behind).toBeGreaterThanOrEqual(60);
  const second = await broker({ port: first.port }, first.received);
  await expect.poll(async () => (await plant.bridge(bridgeId)).behind, patient).toBe(0);
  const values = valuesOf(second.textsOf(topic));
  expect(values).toEqual(Array.from({ length: sent }, (_, n) => n));
  expect(await plant.bridge(bridgeId)).toMatchObject({ failingSince: null, fault: "" });
});

test("late readings, older than what was published before, are published too", async () => {
  const it = await broker();
  const device = await plant.device();
  await plant.addBridge({ url: it.url });
  plant.start();
  const client = await plant.mqtt(device.accessToken);
  await sendReading(client, "AI1", start, 1);
  await sendReading(client, "AI1", start - 86_400_000, 2);
  await expect.poll(() => valuesOf(it.textsOf(/AI1$/)), patient).toEqual([1, 2]);
});

test("a server that is killed at any moment publishes everything at least once", async () => {
  const it = await broker();
  const device = await plant.device();
  const bridgeId = await plant.addBridge({ url: it.url });
  const client = await plant.mqtt(device.accessToken);
  const file = join(import.meta.dirname, "../test/test-bridge-process.ts");
  const run = () => fork(file, [plant.url], { execArgv: ["--disable-warning=ExperimentalWarning"] });
  const [kills, portion] = [3, 100];
  for (let kill = 0; kill < kills; kill += 1) {
    const child = run();
    const before = it.received.length;
    const sent = Array.from({ length: portion }, (_, at) => kill * portion + at).map((n) =>
      sendReading(client, "AI1", start + n * 1000, n / 10),
    );
    // Killed while it publishes: some of the portion has arrived.
    await expect.poll(() => it.received.length, patient).toBeGreaterThan(before);
    child.kill("SIGKILL");
    await Promise.all([...sent, once(child, "exit")]);
  }
  plant.start();
  await expect.poll(async () => (await plant.bridge(bridgeId)).behind, patient).toBe(0);
  const values = valuesOf(it.textsOf(/AI1$/));
  // What is sent again begins at an earlier value and goes on from there.
  const firsts = values.filter((value, at) => values.indexOf(value) === at);
  expect(firsts).toEqual(Array.from({ length: kills * portion }, (_, n) => n / 10));
});

test("a wrong password is said in words, by the test too, and no answer and no audit entry holds one", async () => {
  const it = await broker({ user: { name: "plant", password: "right" } });
  const bridgeId = await plant.addBridge({ url: it.url, userName: "plant", password: "wrong-secret" });
  const words = "The broker refuses the user or password: enter them again";
  plant.start();
  await expect.poll(async () => (await plant.bridge(bridgeId)).fault, patient).toBe(words);
  const client = plant.as(plant.owner);
  await expect(client(bridges.test, { bridgeId })).rejects.toThrow(words);
  const { version } = await plant.bridge(bridgeId);
  await expect(client(bridges.update, { ...bridgeFields, bridgeId, version, userName: "plant" })).rejects.toThrow(
    "Enter the password again",
  );
  await client(bridges.update, { ...bridgeFields, url: it.url, bridgeId, userName: "plant", password: "right" });
  await expect.poll(async () => (await plant.bridge(bridgeId)).connectedSince, patient).not.toBeNull();
  // Without a password the one before stays.
  await client(bridges.update, { ...bridgeFields, url: it.url, bridgeId, userName: "plant", bridgeName: "IT, hall 2" });
  await client(bridges.test, { bridgeId });
  const { rows } = await plant.pool.query("SELECT detail FROM audit_log WHERE action LIKE 'bridge.%'");
  expect(JSON.stringify([rows, await plant.bridge(bridgeId)])).not.toMatch(/wrong-secret|right/);
});

test("a broker that has been gone for an hour is listed among what is silent now", async () => {
  await plant.addBridge({ bridgeName: "Historian" });
  plant.start();
  const failing = async () => (await plant.as(plant.owner)(silentNow.list)).bridges;
  const begun = () => plant.db.selectFrom("bridges").select("failing_since").executeTakeFirst();
  await expect.poll(async () => (await begun())?.failing_since ?? null, patient).not.toBeNull();
  expect(await failing()).toEqual([]);
  plant.clock.pass(3_600_000);
  expect(await failing()).toMatchObject([
    { bridgeName: "Historian", fault: expect.stringContaining("Nothing listens") },
  ]);
});

test("addresses of private networks and connections without TLS need the operator's setting", async () => {
  const it = await broker();
  const plain = await plant.addBridge({ url: it.url });
  const secure = await plant.addBridge({ url: `mqtts://127.0.0.1:${it.port}` });
  plant.start(false);
  await expect
    .poll(async () => (await plant.bridge(plain)).fault, patient)
    .toMatch(/must begin with mqtts.*WEBHOOK_PRIVATE=1/);
  await expect
    .poll(async () => (await plant.bridge(secure)).fault, patient)
    .toMatch(/private network.*WEBHOOK_PRIVATE=1/);
  expect(it.received).toEqual([]);
});

test("an address that the operator does not allow is refused when it is saved, unless the bridge is switched off", async () => {
  const app = await buildApp({ ...plant, metrics: new Registry() }, {});
  const as = clientsOf(app)(plant.owner);
  for (const [url, said] of [
    ["mqtt://broker.example.com", /must begin with mqtts:\/\/ or wss:\/\/.*WEBHOOK_PRIVATE=1/],
    ["mqtts://127.0.0.1:8883", /private network.*WEBHOOK_PRIVATE=1/],
    ["wss://[fd00::1]/mqtt", /private network/],
    ["mqtts://localhost", /private network/],
    ["mqtts://2130706433", /private network/],
    ["mqtts://0x7f.1", /private network/],
  ] as const)
    await expect(as(bridges.add, { ...bridgeFields, url })).rejects.toThrow(said);
  const fields = { ...bridgeFields, url: "mqtt://10.0.0.5", enabled: 0 as const };
  const { bridgeId } = await as(bridges.add, fields);
  await expect(as(bridges.update, { ...fields, bridgeId, enabled: 1 })).rejects.toThrow("must begin with mqtts://");
  await as(bridges.update, { ...fields, bridgeId, url: "mqtts://broker.example.com", enabled: 1 });
  await app.close();
});

test("what waits for a week is given up, and counted", async () => {
  const bridgeId = await plant.addBridge();
  const device = await plant.device();
  const client = await plant.mqtt(device.accessToken);
  await sendReading(client, "AI1", start, 4);
  const { behind } = await plant.bridge(bridgeId);
  expect(behind).toBeGreaterThan(0);
  plant.clock.pass(8 * 86_400_000);
  await createBridgeExpiry(plant).run();
  // The owner's session is over by then.
  plant.clock.jump(-8 * 86_400_000);
  expect(await plant.bridge(bridgeId)).toMatchObject({ behind: 0, lost: behind, lostTime: expect.any(Date) });
});

test("what waits is given up at its own age, also after it was joined with what came before it", async () => {
  const bridgeId = await plant.addBridge({ sendsAlerts: 0 });
  const device = await plant.device();
  const client = await plant.mqtt(device.accessToken);
  const [sent, minute] = [600, 60_000];
  for (let at = 0; at < sent; at += 1) {
    await sendReading(client, "AI1", start + at * minute, 4);
    plant.clock.pass(minute);
  }
  await compactQueue(plant.pool, bridgeId, 0);
  const { rowCount } = await plant.pool.query("SELECT FROM bridge_queue WHERE bridge_id = $1", [bridgeId]);
  expect(rowCount).toBeLessThan(sent / 3);
  const half = 7 * 86_400_000 - (sent / 2) * minute;
  plant.clock.pass(half);
  await createBridgeExpiry(plant).run();
  // The owner's session is over by then.
  plant.clock.jump(-half - sent * minute);
  const { lost, behind } = await plant.bridge(bridgeId);
  expect(behind + lost).toBe(sent);
  // Some of one hour, which are given up together.
  expect(lost).toBeGreaterThanOrEqual(sent / 2 - 61);
  expect(lost).toBeLessThanOrEqual(sent / 2 + 61);
});

test("how far bridges are behind is on /metrics, with what they published", async () => {
  const it = await broker();
  const bridgeId = await plant.addBridge({ url: it.url, sendsAlerts: 0 });
  const device = await plant.device();
  plant.start();
  await sendReading(await plant.mqtt(device.accessToken), "AI1", start, 4);
  await expect.poll(plant.metricsText, patient).toContain(`telltale_bridge_published_total{bridge="${bridgeId}"} 1`);
  const text = await plant.metricsText();
  expect(text).toContain(`telltale_bridge_behind{bridge="${bridgeId}"} 0`);
  expect(text).toContain(`telltale_bridge_lag_seconds{bridge="${bridgeId}"} 0`);
});

test("a bridge is of its plant alone, and support sees the address without its path", async () => {
  const bridgeId = await plant.addBridge({ url: "wss://broker.example.com/secret-path" });
  const stranger = plant.as(await anOwner(plant));
  expect((await stranger(bridges.list, { page: 1, size: 50 })).data).toEqual([]);
  await expect(stranger(bridges.remove, { bridgeId })).rejects.toThrow();
  const support = plant.as(await aSupportView(plant, plant.owner));
  const { data } = await support(bridges.list, { page: 1, size: 50 });
  expect(data).toMatchObject([{ url: "wss://broker.example.com" }]);
  await expect(support(bridges.remove, { bridgeId })).rejects.toThrow();
});

test("two bridges do not throw each other out of one broker: the second needs a client ID of its own", async () => {
  const url = "mqtt://127.0.0.1:9/";
  const other = await plant.addBridge({ url, clientId: "other" });
  await plant.addBridge({ url });
  const taken = "The bridge IT has this client ID at the same broker: give each bridge its own";
  await expect(plant.addBridge({ url })).rejects.toThrow(taken);
  const change = { ...bridgeFields, bridgeId: other, url };
  await expect(plant.as(plant.owner)(bridges.update, change)).rejects.toThrow(taken);
  await plant.as(plant.owner)(bridges.update, { ...change, enabled: 0 });
});

test("a bridge that would publish nothing, or to a topic that brokers refuse, is not saved", async () => {
  await expect(plant.addBridge({ sendsValues: 0, sendsAlerts: 0 })).rejects.toThrow("Choose values, alerts or both");
  await expect(plant.addBridge({ allDevices: 0 })).rejects.toThrow("Choose at least one device");
  await expect(plant.addBridge({ prefix: "/plant" })).rejects.toThrow("no empty level");
  await expect(plant.addBridge({ prefix: "plant/#" })).rejects.toThrow("no +, #");
  await expect(plant.addBridge({ format: 2, prefix: "acme/plant" })).rejects.toThrow("have no slash");
  await expect(plant.addBridge({ url: "mqtt://user:secret@broker.example.com" })).rejects.toThrow("without user");
});
