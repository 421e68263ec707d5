import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { Code } from "@telltale/contract/call/codes";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import mqttPacket from "mqtt-packet";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BridgedPlant, createBridgedPlant, sendReading } from "../test/test-bridged-plant.ts";
import { startBroker, type TestBroker } from "../test/test-broker.ts";
import { testCertificate } from "../test/test-certificate.ts";

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

/** A broker of MQTT 5 that takes so many messages at a time and ends the connection at one more, as HiveMQ does; and the messages that it has acknowledged. */
const narrowBroker = async (most: number): Promise<{ url: string; taken: string[]; server: Server }> => {
  const taken: string[] = [];
  const server = createServer((socket) => {
    const parser = mqttPacket.parser({ protocolVersion: 5 });
    const send = (packet: Parameters<typeof mqttPacket.generate>[0]) =>
      socket.write(mqttPacket.generate(packet, { protocolVersion: 5 }));
    let open = 0;
    parser.on("packet", (packet) => {
      if (packet.cmd === "connect")
        send({ cmd: "connack", reasonCode: 0, sessionPresent: false, properties: { receiveMaximum: most } });
      if (packet.cmd !== "publish" || socket.writableEnded) return;
      open += 1;
      if (open > most) {
        send({ cmd: "disconnect", reasonCode: 0x93 });
        socket.end();
        return;
      }
      setTimeout(() => {
        open -= 1;
        taken.push(packet.topic);
        if (packet.messageId !== undefined) send({ cmd: "puback", messageId: packet.messageId, reasonCode: 0 });
      }, 10);
    });
    socket.on("error", () => undefined).on("data", (data: Buffer) => parser.parse(data));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, taken, server };
};

const start = 1_763_700_000_000;
const patient = { timeout: 20_000 };
const faultOf = (bridgeId: number) => async () => (await plant.bridge(bridgeId)).fault;

test("a broker whose certificate is the company's own is trusted once that is entered, and not before", async () => {
  const it = await broker({ transport: "mqtts" });
  const device = await plant.device();
  const untrusting = await plant.addBridge({ url: it.url });
  await plant.addBridge({ url: it.url, ca: testCertificate, clientId: "trusting" });
  await sendReading(await plant.mqtt(device.accessToken), "AI1", start, 5);
  plant.start();
  await expect.poll(() => it.textsOf(/AI1$/).length, patient).toBe(1);
  await expect.poll(faultOf(untrusting), patient).toBe("The broker's certificate is self-signed: enter it as CA");
});

test("a broker is reached by WebSockets, and a wrong path is said", async () => {
  const it = await broker({ transport: "ws" });
  const device = await plant.device();
  const wrong = await plant.addBridge({ url: `${it.url}/`, clientId: "wrong" });
  await plant.addBridge({ url: `${it.url}/mqtt` });
  await sendReading(await plant.mqtt(device.accessToken), "AI1", start, 5);
  plant.start();
  await expect.poll(() => it.textsOf(/AI1$/).length, patient).toBe(1);
  await expect.poll(faultOf(wrong), patient).toContain("check its path");
});

test("an address of IPv6 is one also by WebSockets: what is wrong with it is said", async () => {
  const bridgeId = await plant.addBridge({ url: "ws://[::1]:9/mqtt" });
  const tested = plant.as(plant.owner)(bridges.test, { bridgeId });
  await expect(tested).rejects.toMatchObject({ code: Code.conflict });
});

test("a broker gets no more messages at a time than it takes", async () => {
  const it = await narrowBroker(10);
  const device = await plant.device();
  const bridgeId = await plant.addBridge({ url: it.url, sendsAlerts: 0 });
  const client = await plant.mqtt(device.accessToken);
  for (let at = 0; at < 30; at += 1) await sendReading(client, "AI1", start + at * 1000, 5);
  plant.start();
  await expect.poll(() => it.taken.length, patient).toBeGreaterThanOrEqual(30);
  expect(await faultOf(bridgeId)()).toBe("");
  it.server.close();
});

test("a broker that does not let the user publish there is said, and what it refused is published once it does", async () => {
  let isAllowed = false;
  const it = await broker({ allows: () => isAllowed });
  const device = await plant.device();
  const bridgeId = await plant.addBridge({ url: it.url });
  await sendReading(await plant.mqtt(device.accessToken), "AI1", start, 5);
  plant.start();
  await expect.poll(faultOf(bridgeId), patient).toContain("check that the user may publish under the prefix");
  expect((await plant.bridge(bridgeId)).connectedSince).toBeNull();
  isAllowed = true;
  await expect.poll(() => it.textsOf(/AI1$/).length, patient).toBeGreaterThan(0);
  await expect.poll(faultOf(bridgeId), patient).toBe("");
});

test("a long backlog is kept in few entries and published in its order", async () => {
  const away = await broker();
  await away.stop();
  const device = await plant.device();
  const bridgeId = await plant.addBridge({ url: away.url, sendsAlerts: 0 });
  const client = await plant.mqtt(device.accessToken);
  const count = 550;
  for (let n = 0; n < count; n += 1) await sendReading(client, "AI1", start + n * 1000, n / 10);
  const entries = async () =>
    (await plant.pool.query("SELECT FROM bridge_queue WHERE bridge_id = $1", [bridgeId])).rows.length;
  plant.start();
  await expect.poll(entries, patient).toBeLessThan(100);
  expect((await plant.bridge(bridgeId)).behind).toBe(count);
  const back = await broker({ port: away.port });
  await expect.poll(async () => (await plant.bridge(bridgeId)).behind, patient).toBe(0);
  const values = back.textsOf(/AI1$/).map((text) => JSON.parse(text).value);
  expect(values).toEqual(Array.from({ length: count }, (_, n) => n / 10));
}, 60_000);
