import { heartbeatInterval } from "@telltale/contract/live";
import type { Handover } from "../platform/drain.ts";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import { type Connection, closeCode } from "./connection.ts";
import { createRounds } from "./flush-rounds.ts";
import { createHubMetrics } from "./hub-metrics.ts";
import { createJoining, repeatChanges } from "./joining.ts";
import { createKeepalive } from "./keepalive.ts";
import { createPlantChannels, type PlantChannels } from "./plant-channel.ts";
import { createRecent, type Recent } from "./recent.ts";
import { createVisibility, type Visibility, visibilityKey } from "./visibility.ts";

/** Times in milliseconds. */
export interface HubLimits {
  /** Messages are collected this long before they are sent. */
  gather: number;
  heartbeat: number;
  /** Interval of token checks. */
  recheck: number;
  /** Most concurrent sockets per account: more than a plant has screens. */
  perAccount: number;
}

export const hubLimits: HubLimits = { gather: 50, heartbeat: heartbeatInterval, recheck: 60_000, perAccount: 2_000 };

/** Forwards a plant's events to the sockets of its accounts. */
export interface Hub {
  /** What an account may see; accounts with equal visibility share one. */
  visibilityOf(caller: Connection["caller"]): Promise<Visibility>;
  /** Adds a socket, or closes it when its account has too many. */
  join(connection: Connection): void;
  leave(connection: Connection): void;
  start(): void;
  stop(): void;
  /** The open sockets; consoles whose sockets are closed open them again. */
  sockets: Handover;
}

type Needs = Pick<World, "db" | "bus" | "log" | "metrics"> & { findCaller: FindCaller; limits?: HubLimits };

interface Sockets extends Pick<World, "bus"> {
  channels: PlantChannels;
  rounds: ReturnType<typeof createRounds>;
  recent: Recent;
  reconnect: (connections: readonly Connection[]) => void;
}

/** Forwards the events of the bus; returns the functions that end it. */
const subscribe = ({ bus, channels, rounds, recent, reconnect }: Sockets): (() => void)[] => {
  const reconnectAll = (): void => reconnect(channels.all());
  return [
    bus.on("live", ({ plantId, message }) => {
      recent.add(plantId, message);
      const channel = channels.of(plantId);
      if (!channel) return;
      channel.add(message);
      rounds.wake(channel);
    }),
    bus.on("signOut", ({ tokenHash }) => {
      for (const connection of channels.all()) if (connection.caller.tokenHash === tokenHash) connection.signOut();
    }),
    bus.on("rightsChange", ({ accountId }) => {
      for (const connection of channels.all())
        if (connection.caller.accountId === accountId) connection.close(closeCode.rightsChanged, "Rights have changed");
    }),
    bus.on("noticesMissed", reconnectAll),
    bus.on("liveMissed", reconnectAll),
  ];
};

const handoverOf = (channels: PlantChannels, leave: Hub["leave"]): Handover => ({
  count: () => channels.all().length,
  close: (most) => {
    for (const connection of channels.all().slice(0, most)) {
      leave(connection);
      connection.close(closeCode.goingAway, "The server stops");
    }
  },
});

/** Creates the hub between bus and sockets. `stop` undoes `start`. */
export const createHub = ({ db, bus, log, metrics: registry, findCaller, limits = hubLimits }: Needs): Hub => {
  // Consoles reconnect and refetch what they show. Members leave first, so that a reconnecting one does not share the outdated visibility of one
  // that is still closing.
  const reconnect = (connections: readonly Connection[]): void => {
    for (const connection of connections) {
      leave(connection);
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
  const keepalive = createKeepalive({ all: channels.all, findCaller, metrics, limits, log });
  const recent = createRecent();
  const unsubscribe: (() => void)[] = [];
  const leave = (connection: Connection): void => {
    const { plantId } = connection.caller;
    const wasWatched = channels.of(plantId) !== undefined;
    waiting.leave(connection);
    channels.leave(connection);
    if (wasWatched && !channels.of(plantId)) bus.emitHere("watched", { plantId, isWatched: false });
  };
  const connectionsOf = ({ plantId }: Connection["caller"]) => [...(channels.of(plantId)?.connections ?? [])];

  const joinNow = (connection: Connection): void => {
    const { plantId, accountId } = connection.caller;
    const own = connectionsOf(connection.caller).filter(({ caller }) => caller.accountId === accountId);
    if (own.length >= limits.perAccount) {
      metrics.closed.inc({ reason: "too many" });
      connection.close(closeCode.tooMany, "Too many connections of this account");
      return;
    }
    if (!channels.of(plantId)) bus.emitHere("watched", { plantId, isWatched: true });
    channels.join(connection);
    repeatChanges(recent, connection);
  };
  const waiting = createJoining({ recent, joinNow, onFault: (fault, connection) => onFault(fault, [connection]) });

  return {
    visibilityOf: async (caller) => {
      const same = connectionsOf(caller).find(({ visibility }) => visibility.key === visibilityKey(caller));
      return same?.visibility ?? createVisibility(db, caller);
    },
    join: waiting.join,
    leave,
    start: () => {
      keepalive.start();
      unsubscribe.push(...subscribe({ bus, channels, rounds, recent, reconnect }));
    },
    stop: () => {
      for (const off of unsubscribe.splice(0)) off();
      keepalive.stop();
      rounds.stop();
      for (const connection of channels.all()) connection.close(closeCode.goingAway, "The server stops");
    },
    sockets: handoverOf(channels, leave),
  };
};
