import { type RpcMethod, topics } from "@telltale/contract/device-api";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { DeviceType } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildApp } from "../app.ts";
import type { PlantEvent } from "../platform/bus/bus.ts";
import { bridgeBus } from "../platform/bus/bus-bridge.ts";
import type { TestDatabase } from "../platform/database/test-database.ts";
import { openNatsPeers } from "../platform/node/nats-peers.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { rpcDevice } from "../test/rpc-device.ts";
import { createTestNats, hasNats } from "../test/test-nats.ts";
import { createTestPeers } from "../test/test-peers.ts";
import { clientsOf } from "../test/test-server.ts";

/** Two nodes on one database that reach each other. */
let here: DeviceWorld;
let there: DeviceWorld;
let database: TestDatabase;
let stops: (() => void)[] = [];

beforeAll(async () => {
  const peersOf = createTestPeers();
  here = await createDeviceWorld({ sharing: "shared", peers: peersOf() });
  database = { url: here.url, drop: async () => undefined };
  there = await createDeviceWorld({ sharing: "shared", clock: here.clock, database, peers: peersOf() });
  stops = [here, there].map(({ bus, peers, node }) => bridgeBus(bus, peers, node.id));
});
afterAll(async () => {
  for (const stop of stops) stop();
  await there.close();
  await here.close();
});

const method = "restart" as RpcMethod;

/** A NATS server, and two nodes on one database that reach each other by it. */
const nodesByNats = async () => {
  const nats = await createTestNats();
  await nats.start();
  onTestFinished(nats.stop);
  const nodeByNats = async (wanted: Parameters<typeof createDeviceWorld>[0]) => {
    const needs = { clusterId: "one", name: "test", log: here.log, onMissed: () => undefined };
    const peers = await openNatsPeers({ addresses: [nats.address], ...needs, metrics: new Registry() });
    const world = await createDeviceWorld({ sharing: "shared", peers, ...wanted });
    onTestFinished(async () => {
      await world.close();
      await peers.stop();
    });
    return world;
  };
  const one = await nodeByNats({});
  const other = await nodeByNats({ clock: one.clock, database: { url: one.url, drop: async () => undefined } });
  return { nats, one, other };
};

describe("a command to a device that is connected to another node", () => {
  it("is answered by the device", async () => {
    const device = await here.device();
    await rpcDevice(there, device, (name, params) => ({ name, params }));
    await vi.waitFor(async () =>
      expect(await here.gateway.callDevice(device.deviceId, method, { in: 3 })).toEqual({
        name: "restart",
        params: { in: 3 },
      }),
    );
  });

  it("fails as on its own node: not connected anywhere, or not listening", async () => {
    const [away, deaf] = [await here.device(), await here.device()];
    await there.mqtt(deaf.accessToken);
    await expect(here.gateway.callDevice(away.deviceId, method, {})).rejects.toMatchObject({ reason: "not-connected" });
    await expect(here.gateway.callDevice(deaf.deviceId, method, {})).rejects.toMatchObject({ reason: "not-listening" });
  });

  it.skipIf(!hasNats)("is answered by NATS as well, and fails once NATS is away", async () => {
    const { nats, one, other } = await nodesByNats();
    const device = await one.device();
    await rpcDevice(other, device, (name, params) => ({ name, params }));
    const call = () => one.gateway.callDevice(device.deviceId, method, { in: 3 });
    await vi.waitFor(async () => expect(await call()).toEqual({ name: "restart", params: { in: 3 } }));
    await nats.stop();
    await expect(call()).rejects.toMatchObject({ reason: "not-connected" });
  });

  it.skipIf(!hasNats)(
    "whose answer is larger than NATS takes fails with that reason, and both nodes go on",
    async () => {
      const { one, other } = await nodesByNats();
      const [wordy, brief] = [await one.device(), await one.device()];
      const { client } = await rpcDevice(other, wordy);
      // 250 kB, which become more than 1 MiB where the numbers are written in full.
      const answer = `[${Array(50_000).fill("1e20").join()}]`;
      client.on("message", (topic) => {
        if (topic.startsWith(topics.rpcRequest))
          client.publish(topics.rpcResponse + topic.slice(topics.rpcRequest.length), answer, { qos: 1 });
      });
      await vi.waitFor(() =>
        expect(one.gateway.callDevice(wordy.deviceId, method, {})).rejects.toMatchObject({ reason: "too-large" }),
      );
      await rpcDevice(other, brief, (name) => ({ name }));
      expect(await one.gateway.callDevice(brief.deviceId, method, {})).toEqual({ name: "restart" });
    },
  );
});

describe("live messages", () => {
  const report = async (world: DeviceWorld, token: string, value: number) => {
    here.clock.pass(1_000);
    const client = await world.mqtt(token);
    await client.publishAsync(topics.telemetry, JSON.stringify({ AI1: value }), { qos: 1 });
    await client.endAsync();
  };
  const heardBy = ({ bus }: DeviceWorld) => {
    const heard: PlantEvent[] = [];
    stops.push(bus.on("live", (event) => heard.push(event)));
    return heard;
  };
  const valuesIn = (heard: readonly PlantEvent[]) =>
    heard.flatMap(({ message }) => (message.cmd === LiveCommand.value ? [message.value] : []));

  it("reach the consoles of every node: values only where a console of the plant is open, changes always", async () => {
    const device = await here.device();
    const heard = heardBy(there);
    await report(here, device.accessToken, 1);
    await vi.waitFor(() => expect(heard.map(({ message }) => message.cmd)).toContain(LiveCommand.alertChange));
    expect(valuesIn(heard)).toEqual([]);
    there.bus.emitHere("watched", { plantId: here.plantId, isWatched: true });
    await vi.waitFor(async () => {
      await report(here, device.accessToken, 2);
      expect(valuesIn(heard)).toContain(2);
    });
    there.bus.emitHere("watched", { plantId: here.plantId, isWatched: false });
    heard.length = 0;
    await report(here, device.accessToken, 3);
    await report(there, device.accessToken, 4);
    await vi.waitFor(() => expect(valuesIn(heard)).toEqual([4]));
  });

  it("are not sent in circles", async () => {
    const [heardHere, heardThere] = [heardBy(here), heardBy(there)];
    here.bus.emit("live", { plantId: 77, message: { cmd: LiveCommand.jointChange } });
    await vi.waitFor(() => expect(heardThere).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([heardHere, heardThere]).toEqual([[expect.anything()], [expect.anything()]]);
  });
});

it("a sign-out and changed rights reach the sockets of every node", async () => {
  const [signedOut, changed] = [vi.fn(), vi.fn()];
  stops.push(there.bus.on("signOut", signedOut), there.bus.on("rightsChange", changed));
  here.bus.emit("signOut", { tokenHash: "abc" });
  here.bus.emit("rightsChange", { accountId: 5 });
  await vi.waitFor(() => expect(signedOut).toHaveBeenCalledWith({ tokenHash: "abc" }));
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith({ accountId: 5 }));
});

it("a client that connects to another node ends its connection to the first; another client of the device does not", async () => {
  const device = await here.device();
  const [first, other] = [
    await here.mqtt(device.accessToken, { clientId: "unit" }),
    await here.mqtt(device.accessToken, { clientId: "test bench" }),
  ];
  const closed = new Promise((resolve) => first.once("close", () => resolve(undefined)));
  await there.mqtt(device.accessToken, { clientId: "unit" });
  await closed;
  expect(other.connected).toBe(true);
});

it("settings of a sub-device that were saved while its master was away reach it through a node that was started later", async () => {
  const master = await here.device();
  const sub = await here.device({ deviceType: DeviceType.sub, parentDeviceId: master.deviceId });
  const app = await buildApp(here);
  const ask = clientsOf(app)(here.owner);
  await ask(deviceConfiguration.update, { deviceId: sub.deviceId, periodicity: 900 });
  const later = await createDeviceWorld({ sharing: "shared", clock: here.clock, database });
  onTestFinished(async () => {
    await later.close();
    await app.close();
  });
  const { received } = await rpcDevice(later, master);
  await expect
    .poll(() => received.filter(({ topic }) => topic === topics.gateway.attributes).map(({ content }) => content))
    .toEqual([{ device: sub.deviceSnId, data: expect.objectContaining({ reportInterval: 900 }) }]);
});
