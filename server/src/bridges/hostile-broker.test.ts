import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type BridgedPlant, createBridgedPlant, sendReading } from "../test/test-bridged-plant.ts";
import { startBroker } from "../test/test-broker.ts";

let plant: BridgedPlant;
const servers: Server[] = [];
const sockets = new Set<Socket>();
beforeAll(async () => {
  plant = await createBridgedPlant();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  await plant.stop();
  await plant.db.deleteFrom("bridges").execute();
});
afterAll(() => plant.close());

const patient = { timeout: 20_000 };
/** CONNACK of MQTT 5: admitted. */
const admitted = Buffer.from([0x20, 3, 0, 0, 0]);

/** A broker that admits everybody, then sends what it likes, and never ends a connection. */
const hostileBroker = async (send: (socket: Socket) => void = () => undefined): Promise<string> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => {
      socket.write(admitted);
      send(socket);
      socket.resume();
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** PUBLISH of MQTT 5 to the topic `a`, with `id` unless its quality of service is 0. */
const published = (qos: number, id: number): Buffer => {
  const body = [0, 1, 97, ...(qos > 0 ? [id >> 8, id & 0xff] : []), 0, 120];
  return Buffer.from([0x30 | (qos << 1), body.length, ...body]);
};

test.each([
  [
    "a packet that would fill the memory",
    (socket: Socket) => void socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 1, 97])),
    "The broker sends 268435455 bytes in one packet: a bridge takes 16384 at most",
  ],
  [
    "messages that would be kept until it says so",
    (socket: Socket) => void socket.write(published(2, 1)),
    "The broker sends messages with QoS 2: a bridge has subscribed with QoS 1 at most",
  ],
  [
    "more messages than anybody has asked for",
    (socket: Socket) => void socket.write(Buffer.concat(Array.from({ length: 3_000 }, () => published(0, 0)))),
    "The broker sends more than 1000 packets a minute that nobody has asked for",
  ],
])("a broker that sends %s is left, and why is said", async (_what, send, words) => {
  const bridgeId = await plant.addBridge({ url: await hostileBroker(send) });
  plant.start();
  await expect.poll(async () => (await plant.bridge(bridgeId)).fault, patient).toBe(words);
});

test("a broker that never ends a connection keeps neither the test of a bridge nor the other bridges waiting", async () => {
  const url = await hostileBroker();
  const bridgeId = await plant.addBridge({ url });
  plant.start();
  await expect.poll(async () => (await plant.bridge(bridgeId)).connectedSince, patient).not.toBeNull();
  const client = plant.as(plant.owner);
  await client(bridges.test, { bridgeId });
  await client(bridges.remove, { bridgeId });
  const other = await startBroker();
  await plant.addBridge({ url: other.url, clientId: "other" });
  const device = await plant.device();
  await sendReading(await plant.mqtt(device.accessToken), "AI1", 1_763_700_000_000, 5);
  await expect.poll(() => other.textsOf(/AI1$/).length, patient).toBe(1);
  // What is sent to a connection that the server has given up resets it.
  const areGivenUp = () => [...sockets].every((socket) => socket.destroyed || !socket.write(admitted));
  await expect.poll(areGivenUp, patient).toBe(true);
  await plant.stop();
  await other.stop();
});
