import { topics } from "@telltale/contract/device-api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSimulation, type Simulation } from "../simulation.ts";
import { startTestBroker, type TestBroker } from "../test-broker.ts";
import { aFleet } from "../test-fleet.ts";
import { type Connection, createConnection } from "./connection.ts";

let broker: TestBroker;
let simulation: Simulation;
let connection: Connection;

const own = "7C9EBD000001";
const relays = "7C9EBD000004";
const soon = { timeout: 8000, interval: 20 };

beforeEach(async () => {
  broker = await startTestBroker();
  simulation = createSimulation(aFleet(), { seed: 1, from: Date.UTC(2026, 2, 1) });
  const [main, ...subDevices] = simulation.devices;
  if (!main) throw new Error("The fleet is empty");
  connection = createConnection({
    url: broker.url,
    own: main,
    subDevices,
    station: simulation.station,
    bounds: { inFlight: 4, memory: 10_000 },
    report: () => undefined,
  });
  await vi.waitUntil(() => connection.link.isConnected(), soon);
});

afterEach(async () => {
  await connection.stop();
  await broker.close();
});

test("it connects with its access token and announces the sub-devices", async () => {
  await vi.waitUntil(() => broker.on(topics.gateway.attributes).length > 0, soon);
  expect(broker.users).toEqual(["token-master"]);
  const introduced = broker.on(topics.gateway.connect).map((content) => (content as { device: string }).device);
  expect(introduced).toEqual(connection.subDevices.map(({ spec }) => spec.deviceSnId));
  expect(broker.on(topics.attributes)[0]).toMatchObject({ firmwareVersion: expect.any(String), power: 100 });
});

test("unacknowledged messages are resent after the reconnect, and nothing is lost", {
  timeout: 20_000,
}, async () => {
  broker.acknowledges = false;
  const before = Date.now();
  for (let ts = 1; ts <= 3; ts++) {
    connection.outbox.add(own, `{"ts":${ts},"values":{"AI1":${ts}}}`, 1);
    connection.outbox.flush();
  }
  await vi.waitUntil(() => broker.on(topics.telemetry).length === 3, soon);
  expect(connection.outbox.counts).toMatchObject({ acknowledged: 0, pending: 3 });
  broker.cut();
  await vi.waitUntil(() => !connection.link.isConnected(), soon);
  connection.outbox.add(own, '{"ts":4,"values":{"AI1":4}}', 1);
  connection.outbox.flush();
  broker.acknowledges = true;
  await vi.waitUntil(() => connection.outbox.counts.acknowledged === 4, { timeout: 12_000, interval: 20 });
  expect(Date.now() - before).toBeGreaterThan(3500);
  const times = (broker.on(topics.telemetry) as { ts: number }[][]).flat().map(({ ts }) => ts);
  expect(times).toEqual([1, 2, 3, 1, 2, 3, 4]);
  expect(connection.outbox.counts).toEqual({ acknowledged: 4, pending: 0, dropped: 0 });
});

test("commands to it and to a sub-device are executed and answered", async () => {
  broker.send(`${topics.rpcRequest}7`, { method: "setOutput", params: { channel: "DO2", value: 1 } });
  broker.send(topics.gateway.rpc, {
    device: relays,
    data: { id: 8, method: "setOutput", params: { channel: "DO1", value: 1 } },
  });
  await vi.waitUntil(() => broker.on(topics.gateway.rpc).length > 0, soon);
  expect(broker.on(`${topics.rpcResponse}7`)).toEqual([{ success: true, channel: "DO2", value: 1 }]);
  expect(broker.on(topics.gateway.rpc)).toEqual([
    { device: relays, id: 8, data: { success: true, channel: "DO1", value: 1 } },
  ]);
  expect(connection.own.outputs.state("DO2")).toBe(1);
  expect(connection.subDevices.find(({ spec }) => spec.deviceSnId === relays)?.outputs.state("DO1")).toBe(1);
});

test("settings are applied and confirmed by it and by a sub-device, but not by one whose link is lost", async () => {
  const [sub, silent] = connection.subDevices;
  if (!sub || !silent) throw new Error("There are no sub-devices");
  silent.isSilent = true;
  broker.send(topics.attributes, { reportInterval: 60, channels: {}, settingsVersion: 3 });
  for (const { spec } of [sub, silent])
    broker.send(topics.gateway.attributes, { device: spec.deviceSnId, data: { channels: {}, settingsVersion: 5 } });
  const heard = (topic: string, content: object) =>
    broker.on(topic).some((each) => JSON.stringify(each) === JSON.stringify(content));
  await vi.waitUntil(() => heard(topics.gateway.attributes, { [sub.spec.deviceSnId]: { settingsVersion: 5 } }), soon);
  await vi.waitUntil(() => heard(topics.attributes, { settingsVersion: 3 }), soon);
  expect(silent.settingsVersion).toBeUndefined();
});

test("a restart drops the connection, and the device reconnects", { timeout: 20_000 }, async () => {
  broker.send(`${topics.rpcRequest}1`, { method: "restart" });
  await vi.waitUntil(() => broker.users.length === 2, { timeout: 12_000, interval: 20 });
  expect(broker.on(`${topics.rpcResponse}1`)).toEqual([{ success: true }]);
});

test("the master reports a lost radio link", async () => {
  const [device] = connection.subDevices;
  if (!device) throw new Error("There is no sub-device");
  connection.reportLink(device, false);
  connection.reportLink(device, true);
  await vi.waitUntil(() => broker.on(topics.gateway.disconnect).length === 1, soon);
  expect(broker.on(topics.gateway.disconnect)).toEqual([{ device: device.spec.deviceSnId }]);
});
