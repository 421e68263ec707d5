import { heartbeatInterval, type LiveMessage } from "@telltale/contract/live";
import type { Handover } from "../platform/drain.ts";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import type { ChangedOf } from "./alert-rows.ts";
import { createBusEvents } from "./bus-events.ts";
import { createHubMetrics } from "./hub-metrics.ts";
import { createKeepalive } from "./keepalive.ts";
import { createMembers, type Members } from "./members.ts";
import { type Connection, closeCode } from "./plant/connection.ts";
import { createRounds } from "./plant/flush-rounds.ts";
import { createPlantChannels, type PlantChannels } from "./plant/plant-channel.ts";
import { createRecent } from "./plant/recent.ts";

/** Times in milliseconds. */
export interface HubLimits {
  /** Messages are collected this long before they are sent. */
  gather: number;
  heartbeat: number;
  /** Interval of pings; a peer that does not answer two is cut off, which a slow network must not cause. */
  ping: number;
  /** Interval of token checks. */
  recheck: number;
  /** Most concurrent sockets per account: more than a plant has screens. */
  perAccount: number;
}

export const hubLimits: HubLimits = {
  gather: 50,
  heartbeat: heartbeatInterval,
  ping: 15_000,
  recheck: 60_000,
  perAccount: 2_000,
};

/** Forwards a plant's events to the sockets of its accounts. */
export interface Hub extends Members {
  start(): void;
  stop(): void;
  /** The open sockets; consoles whose sockets are closed open them again. */
  sockets: Handover;
}

interface Needs extends Pick<World, "db" | "bus" | "log" | "metrics"> {
  findCaller: FindCaller;
  changedOf: ChangedOf;
  limits?: HubLimits;
}

const handoverOf = (channels: PlantChannels, leave: Members["leave"]): Handover => ({
  count: () => channels.all().length,
  close: (most) => {
    for (const connection of channels.all().slice(0, most)) {
      leave(connection);
      connection.close(closeCode.goingAway, "The server stops");
    }
  },
});

/** Creates the hub between bus and sockets. `stop` undoes `start`. */
export const createHub = (needs: Needs): Hub => {
  const { db, bus, log, metrics: registry, findCaller, limits = hubLimits } = needs;
  // Consoles reconnect and refetch what they show. Members leave first, so that a reconnecting one does not share the outdated visibility of one
  // that is still closing.
  const reconnect = (connections: readonly Connection[]): void => {
    for (const connection of connections) {
      members.leave(connection);
      metrics.closed.inc({ reason: "changes missed" });
      connection.close(closeCode.changesMissed, "Changes may have been missed");
    }
  };
  const onFault = (err: unknown, viewers: readonly Connection[]): void => {
    log.error({ err }, "Could not reload a viewer's dashboard; its live connections are closed and open again");
    reconnect(viewers);
  };
  const channels = createPlantChannels({
    onFault,
    onReloaded: (channel) => rounds.wake(channel),
  });
  const metrics = createHubMetrics(registry, () => channels.all().length);
  const rounds = createRounds(limits.gather, metrics.count);
  const send = (plantId: number, messages: readonly LiveMessage[]): void => {
    const channel = channels.of(plantId);
    if (!channel) return;
    for (const message of messages) channel.add(message);
    rounds.wake(channel);
  };
  const keepalive = createKeepalive({ all: channels.all, findCaller, metrics, limits, log });
  const recent = createRecent();
  const events = createBusEvents({ ...needs, channels, recent, send, reconnect });
  const members = createMembers({ db, bus, channels, rounds, recent, metrics, perAccount: limits.perAccount, onFault });

  return {
    ...members,
    start: () => {
      keepalive.start();
      events.start();
    },
    stop: () => {
      events.stop();
      keepalive.stop();
      rounds.stop();
      for (const connection of channels.all()) connection.close(closeCode.goingAway, "The server stops");
    },
    sockets: handoverOf(channels, members.leave),
  };
};
