import type { World } from "../world.ts";
import type { HubMetrics } from "./hub-metrics.ts";
import { createJoining, repeatChanges } from "./joining.ts";
import { type Connection, closeCode } from "./plant/connection.ts";
import type { Rounds } from "./plant/flush-rounds.ts";
import type { PlantChannels } from "./plant/plant-channel.ts";
import type { Recent } from "./plant/recent.ts";
import { createVisibility, type Visibility, visibilityKey } from "./plant/visibility.ts";
import type { everything, Watched } from "./plant/watch.ts";

/** The sockets of all plants, as they come and go. */
export interface Members {
  /** What an account may see; accounts with equal visibility share one. */
  visibilityOf(caller: Connection["caller"]): Promise<Visibility>;
  /** Adds a socket, or closes it when its account has too many. */
  join(connection: Connection): void;
  leave(connection: Connection): void;
  /** The socket's client has named the channels whose values it shows. */
  watch(connection: Connection, watched: Watched | typeof everything): void;
}

interface Needs extends Pick<World, "db" | "bus"> {
  channels: PlantChannels;
  rounds: Rounds;
  recent: Recent;
  metrics: HubMetrics;
  /** Most sockets of an account. */
  perAccount: number;
  /** What a viewer may see could not be read. */
  onFault(fault: unknown, viewers: readonly Connection[]): void;
}

export const createMembers = (needs: Needs): Members => {
  const { db, bus, channels, rounds, recent, metrics, perAccount, onFault } = needs;
  const connectionsOf = ({ plantId }: { plantId: number }) => [...(channels.of(plantId)?.connections ?? [])];
  const isTooMany = ({ caller: { plantId, accountId } }: Connection): boolean =>
    connectionsOf({ plantId }).filter(({ caller }) => caller.accountId === accountId).length >= perAccount;
  const joinNow = (connection: Connection, watched?: Watched | typeof everything): void => {
    const { plantId } = connection.caller;
    if (isTooMany(connection)) {
      metrics.closed.inc({ reason: "too many" });
      connection.close(closeCode.tooMany, "Too many connections of this account");
      return;
    }
    if (!channels.of(plantId)) bus.emitHere("watched", { plantId, isWatched: true });
    channels.join(connection);
    repeatChanges(recent, connection);
    if (watched) channels.of(plantId)?.watch(connection, watched);
  };
  const waiting = createJoining({ recent, joinNow, onFault: (fault, connection) => onFault(fault, [connection]) });
  return {
    visibilityOf: async (caller) => {
      const same = connectionsOf(caller).find(({ visibility }) => visibility.key === visibilityKey(caller));
      return same?.visibility ?? createVisibility(db, caller);
    },
    join: waiting.join,
    leave: (connection) => {
      const { plantId } = connection.caller;
      const wasWatched = channels.of(plantId) !== undefined;
      waiting.leave(connection);
      channels.leave(connection);
      if (wasWatched && !channels.of(plantId)) bus.emitHere("watched", { plantId, isWatched: false });
    },
    watch: (connection, watched) => {
      const channel = channels.of(connection.caller.plantId);
      if (!channel?.connections.has(connection)) return waiting.watch(connection, watched);
      channel.watch(connection, watched);
      rounds.wake(channel);
    },
  };
};
