import { bridges } from "@telltale/contract/domains/readings/bridges";
import type { MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BridgedPlant, bridgeFields, createBridgedPlant, sendReading } from "../test/test-bridged-plant.ts";
import { startBroker, type TestBroker } from "../test/test-broker.ts";

/** Two nodes on one database; each would run the plant's bridges. */
let here: BridgedPlant;
let there: BridgedPlant;
const brokers: TestBroker[] = [];
beforeAll(async () => {
  here = await createBridgedPlant({ sharing: "shared" });
  const database = { url: here.url, drop: async () => undefined };
  there = await createBridgedPlant({ sharing: "shared", clock: here.clock, database });
});
afterEach(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
  await here.db.deleteFrom("bridges").execute();
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const broker = async (): Promise<TestBroker> => {
  const started = await startBroker();
  brokers.push(started);
  return started;
};
const startBoth = (): void => {
  here.start();
  there.start();
};

const start = 1_763_700_000_000;
const patient = { timeout: 20_000 };
const valuesOf = (texts: string[]) => texts.map((text) => JSON.parse(text).value);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Sends the numbers from `from` to before `to` by turns through the nodes that the clients are connected to. */
const sendAll = async (clients: readonly MqttClient[], from: number, to: number): Promise<void> => {
  for (let n = from; n < to; n += 1) {
    const client = clients[n % clients.length];
    if (client) await sendReading(client, "AI1", start + n * 1000, n);
  }
};

test("one node runs a bridge, whichever nodes the readings come through, and another goes on when it is stopped", async () => {
  const it = await broker();
  const { accessToken } = await here.device();
  await here.addBridge({ url: it.url });
  startBoth();
  const clients = [
    await here.mqtt(accessToken, { clientId: "one" }),
    await there.mqtt(accessToken, { clientId: "another" }),
  ];
  const published = () => valuesOf(it.textsOf(/AI1$/));
  await sendAll(clients, 0, 20);
  await expect.poll(published, patient).toEqual(upTo(20));
  await here.stop();
  await sendAll(clients, 20, 40);
  await expect.poll(published, patient).toEqual(upTo(40));
  here.start();
  await there.stop();
  await sendAll(clients, 40, 60);
  await expect.poll(published, patient).toEqual(upTo(60));
});

test("a node that loses its session with the database gives the bridge away; nothing is missed or out of order", async () => {
  const it = await broker();
  const { accessToken } = await here.device();
  const bridgeId = await here.addBridge({ url: it.url, sendsAlerts: 0 });
  startBoth();
  const client = await here.mqtt(accessToken);
  await sendAll([client], 0, 10);
  await expect.poll(() => it.received.length, patient).toBeGreaterThanOrEqual(10);
  for (let times = 1; times <= 3; times += 1) {
    await here.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'telltale node'",
    );
    await sendAll([client], times * 10, times * 10 + 10);
    await expect.poll(async () => (await here.bridge(bridgeId)).behind, patient).toBe(0);
  }
  const values = valuesOf(it.textsOf(/AI1$/));
  expect(values.filter((value, at) => values.indexOf(value) === at)).toEqual(upTo(40));
});

test("a change of a bridge at one node is followed by the node that runs it: another address, off, and deleted", async () => {
  const [first, second] = [await broker(), await broker()];
  const { accessToken } = await here.device();
  startBoth();
  const bridgeId = await here.addBridge({ url: first.url, sendsAlerts: 0 });
  const client = await here.mqtt(accessToken);
  let sent = 0;
  /** Sends readings until one has come to this broker. */
  const reaches = async (to: TestBroker): Promise<void> => {
    const before = to.received.length;
    const next = async () => {
      await sendAll([client], sent, sent + 1);
      sent += 1;
      return to.received.length;
    };
    await expect.poll(next, { ...patient, interval: 200 }).toBeGreaterThan(before);
  };
  await reaches(first);
  const change = (by: BridgedPlant, fields: Partial<typeof bridgeFields>) =>
    by.as(here.owner)(bridges.update, { ...bridgeFields, bridgeId, sendsAlerts: 0, ...fields });
  await change(here, { url: second.url });
  await reaches(second);
  await change(there, { url: first.url });
  await reaches(first);
  for (const by of [here, there]) {
    await change(by, { url: first.url, enabled: 0 });
    await expect.poll(async () => (await here.bridge(bridgeId)).behind, patient).toBe(0);
    await sendAll([client], sent, ++sent);
    expect((await here.bridge(bridgeId)).behind, "nothing is queued for a bridge that is off").toBe(0);
    await change(by, { url: first.url });
    await reaches(first);
  }
  await there.as(here.owner)(bridges.remove, { bridgeId });
  const last = sent;
  await here.addBridge({ url: second.url, sendsAlerts: 0 });
  await reaches(second);
  expect(Math.max(...valuesOf(first.textsOf(/AI1$/))), "of a bridge that is deleted").toBeLessThan(last);
});
