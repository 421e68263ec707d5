import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { LiveCommand } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTestNats, createTestNatsCluster, hasNats } from "../../test/test-nats.ts";
import { createTestPeers } from "../../test/test-peers.ts";
import { createLog } from "../log.ts";
import type { Peers } from "../node/peers.ts";
import { type Bus, createBus, type PlantEvent } from "./bus.ts";
import { bridgeBus, joinPeers } from "./bus-bridge.ts";

const plantId = 7;
const liveValue = (value: number, deviceChannelId = 1): PlantEvent => ({
  plantId,
  message: { cmd: LiveCommand.value, deviceChannelId, value, status: 0, updateTime: value },
});

const aBus = () =>
  createBus((fault) => {
    throw fault;
  });

/** A node's bus, and what has come by it. */
const heardBy = (bus: Bus) => {
  const [missed, values] = [vi.fn(), [] as number[]];
  bus.on("liveMissed", missed);
  bus.on("live", ({ message }) => {
    if (message.cmd === LiveCommand.value) values.push(message.value);
  });
  return { bus, missed, values };
};

/** A node by the NATS server of this address. */
const nodeBy = async (address: string) => {
  const bus = aBus();
  const needs = { clusterId: "one", name: "test", log: createLog("silent"), metrics: new Registry() };
  const { stop } = await joinPeers({ addresses: [address], ...needs, bus, nodeId: randomUUID() });
  onTestFinished(stop);
  return heardBy(bus);
};
type HeardNode = Awaited<ReturnType<typeof nodeBy>>;

/** Waits until what one node says is heard by the other. */
const isHeard = async (speaker: HeardNode, listener: HeardNode): Promise<void> => {
  const before = listener.values.length;
  const say = () => {
    speaker.bus.emit("live", liveValue(performance.now()));
    expect(listener.values.length).toBeGreaterThan(before);
  };
  await vi.waitFor(say, { timeout: 10_000, interval: 100 });
};

test.skipIf(!hasNats)(
  "all values of a plant reach the consoles of other nodes, however many come at once",
  async () => {
    const nats = await createTestNats();
    onTestFinished(nats.stop);
    await nats.start();
    const [speaker, listener] = [await nodeBy(nats.address), await nodeBy(nats.address)];
    listener.bus.emitHere("watched", { plantId, isWatched: true });
    await isHeard(speaker, listener);
    listener.values.length = 0;
    const channels = Array.from({ length: 20_000 }, (_, at) => at + 1);
    for (const channel of channels) speaker.bus.emit("live", liveValue(channel, channel));
    await vi.waitFor(() => expect(listener.values).toHaveLength(channels.length), { timeout: 10_000, interval: 100 });
    expect(listener.values).toEqual(channels);
  },
);

test.skipIf(!hasNats)(
  "consoles refetch when the link of a node was lost whose values and alerts they show",
  async () => {
    const [first, second] = await createTestNatsCluster(2);
    if (!first || !second) throw new Error("two servers");
    onTestFinished(async () => {
      await first.stop();
      await second.stop();
    });
    await Promise.all([first.start(), second.start()]);
    const [speaker, listener] = [await nodeBy(first.address), await nodeBy(second.address)];
    listener.bus.emitHere("watched", { plantId, isWatched: true });
    await isHeard(speaker, listener);
    // The listener's server stays, and the speaker finds it by the one that ends.
    await first.stop();
    await vi.waitFor(() => expect(listener.missed).toHaveBeenCalled(), 15_000);
    expect(speaker.missed).toHaveBeenCalled();
    await isHeard(speaker, listener);
  },
);

test("values are sent again at once to a node that could not say for a while which plants it shows", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const peersOf = createTestPeers();
  let isUp = true;
  const breakable = (peers: Peers): Peers => ({
    ...peers,
    publish: (subject, content) => {
      if (isUp) peers.publish(subject, content);
    },
    publishList: (subject, items) => {
      if (isUp) peers.publishList(subject, items);
    },
  });
  const aNode = () => {
    const bus = aBus();
    onTestFinished(bridgeBus(bus, breakable(peersOf()), randomUUID()));
    return heardBy(bus);
  };
  const [speaker, listener] = [aNode(), aNode()];
  const say = async (value: number): Promise<void> => {
    speaker.bus.emit("live", liveValue(value));
    await vi.advanceTimersByTimeAsync(100);
    await turn();
  };
  listener.bus.emitHere("watched", { plantId, isWatched: true });
  await turn();
  await say(1);
  isUp = false;
  await vi.advanceTimersByTimeAsync(21_000);
  await say(2);
  isUp = true;
  speaker.bus.emit("liveMissed", {});
  await turn();
  await turn();
  await say(3);
  expect(listener.values).toEqual([1, 3]);
  expect(listener.missed).toHaveBeenCalledOnce();
});
