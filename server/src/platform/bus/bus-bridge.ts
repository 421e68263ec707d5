import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { type NatsPeers, openNatsPeers } from "../node/nats-peers.ts";
import type { Peers } from "../node/peers.ts";
import type { Bus, BusEvents, SharedEvent } from "./bus.ts";
import { createWatchedPlants } from "./watched-plants.ts";

/** How long live values are collected before they are sent to other nodes, milliseconds. */
const gather = 50;

/** Subject of all events except live values. */
const eventSubject = "event";

type Event = { [K in SharedEvent]: { name: K; event: BusEvents[K] } }[SharedEvent];

const subjectOf = (plantId: number): string => `live.${plantId}`;

/** The newest value of each channel that was not sent yet, by plant. */
const createPending = (send: (plantId: number, values: LiveMessage[]) => void) => {
  const plants = new Map<number, Map<number, LiveMessage>>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const [plantId, values] of plants) send(plantId, [...values.values()]);
    plants.clear();
  };
  return {
    add: (plantId: number, channelId: number, message: LiveMessage): void => {
      const values = plants.get(plantId) ?? new Map<number, LiveMessage>();
      plants.set(plantId, values);
      values.set(channelId, message);
      timer ??= setTimeout(flush, gather);
    },
    stop: () => clearTimeout(timer),
  };
};

/**
 * Carries the events of the bus between the nodes of a cluster; live values only to nodes with a console of their plant. Returns the function that
 * stops it.
 */
export const bridgeBus = (bus: Bus, peers: Peers, nodeId: string): (() => void) => {
  const watched = createWatchedPlants(peers, nodeId);
  const pending = createPending((plantId, values) => peers.publishList(subjectOf(plantId), values));
  /** By plant with a console on this node: ends listening to its values. */
  const listening = new Map<number, () => void>();
  const emitEvent = (content: unknown): void => {
    const { name, event } = content as Event;
    bus.emitHere(name, event);
  };
  const emitValues = (plantId: number) => (content: unknown) => {
    for (const message of content as LiveMessage[]) bus.emitHere("live", { plantId, message });
  };
  const stops = [
    peers.listen(eventSubject, emitEvent),
    bus.onShared((name, event) => {
      if (name !== "live") return peers.publish(eventSubject, { name, event });
      const { plantId, message } = event as BusEvents["live"];
      if (message.cmd !== LiveCommand.value) peers.publish(eventSubject, { name, event });
      else if (watched.isWatchedElsewhere(plantId)) pending.add(plantId, message.deviceChannelId, message);
    }),
    bus.on("watched", ({ plantId, isWatched }) => {
      listening.get(plantId)?.();
      listening.delete(plantId);
      if (isWatched) listening.set(plantId, peers.listen(subjectOf(plantId), emitValues(plantId)));
      watched.set([...listening.keys()]);
    }),
    bus.on("liveMissed", watched.tell),
    watched.stop,
    pending.stop,
  ];
  return () => {
    for (const stop of [...stops, ...listening.values()]) stop();
  };
};

type NatsNeeds = Omit<Parameters<typeof openNatsPeers>[0], "onMissed"> & { bus: Bus; nodeId: string };

/** Connects a node's bus to those of the others by NATS. What may have been missed, this node has missed of the others, and they of it. */
export const joinPeers = async (needs: NatsNeeds): Promise<NatsPeers> => {
  const { bus, nodeId } = needs;
  const peers = await openNatsPeers({ ...needs, onMissed: () => bus.emit("liveMissed", {}) });
  const endBridge = bridgeBus(bus, peers, nodeId);
  return {
    ...peers,
    stop: async () => {
      endBridge();
      await peers.stop();
    },
  };
};
